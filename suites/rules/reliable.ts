// Checks that a read that succeeds meets no server error in between, in all that the run asked of it.
import { isSuccess } from '../../engine/http/exchange.ts';
import { notTriggered, pass, violation } from '../../engine/judgement.ts';
import type { Rule } from '../../engine/probe/check.ts';
import { isServerError } from '../../engine/probe/matchers/http-fields.ts';

const leastAnswers = 2;
/** Repeats of one request that are enough: an error shows only between two successes of the same request. */
const enoughInTurn = 4;

export const reliable: Rule = {
  name: 'reliable',
  title: 'the same read, sent again and again, meets no server error in between',
  clause: 'sense.reliable',
  async judge(operation, context) {
    const { served } = await context.routed(operation);
    const plain = await context.ask(operation);
    const isBroken = plain.response !== undefined && isServerError(plain.response);
    const mayRepeat = served === true && (isBroken || isSuccess(plain));
    let seen = await context.intermittent(operation);
    // Where no other rule or flow repeats a read, as in a run of this rule alone, the plain read is repeated here.
    for (let nth = 2; mayRepeat && seen.inTurn < enoughInTurn && nth <= enoughInTurn; nth += 1) {
      await context.ask(operation, { nth: `in turn ${nth}` });
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
