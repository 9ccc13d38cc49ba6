// Checks whether the operation is served, by evidence against unrouted controls: see the table in engine/probe/served/verdict.ts.
import { clauseById } from '../../catalog/clauses/clauses.ts';
import type { Operation } from '../../catalog/operation.ts';
import { isAbsent } from '../../engine/compare/controls.ts';
import { type Exchange, isSuccess, statusOf, text } from '../../engine/http/exchange.ts';
import { inconclusive, type Judgement, pass, violation, warning } from '../../engine/judgement.ts';
import type { Rule } from '../../engine/probe/check.ts';
import type { Context } from '../../engine/probe/context.ts';

const nothing = { served: undefined, unserved: undefined };

export const routed: Rule = {
  name: 'routed',
  title: 'is served',
  clause: (operation) => clauseById(operation.clause),
  async judge(operation, context) {
    const { routed, ask, flows } = context;
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
    if (found.served === undefined) {
      const habitual =
        found.reason === 'unknown-resource' && (await unlikeOthers(operation, answer, context, expected));
      return habitual || inconclusive(found.reason, found.why, answer);
    }
    if (found.warn !== undefined) return warning(expected, `${found.why}; ${found.warn}`, answer);
    const actual = found.kind === 'unrouted' ? 'just the answer that paths that do not exist get' : found.why;
    return { ...violation(expected, actual, answer), cause: `routed: ${found.kind}` };
  },
};

/** So many operations that do not find what is named, for each that is answered as no route is, are a habit of the host. */
const share = 5;
/** So many of them show that the host has a second 404. */
const fewest = 2;

/**
 * How frameworks and their users word that a path leads nowhere. Not `Cannot GET /`: a handler that passes a call on has that
 * said of a thing that it does not know.
 */
const saysNoRoute =
  /\b(?:no|unknown|unmatched) (?:such )?(?:route|handler|endpoint|url)\b|\b(?:route|endpoint|url) (?:was |is )?(?:not found|unknown)\b|\bno static resource\b/i;
const longestWording = 2_000;

/**
 * A 404 that is the answer to paths without a route, where nearly all others say what they did not find; or one that says
 * itself that there is no route, where some others do not.
 */
async function unlikeOthers(
  operation: Operation,
  answer: Exchange,
  { notFounds }: Context,
  expected: string,
): Promise<Judgement | undefined> {
  if (operation.host !== 'base' || statusOf(answer) !== 404) return undefined;
  const { unlike, alike } = await notFounds(operation.host);
  const isSaid = answer.response && saysNoRoute.test(text(answer.response).slice(0, longestWording));
  if (unlike < (isSaid ? fewest : share * Math.max(alike, 1))) return undefined;
  const others = `${unlike} other calls have a 404 of their own for what they do not know`;
  const actual = isSaid
    ? `404, as paths that do not exist; it says itself that there is no route, and ${others}`
    : `404, as paths that do not exist; ${others}`;
  return {
    ...violation(expected, actual, answer),
    onlyWarns: true,
    cause: 'routed: unrouted',
    // The others' answers are known from their own calls.
    seenIn: ['#routed'],
  };
}
