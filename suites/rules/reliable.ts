// Checks that a read that succeeds meets no server error in between, in all that the run asked of it.
import { isSuccess } from '../../engine/http/exchange.ts';
import { notTriggered, pass, violation } from '../../engine/judgement.ts';
import type { Rule } from '../../engine/probe/check.ts';
import { equalAtOnce } from './concurrent.ts';

const leastAnswers = 2;
const fewAnswers = 6;
/** Calls one after another, numbered after those that are sent at once. */
const repeats = [4, 5, 6, 7] as const;

export const reliable: Rule = {
  name: 'reliable',
  title: 'the same read, sent again and again, meets no server error in between',
  clause: 'sense.reliable',
  async judge(operation, context) {
    const { served } = await context.routed(operation);
    if (served === true && isSuccess(await context.ask(operation))) await equalAtOnce(operation, context);
    let seen = await context.intermittent(operation);
    // Where no other rule and no flow reads it often, as in a run of this rule alone, it is read here.
    if (served === true && seen.of < fewAnswers) {
      // The first of them also repeats one of those at once.
      const lacking = Math.max(1, fewAnswers - seen.of - 1);
      for (const nth of repeats.slice(0, lacking)) await context.ask(operation, { as: 'crowd', nth });
      seen = await context.intermittent(operation);
    }
    const { times, of, broken, right } = seen;
    if (broken)
      return {
        ...violation(
          'success each time',
          `${broken.response?.status} in ${times} of ${of} answers, with success before and after`,
          broken,
        ),
        ...(right && { control: right }),
      };
    return of >= leastAnswers
      ? pass(undefined, `success in ${of} answers, one after another, to the same requests`)
      : notTriggered('no request to it was sent again once it was answered');
  },
};
