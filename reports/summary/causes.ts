// Folds failures into findings, the heaviest first, and finds where things are documented.
import { readFileSync } from 'node:fs';
import { noticeOfChange } from '../../catalog/behaviours.ts';
import { catalog } from '../../catalog/catalog.ts';
import type { Level } from '../../catalog/clauses/clause.ts';
import { knownClause } from '../../catalog/clauses/clauses.ts';
import type { RecordedExchange } from '../../engine/http/exchange.ts';
import type { Outcome } from '../../engine/judgement.ts';
import { shapeChanges } from '../../engine/run/compare-runs.ts';
import { pinnedCause } from '../../engine/run/pins.ts';
import { isStep, operationsOf, type Result, type RunResult, ruleOf } from '../../engine/run/result.ts';
import { quotedWord } from '../../engine/values/shell.ts';
import { isServerFault } from '../../engine/values/status.ts';
import { counted, cut } from '../../engine/values/text.ts';
import { typed } from '../../engine/values/typed-command.ts';

/** One finding: the results that share it, in plan order, and the first of them as its example. */
export interface Cause {
  readonly example: Result;
  readonly results: readonly Result[];
  /** Ids of the operations concerned, each once. */
  readonly operations: readonly string[];
  /** Operations concerned × how much the level counts. */
  readonly weight: number;
  /** The checks met a server error: it is the finding, and not what one of the checks is titled. */
  readonly isServerError: boolean;
}

/** What the document states outweighs what is only good sense. */
const counts: Readonly<Record<Level, number>> = {
  documented: 4,
  profile: 4,
  standard: 2,
  inferred: 1,
  open: 1,
};

/** Failures that neither a waiver nor the baseline excuses. */
export const unexcused = (checks: readonly Result[]): readonly Result[] =>
  checks.filter(({ waived, known }) => waived === undefined && known === undefined);

/**
 * Groups the results of one outcome by cause: what shows data of another player first, then server errors, then what
 * the document or the profile states; equal weights stay in plan order. A broken rule goes before behaviours that the
 * profile expected otherwise: it is often why they changed. Of the rest, what players notice (a step, an attack) goes
 * before how answers are written: no weight compares a queue that matches nobody with a Date header that many calls
 * lack.
 */
export function causes(results: readonly Result[], outcome: Outcome = 'fail'): Cause[] {
  const groups = Map.groupBy(
    results.filter((result) => result.outcome === outcome),
    foldKey,
  );
  const showsOthers = ({ results }: Cause) => Number(results.some(({ othersData }) => othersData));
  // The level of a warning decides nothing: what the document states only warns where it is not shown for certain.
  const isStated = ({ results }: Cause) =>
    outcome === 'fail' && results.some(({ level }) => level === 'documented' || level === 'profile');
  const rank = (cause: Cause) => {
    if (cause.isServerError) return 3;
    if (isStated(cause)) return 2;
    return Number(isStep(cause.example.id));
  };
  const isPinned = ({ example }: Cause) => Number(example.cause?.startsWith(pinnedCause) ?? false);
  return Array.from(groups.values(), toCause).sort(
    (a, b) =>
      showsOthers(b) - showsOthers(a) ||
      isPinned(a) - isPinned(b) ||
      rank(b) - rank(a) ||
      b.weight - a.weight,
  );
}

/** Clauses about an operation that affects all other calls: the finding belongs to that operation. */
const culprits: ReadonlyMap<string, string> = new Map([['auth.logout', 'me.logout']]);

