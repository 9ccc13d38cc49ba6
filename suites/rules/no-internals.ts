// Asks that refusals show no internals of the server: the plain call where it is refused, and two wrong calls.
import { clauseById } from '../../catalog/clauses/clauses.ts';
import type { Operation } from '../../catalog/operation.ts';
import { type Ask, nobody } from '../../engine/http/ask.ts';
import { notTriggered, pass, violation } from '../../engine/judgement.ts';
import type { Rule } from '../../engine/probe/check.ts';
import type { Context } from '../../engine/probe/context.ts';
import { servedAnswer } from '../../engine/probe/gate.ts';
import { internalsShown } from '../../engine/probe/matchers/internals.ts';
import { fuzzerOf } from './bad-input.ts';
import { malformed } from './malformed-body.ts';

const anonymous: Ask = { as: nobody };
/** The very exchange that `malformed-body` judges. */
const cutOff = (operation: Operation): Ask => ({ as: fuzzerOf(operation), ...malformed });

const provocations = (operation: Operation, { takesSession }: Context): Ask[] => [
  ...(takesSession(operation.host) ? [anonymous] : []),
  ...(operation.method === 'POST' || operation.method === 'PUT' ? [cutOff(operation)] : []),
];

export const noInternals: Rule = {
  name: 'no-internals',
  title: 'its refusals show no stack trace and no file path of the server',
  clause: () => clauseById('sense.no-internals'),
  async judge(operation, context) {
    const plain = await servedAnswer(operation, context);
    if (!plain.open) return plain.judgement;
    const further = await Promise.all(
      provocations(operation, context).map((ask) => context.ask(operation, ask)),
    );
    const refusals = [plain.exchange, ...further].filter(
      ({ response }) => response && response.status >= 400,
    );
    for (const refusal of refusals) {
      const found = internalsShown(refusal);
      if (found) return violation(found.expected, found.actual, refusal);
    }
    return refusals.length === 0 ? notTriggered('nothing was refused') : pass(refusals.at(-1));
  },
};
