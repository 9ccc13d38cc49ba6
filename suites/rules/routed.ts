// Asks whether the operation is served, by evidence against unrouted controls: see the table in engine/probe/served/verdict.ts.
import { clauseById } from '../../catalog/clauses/clauses.ts';
import { inconclusive, pass, violation, warning } from '../../engine/judgement.ts';
import type { Rule } from '../../engine/probe/check.ts';

export const routed: Rule = {
  name: 'routed',
  title: 'is served',
  clause: (operation) => clauseById(operation.clause),
  async judge(operation, { routed, ask }) {
    const found = await routed(operation);
    const answer = await ask(operation);
    if (found.served === true) return pass(answer, found.why);
    if (found.served === undefined) return inconclusive(found.reason, found.why, answer);
    const expected = 'an answer unlike that of paths that do not exist';
    if (found.warn !== undefined) return warning(expected, `${found.why}; ${found.warn}`, answer);
    const actual = found.kind === 'unrouted' ? 'just the answer that paths that do not exist get' : found.why;
    return { ...violation(expected, actual, answer), cause: `routed: ${found.kind}` };
  },
};