/** Equal for results that reports show as one cause. Results do not store it, so that old ones fold in the same way. */
function foldKey(result: Result): string {
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
function meetsServerError({ id, clause, attack, exchange }: Result): boolean {
  if (attack || !isServerFault(exchange?.response?.status ?? exchange?.error?.partial?.status ?? 0))
    return false;
  return withoutServerError.has(clause) || isStep(id);
}

/** How many results the causes hold. */
export const resultsIn = (found: readonly Cause[]): number =>
  found.reduce((sum, { results }) => sum + results.length, 0);

const mostFurther = 3;

/**
 * What further checks of a cause saw, one line for each rule that the example is not of: the example's words do not
 * describe them. Only the first check of each rule is shown.
 */
export function furtherLines({ example, results }: Cause): readonly string[] {
  const others = results.filter(({ title }) => title !== example.title);
  const byTitle = Map.groupBy(others, ({ title }) => title);
  const further = Array.from(byTitle.values(), ([first]) => first as Result);
  const more = further.length - mostFurther;
  return [
    ...further
      .slice(0, mostFurther)
      .map(({ id, title, actual, detail = '' }) => `${id} (${title}): ${actual ?? detail}`),
    ...(more > 0 ? [`and ${more} more`] : []),
  ];
}

/** What was expected of a check that fails or warns, and what was found instead. */
export function foundText({ expected = 'otherwise', actual, detail = '' }: Result): string {
  return `expected ${expected}; actual ${actual ?? detail}`;
}

/** `party.create#routed` is of the area party, `login/logout` of the flow login. */
export function suiteOf(id: string): string {
  return id.split(/[.#/]/, 1)[0] || id;
}

function toCause(results: readonly Result[]): Cause {
  const first = results[0] as Result;
  const operations = [...new Set(results.flatMap(operationsOf))];
  const most = Math.max(...results.map(({ level }) => counts[level]));
  const weight = Math.max(operations.length, 1) * most;
  const isServerError = meetsServerError(first);
  // The group is shown with the clause of its example. The clause of a step is about something else.
  const heaviest = results.filter(({ level }) => counts[level] === most);
  const clearest = heaviest.find(({ id }) => !isStep(id)) ?? heaviest[0];
  const culprit = culprits.get(first.clause);
  const own = results.find(({ id }) => culprit !== undefined && id.startsWith(`${culprit}#`));
  const example = isServerError && clearest ? clearest : (own ?? first);
  return { example, results, operations, weight, isServerError };
}

// Where things are documented: an operation's place in the interface document, a clause's text, Assay's version.

interface SourceLocation {
  /** Relative to the root of Assay, with `/`. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

export type PlaceOf = (check: Pick<Result, 'operation'>) => SourceLocation;

const document = 'catalog/interface.md';

/** A result of another version may hold an operation that this version's document does not have. */
const anywhere: SourceLocation = { file: document, line: 1 };

/** A call in a table of calls, a file in the table of files, or the one file that stands below it. */
const documentedCall =
  /^\| (?:GET|POST|PUT|DELETE) \| \S+ \|$|^\| (?:\S+\.json|News\/\{newsUrl\}).* \|$|^One further file .*: GET /;

/** Reads the interface document, whose order the catalog keeps; a check is filed under the first of its operations. */
export function catalogPlaces(): PlaceOf {
  const lines = readFileSync(new URL(`../../${document}`, import.meta.url), 'utf8').split('\n');
  const numbers = lines.flatMap((line, index) => (documentedCall.test(line) ? [index + 1] : []));
  const places = new Map(catalog.map(({ id }, nth) => [id, { file: document, line: numbers[nth] ?? 1 }]));
  return (check) => places.get(operationsOf(check)[0] ?? '') ?? anywhere;
}

/** A clause's text and its reason. A clause of another version, unknown here, is shown by its id. */
export function clauseText(id: string): { readonly says: string; readonly why: string } {
  return knownClause(id) ?? { says: id, why: 'this version of Assay does not know the clause' };
}

/** The rule that a cause breaks, and why it exists. A step that met a server error did not judge its own clause. */
export function claimOf({ example, isServerError }: Cause): ReturnType<typeof clauseText> {
  const claim = clauseText(example.clause);
  if (!isServerError || !isStep(example.id)) return claim;
  const { why } = clauseText('sense.answers');
  return { says: `No call of the step is answered with a server error; it judges this: ${claim.says}`, why };
}

const mostPlaces = 3;

/** How a check differs from the baseline: what people notice of it, or the places where two shapes differ. */
export function changeText({ gate, before }: NonNullable<Result['since']>, check: Result): string {
  const { id, title, outcome, reason, detail, behaviour = outcome } = check;
  switch (gate) {
    case 'changed': {
      const places = ruleOf(id) === 'shape' ? shapeChanges(before, behaviour) : [];
      if (places.length === 0) return noticeOfChange(id, title, before, behaviour);
      const named = places.slice(0, mostPlaces).map(({ at, before: was, after: is }) => {
        return `${at === '' ? 'the answer' : at} was ${was} in the baseline, now ${is}`;
      });
      const more = places.length - named.length;
      return [...named, ...(more > 0 ? [`and ${more} more places`] : [])].join('; ');
    }
    case 'unjudged':
      return `judged in the baseline (${before}), now ${reason ?? outcome}: ${detail ?? ''}`;
    case 'worse':
      return `no longer so: ${foundText(check)}`;
  }
}

const longestExchange = 300;

/** Both exchanges of a change, one line each: the one of the baseline, and the one of this run. */
export function exchangesOf({ since, exchange }: Result): readonly (readonly [when: string, text: string])[] {
  if (since?.gate !== 'changed') return [];
  const of = (when: string, { request, response, error }: RecordedExchange) => {
    const answer = response ? `${response.status} ${response.body ?? ''}` : `no answer: ${error?.kind}`;
    const text = `${request.method} ${request.url} → ${answer}`.replace(/\s+/g, ' ').trim();
    return [when, cut(text, longestExchange)] as const;
  };
  return [
    ...(since.exchange ? [of('before', since.exchange)] : []),
    ...(exchange ? [of('now', exchange)] : []),
  ];
}

/** The rule's title; `and 2 more rules` where one cause broke several. For server errors, how many calls met one. */
export function titleOf(cause: Cause): string {
  const { title } = cause.example;
  if (cause.isServerError) return `the server answers ${counted(callsOf(cause), 'call')} with a server error`;
  const more = rulesOf(cause) - 1;
  return more === 0 ? title : `${title}, and ${counted(more, 'more rule')}`;
}

/** How many calls the results show: one answer may be the finding of several checks. */
const callsOf = ({ results }: Cause): number =>
  new Set(
    results.map(
      ({ exchange }) => `${exchange?.startedAt} ${exchange?.request.method} ${exchange?.request.url}`,
    ),
  ).size;

/** What the checks of a cause saw, in the example's words; for server errors, which rules and steps met how many. */
export function seenText({ example, results, isServerError }: Cause): string {
  const { actual, detail = '' } = example;
  if (!isServerError || results.length === 1) return actual ?? detail;
  const statuses = new Set(results.map(({ exchange }) => `${exchange?.response?.status}`));
  const groups = Map.groupBy(results, ({ id }) => (isStep(id) ? 'steps of flows' : `#${ruleOf(id)}`));
  const met = [...groups]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([rule, { length }]) => `${length} ${rule}`);
  return `${[...statuses].sort().join(', ')} (${met.join(', ')})`;
}

/** What the curl of a step leaves out; empty where its call needs none before it. */
export function earlierCallsText({ sequence = [] }: Result): string {
  if (sequence.length < 2) return '';
  return `${counted(sequence.length - 1, 'call')} of the flow, drawn in report.html; curl makes the last one alone, rerun makes them all`;
}

/** Where the session in the curls comes from; empty where none of them has one. */
export function sessionText(found: readonly Cause[], { profile }: RunResult['options']): string {
  if (!found.some(({ example }) => example.curl?.includes('$ASSAY_'))) return '';
  const setting = profile === undefined ? '' : `PROFILE=${quotedWord(profile.file)} `;
  return `$ASSAY_SESSION of a curl: eval "$(${setting}${typed('session', 'quietly')})" sets it, with the same URLs`;
}

/** How many rules the cause broke. */
export const rulesOf = ({ results }: Cause): number => new Set(results.map(({ title }) => title)).size;

/** `party/create warns: expected a party, got 500`. */
export function prerequisiteText(found: NonNullable<Result['prerequisite']>): string {
  const { step, outcome, expected, actual, reason, detail } = found;
  if (expected === undefined) return `${step} is ${outcome}: ${reason}, ${detail}`;
  return `${step}${outcome === 'inconclusive' ? '' : ` (${outcome})`}: expected ${expected}, got ${actual}`;
}
