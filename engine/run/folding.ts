// Decides which failures have one cause: by the `cause` of a result, unless a server error, or a call that affects all
// others, is the cause.
import type { Check } from '../probe/check.ts';
import { isServerFault } from '../values/status.ts';
import { isStep, type Result } from './result.ts';

/** Values in quotes that a server generates, such as ETags and ids; a list of them, however long, is one value. */
const opaqueValue = String.raw`(?:W/)?"(?=[^"\s]*\d)[^"\s]{6,}"`;
const opaque = new RegExp(`${opaqueValue}(?:(?:, | and )${opaqueValue})*`, 'g');

/** The `cause` of a violation that names none itself: equal for violations that differ only in their operation. */
export function causeOf({ id, rule, clause, operations }: Check, expected: string, actual: string): string {
  // A missing effect fails several steps, each with its own text; a server error is another finding.
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

/** Clauses about an operation that affects all other calls: the finding belongs to that operation. */
export const culprits: ReadonlyMap<string, string> = new Map([['auth.logout', 'me.logout']]);

/** Equal for results that reports show as one cause. Results do not store it, so that old ones fold in the same way. */
export function foldKey(result: Result): string {
  const { cause, clause, expected, actual, detail } = result;
  if (meetsServerError(result)) return 'server errors';
  if (culprits.has(clause)) return clause;
  return cause ?? JSON.stringify([clause, expected, actual, detail]);
}

/** Clauses that any server error breaks. */
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
 * Whether the finding of a check is a server error. A step of a flow that meets one has found only that, whatever its
 * clause. Not for an attack, which is judged by what is read afterwards.
 */
export function meetsServerError({ id, clause, attack, exchange }: Result): boolean {
  if (attack || !isServerFault(exchange?.response?.status ?? exchange?.error?.partial?.status ?? 0))
    return false;
  return withoutServerError.has(clause) || isStep(id);
}
