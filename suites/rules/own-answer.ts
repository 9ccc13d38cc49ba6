// Checks that no answer of the run names another player where the operation names its caller.

import { aboutCaller } from '../../catalog/about-caller.ts';
import { ofOthers } from '../../catalog/clauses/clause.ts';
import { clauseById } from '../../catalog/clauses/clauses.ts';
import type { Operation } from '../../catalog/operation.ts';
import { isSuccess } from '../../engine/http/exchange.ts';
import { type Judgement, notTriggered, pass, violation } from '../../engine/judgement.ts';
import type { Rule } from '../../engine/probe/check.ts';
import type { Context } from '../../engine/probe/context.ts';
import type { Misnamed, Named } from '../../engine/probe/named-players.ts';
import { equalAtOnce } from './concurrent.ts';

export const ownAnswer: Rule = {
  name: 'own-answer',
  title: 'names its caller and, in that place, no other player',
  clause: () => ofOthers(clauseById('sense.own-answer'), 'mixed up'),
  async judge(operation, context) {
    const { otherPlayer, callers } = await namedInRun(operation, context);
    if (otherPlayer)
      return misnamed(operation, otherPlayer, { rightly: 'the caller', wrongly: 'another player' });
    return callers.length > 0
      ? pass(undefined, `names the caller at ${callers.join(', ')}`)
      : notTriggered('no place of its answers names the caller to several callers');
  },
};

/** What all answers of the run to an operation name. Makes some calls itself, for a run of this rule alone. */
export async function namedInRun(operation: Operation, context: Context): Promise<Named> {
  const { served } = await context.routed(operation);
  if (served === true && isSuccess(await context.ask(operation))) await equalAtOnce(operation, context);
  return context.named(operation, aboutCaller.has(operation));
}

/** What a place of an answer names, in words. */
interface Names {
  readonly rightly: string;
  readonly wrongly: string;
}

/**
 * The violation of an answer that names the wrong player or id. It takes calls of several players to show, which a run
 * of the area makes.
 */
export function misnamed(
  { area }: Operation,
  { place, times, of, wrong, right }: Misnamed,
  { rightly, wrongly }: Names,
): Judgement {
  const where = place === '' ? 'as its body' : `at ${place}`;
  return {
    ...violation(`${rightly} ${where}`, `${wrongly}, in ${times} of ${of} answers`, wrong),
    ...(right && { control: right }),
    seenIn: [area],
    // Of wrong ids as well: a cause is only compared, and `wrongly` tells the two apart.
    cause: `${clauseById('sense.own-answer').id} ${wrongly}`,
  };
}
