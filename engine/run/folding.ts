// Decides which failures are one cause: by the `cause` of a result, unless a server error or a call that reaches all others
// outweighs it.
import type { Check } from '../probe/check.ts';
import { isServerFault } from '../values/status.ts';
import { isStep, type Result } from './result.ts';

/** Values that a server makes up, as ETags and ids are, in quotes; a list of them, however long, is one. */
const opaqueValue = String.raw`(?:W/)?"(?=[^"\s]*\d)[^"\s]{6,}"`;
const opaque = new RegExp(`${opaqueValue}(?:(?:, | and )${opaqueValue})*`, 'g');

/** The `cause` of a violation that names none itself: equal for those that differ only in the operation they were found on. */
export function causeOf({ id, rule, clause, operations }: Check, expected: string, actual: string): string {
  // One missing effect fails several steps, each with its own words; a server error is another finding.
  if (isStep(id)) {
    const kind = /^5\d\d\b/.test(actual) ? ' | server error' : '';
    return `${clause.id} | ${operations.map((each) => each.id).join(' ')}${kind}`;
  }
  const neutral = (text: string) =>
    operations
      .reduce((replaced, { id }) => replaced.replaceAll(id, '‹operation›'), text)
      .replace(opaque, '‹value›')
      .replace(/https?:\/\/\S+|\/\S*/g, '‹path›')
      .replace(/\d{4,}/g, '‹n›');
  return `${rule} | ${clause.id} | ${neutral(expected)} | ${neutral(actual)}`;
}

/** Clauses about what one call does to all others: wherever it shows, the finding is that call's. */
export const culprits: ReadonlyMap<string, string> = new Map([['auth.logout', 'me.logout']]);

/** Equal for the results that reports show as one cause. No result stores it, so that those of earlier versions fold alike. */
export function foldKey(result: Result): string {
  const { cause, clause, expected, actual, detail } = result;
  if (meetsServerError(result)) return 'server errors';
  if (culprits.has(clause)) return clause;
  return cause ?? JSON.stringify([clause, expected, actual, detail]);
}

/** Clauses that a server error breaks by itself. */
const withoutServerError: ReadonlySet<string> = new Set([
  'sense.no-server-error',
  'sense.answers',
  'sense.language',
  'sense.concurrent',
  'sense.reliable',
  'sense.stable-shape',
  'endpoints.default-form',
  'profile.accepts',
]);

/**
 * Whether a server error is what a check found. A step of a flow that meets one has found no more than that, whatever its
 * clause. An attack is judged by what is read afterwards.
 */
export function meetsServerError({ id, clause, attack, exchange }: Result): boolean {
  if (attack || !isServerFault(exchange?.response?.status ?? exchange?.error?.partial?.status ?? 0))
    return false;
  return withoutServerError.has(clause) || isStep(id);
}
