// Checks that a read that succeeds meets no server error in between, in all that the run asked of it.
import { clauseById } from '../../catalog/clauses/clauses.ts';
import { isSuccess } from '../../engine/http/exchange.ts';
import { notTriggered, pass, violation } from '../../engine/judgement.ts';
import type { Rule } from '../../engine/probe/check.ts';
import { fourAtOnce } from './concurrent.ts';

export const reliable: Rule = {
  name: 'reliable',
  title: 'the same read, sent again and again, meets no server error in between',
  clause: () => clauseById('sense.reliable'),
  async judge(operation, context) {
    const { served } = await context.routed(operation);
    // Other rules send these calls as well; a run of this rule alone has no others.
    if (served === true && isSuccess(await context.ask(operation))) await fourAtOnce(operation, context);
    const { times, of, broken, right } = await context.intermittent(operation);
    if (broken)
      return {
        ...violation(
          'success each time',
          `${broken.response?.status} in ${times} of ${of} answers, with success before and after`,
          broken,
        ),
        ...(right && { control: right }),
      };
    return of > 1
      ? pass(undefined, `success in ${of} answers, one after another, to the same requests`)
      : notTriggered('no request to it was sent again once it was answered');
  },
};
