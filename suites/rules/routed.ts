// Checks that the operation is served, by comparison with unrouted controls: see engine/probe/served/routed-table.ts.
import { catalog } from '../../catalog/catalog.ts';
import { clauseById } from '../../catalog/clauses/clauses.ts';
import type { Operation } from '../../catalog/operation.ts';
import { isAbsent } from '../../engine/compare/controls.ts';
import { type Exchange, isSuccess, statusOf, text } from '../../engine/http/exchange.ts';
import { inconclusive, pass, violation, warning } from '../../engine/judgement.ts';
import type { Rule } from '../../engine/probe/check.ts';
import type { Context } from '../../engine/probe/context.ts';
import { otherMethod } from './other-method.ts';

const nothing = { served: undefined, unserved: undefined, looksUnserved: undefined };

export const routed: Rule = {
  name: 'routed',
  title: 'is served',
  clause: (operation) => clauseById(operation.clause),
  async judge(operation, context) {
    const { routed, ask, flows } = context;
    const found = await routed(operation);
    const answer = await ask(operation);
    const expected = 'an answer unlike that of paths that do not exist';
    // Flows name existing resources: if their call gets that 404 too, neither an unknown id nor OPTIONS excuses it.
    const isDoubtful = found.served === undefined ? found.reason === 'unknown-resource' : found.served;
    const { served, unserved, looksUnserved } =
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
    if (found.served === undefined && looksUnserved !== undefined)
      return {
        ...violation(
          expected,
          'just that answer, also to a read of what an earlier step made',
          looksUnserved.exchange,
        ),
        onlyWarns: true,
        cause: 'routed: unrouted',
        seenIn: looksUnserved.steps,
      };
    if (found.served === undefined) {
      const actual =
        found.reason === 'unknown-resource'
          ? ((await unlikeOthers(operation, answer, context)) ??
            (await unlikeInMethod(operation, answer, context)))
          : undefined;
      if (actual === undefined) return inconclusive(found.reason, found.why, answer);
      return {
        ...violation(expected, actual, answer),
        onlyWarns: true,
        cause: 'routed: unrouted',
        // These checks make the calls that show the others' answers.
        seenIn: ['#routed'],
      };
    }
    if (found.warn !== undefined) return warning(expected, `${found.why}; ${found.warn}`, answer);
    const actual = found.kind === 'unrouted' ? 'just the answer that paths that do not exist get' : found.why;
    return { ...violation(expected, actual, answer), cause: `routed: ${found.kind}` };
  },
};

/** Operations with a 404 of their own, for each with the 404 of unrouted paths, that make it a habit of the host. */
const share = 5;
/** Operations with a 404 of their own that show that the host has a second 404. */
const fewest = 2;

/**
 * Matches texts which say that a path has no route. Not `Cannot GET /`: a framework also says that where a handler does
 * not know a resource and passes the call on.
 */
const saysNoRoute =
  /\b(?:no|unknown|unmatched) (?:such )?(?:route|handler|endpoint|url)\b|\b(?:route|endpoint|url) (?:was |is )?(?:not found|unknown)\b|\bno static resource\b/i;
const longestWording = 2_000;

/**
 * What is found, in words, of a 404 that equals that of paths without a route, where nearly all others have one of their
 * own; or of a 404 which says that there is no route, where some others have one of their own.
 */
async function unlikeOthers(
  operation: Operation,
  answer: Exchange,
  { notFounds }: Context,
): Promise<string | undefined> {
  if (operation.host !== 'base' || statusOf(answer) !== 404) return undefined;
  const { unlike, alike } = await notFounds(operation.host);
  const isSaid = answer.response && saysNoRoute.test(text(answer.response).slice(0, longestWording));
  if (unlike < (isSaid ? fewest : share * Math.max(alike, 1))) return undefined;
  const others = `${unlike} other calls have a 404 of their own for what they do not know`;
  return isSaid
    ? `404, as paths that do not exist; it says itself that there is no route, and ${others}`
    : `404, as paths that do not exist; ${others}`;
}

/** Writes whose paths answer GET with 405 that make it a habit of the host, without an exception; and how many are asked. */
const [fewestPaths, mostPaths] = [8, 12];

/**
 * What is found, in words, of a write that GET does not find either, where the paths of all other writes answer GET with
 * 405: their router looks at the method once the path fits, and before any handler looks for a resource.
 */
async function unlikeInMethod(
  operation: Operation,
  answer: Exchange,
  context: Context,
): Promise<string | undefined> {
  if (!isAskedByGet(operation) || statusOf(answer) !== 404) return undefined;
  if (statusOf(await context.ask(operation, otherMethod(operation))) !== 404) return undefined;
  const others = catalog
    .filter((each) => each !== operation && each.ends === undefined && isAskedByGet(each))
    .toSorted((a, b) => Number(b.area === operation.area) - Number(a.area === operation.area));
  let paths = 0;
  for (const each of others) {
    if (paths === mostPaths) break;
    if ((await context.routed(each)).served !== true) continue;
    if (statusOf(await context.ask(each, otherMethod(each))) !== 405) return undefined;
    paths += 1;
  }
  return paths < fewestPaths
    ? undefined
    : `404, as paths that do not exist, to GET too; the paths of ${paths} other writes answer GET with 405`;
}

/** Whether it is a write of the main API whose path is asked by GET as another method; `#other-method` shares the call. */
const isAskedByGet = (operation: Operation): boolean =>
  operation.host === 'base' && otherMethod(operation).method === 'GET';
