// Checks that equal calls at once cause no server error, which is how a race shows first.
import type { Operation } from '../../catalog/operation.ts';
import type { Exchange } from '../../engine/http/exchange.ts';
import { inconclusive, pass, violation } from '../../engine/judgement.ts';
import type { Rule } from '../../engine/probe/check.ts';
import type { Context } from '../../engine/probe/context.ts';
import { isServerError } from '../../engine/probe/matchers/http-fields.ts';
import { answered, servedAnswer } from '../../engine/probe/prerequisites.ts';

/** A caller whose state no other check needs; for a call that ends a session, one with a session of its own. */
const callerOf = ({ ends }: Operation) => (ends === 'session' ? 'session-ender' : 'crowd');

/** Three equal calls at once; two for a file, which has no state that they could race for. */
export const equalAtOnce = (operation: Operation, { ask }: Pick<Context, 'ask'>): Promise<Exchange[]> =>
  Promise.all(
    (operation.host === 'cdn' ? [1, 2] : [1, 2, 3]).map((nth) =>
      ask(operation, { as: callerOf(operation), nth }),
    ),
  );

export const concurrent: Rule = {
  name: 'concurrent',
  title: 'equal calls at once cause no server error',
  clause: 'sense.concurrent',
  async judge(operation, context) {
    const alone = await servedAnswer(operation, context);
    if (isServerError(alone.response))
      return inconclusive(
        'prerequisite-failed',
        `a single call is answered ${alone.response.status} already`,
        alone.exchange,
      );
    const all = await equalAtOnce(operation, context);
    const broken = all.filter(({ response }) => response && isServerError(response));
    const [worst] = broken;
    if (worst)
      return violation(
        `${all.length} answers without a server error`,
        `${worst.response?.status}, ${broken.length} of ${all.length}`,
        worst,
      );
    for (const each of all) answered(each);
    const isWalled = ({ response }: Exchange) => response?.status === 401;
    if (all.every(isWalled) && !isWalled(alone.exchange))
      return inconclusive('needs-players', 'answered 401 before the call was looked at', all.at(-1));
    return pass(all.at(-1));
  },
};
