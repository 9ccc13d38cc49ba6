// Checks whether the operation is served, by evidence against unrouted controls: see the table in engine/probe/served/verdict.ts.
import { clauseById } from '../../catalog/clauses/clauses.ts';
import { isAbsent } from '../../engine/compare/controls.ts';
import { isSuccess, statusOf } from '../../engine/http/exchange.ts';
import { inconclusive, pass, violation, warning } from '../../engine/judgement.ts';
import type { Rule } from '../../engine/probe/check.ts';

const nothing = { served: undefined, unserved: undefined };

export const routed: Rule = {
  name: 'routed',
  title: 'is served',
  clause: (operation) => clauseById(operation.clause),
  async judge(operation, { routed, ask, flows }) {
    const found = await routed(operation);
    const answer = await ask(operation);
    const expected = 'an answer unlike that of paths that do not exist';
    // A flow names what is there: where its call is not found either, neither an unknown id nor OPTIONS excuses that.
    const isDoubtful = found.served === undefined ? found.reason === 'unknown-resource' : found.served;
    const { served, unserved } =
      isDoubtful && isAbsent(answer) ? await flows.seenInSteps(operation) : nothing;
    if (unserved !== undefined)
      return {
        ...violation(expected, 'just that answer, to a call in which nothing was guessed', unserved.exchange),
        cause: 'routed: unrouted',
        seenIn: unserved.steps,
      };
    if (found.served === true) return pass(answer, found.why);
    if (found.served === undefined && served !== undefined && isSuccess(served))
      return pass(served, `${statusOf(served)} to a call that names what is there`);
    if (found.served === undefined) return inconclusive(found.reason, found.why, answer);
    if (found.warn !== undefined) return warning(expected, `${found.why}; ${found.warn}`, answer);
    const actual = found.kind === 'unrouted' ? 'just the answer that paths that do not exist get' : found.why;
    return { ...violation(expected, actual, answer), cause: `routed: ${found.kind}` };
  },
};
