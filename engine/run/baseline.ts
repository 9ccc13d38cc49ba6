// Decides what fails a run with a baseline, and what fails `diff`. Pure.
import { alreadyUsed } from '../flow/used-up.ts';
import type { RecordedExchange } from '../http/exchange.ts';
import { judged } from '../judgement.ts';
import { ownMember } from '../values/members.ts';
import {
  behavioursOf,
  type CheckChange,
  type Comparable,
  compareRuns,
  isOtherBehaviour,
  type Shortfall,
} from './compare-runs.ts';
import { pinOf } from './pins.ts';
import { type BaselineAccount, isStep, type Result, type RunResult } from './result.ts';

/** The kinds of differences that `--fail-on` names. */
export const gates = ['worse', 'changed', 'unjudged'] as const;
export type Gate = (typeof gates)[number];

/** How a check differs from the baseline. */
export interface Difference {
  readonly gate: Gate;
  /** The outcome in the baseline, or the behaviour where that changed. */
  readonly before: string;
  /** The exchange that showed it in the baseline. */
  readonly exchange?: RecordedExchange;
}

/** Reasons that come from the settings or limits of a run, and show no change of the target. */
const ownReasons: ReadonlySet<string> = new Set([
  'rate-limited',
  'budget',
  'interrupted',
  'needs-players',
  'read-only',
  'left-out',
  'host-not-given',
  'attack-off',
  'not-exercised',
]);

/**
 * By check id, the differences whose outcome is not a failure: a new warning that is not waived (`worse`), a behaviour
 * with another value (`changed`; a shape that only has more fields does not count), and a documented check or a step
 * that can no longer be judged (`unjudged`). Checks that are only in one of the runs are left out.
 */
export function runDifferences(before: Comparable, after: Comparable): Map<string, Difference> {
  const found = new Map<string, Difference>();
  const { kinds } = compareRuns(before, after);
  const note = (changes: readonly CheckChange[], gate: Gate) => {
    for (const { before: was, after: is } of changes)
      if (was !== undefined) found.set(is.id, { gate, before: was.outcome });
  };
  note(
    kinds['newly-warned'].filter(({ after }) => after.waived === undefined),
    'worse',
  );
  note([...kinds.lost, ...kinds.otherwise].filter(isUnjudged), 'unjudged');
  const [earlier, later] = [behavioursOf(before.checks, before), behavioursOf(after.checks, after)];
  for (const [point, was] of Object.entries(earlier)) {
    const is = ownMember(later, point);
    if (
      is !== undefined &&
      isOtherBehaviour(point, was, is) &&
      !isPartOfRepair(point, kinds.repaired, after.checks)
    )
      found.set(point, { gate: 'changed', before: was });
  }
  return found;
}

/**
 * Whether a step of the same flow that is about the same operations failed before and no longer does: what the target
 * does otherwise is then how it was mended.
 */
function isPartOfRepair(point: string, repaired: readonly CheckChange[], checks: readonly Result[]): boolean {
  const concerned = isStep(point) ? checks.find(({ id }) => id === point) : undefined;
  if (concerned === undefined) return false;
  const flowOf = (id: string) => id.split('/')[0];
  const of = ({ operation }: Result) => [operation].flat();
  return repaired.some(
    ({ after }) =>
      isStep(after.id) &&
      flowOf(after.id) === flowOf(point) &&
      of(concerned).every((id) => of(after).includes(id)),
  );
}

/**
 * Whether a check was conclusive and no longer is: a check of level documented or profile, or a step of a flow. A step
 * that passed may now only observe, or find nothing to judge, because the target no longer shows what it judged. A rule
 * on a file may find nothing to judge because its ETag, its ranges or its HEAD are gone.
 */
function isUnjudged({ before, after }: CheckChange): boolean {
  const { id, host, level, outcome, reason = '', value, attack } = after;
  const wasConclusive = before !== undefined && (judged.has(before.outcome) || before.outcome === 'observed');
  if (!wasConclusive || ownReasons.has(reason)) return false;
  const isPlayed = isStep(id);
  if (outcome === 'inconclusive') return level === 'documented' || level === 'profile' || isPlayed;
  if (before.outcome !== 'pass') return false;
  if (outcome === 'observed') return isPlayed && value !== alreadyUsed;
  if (reason !== 'not-triggered') return false;
  // Whether an attack finds something to judge depends on chance and time.
  return isPlayed ? !attack : level === 'standard' && host === 'cdn';
}

/**
 * The differences that were the same in every sample. A new warning that a sample could not judge stays a difference:
 * nothing shows that it has gone.
 * @param samples repeats, after the run, of the checks that differ; without any, no difference is kept
 */
export function steadyDifferences(
  before: Comparable,
  after: Comparable,
  samples: readonly Comparable[],
): Map<string, Difference> {
  if (samples.length === 0) return new Map();
  const repeats = samples.map((sample) => ({
    sinceBaseline: runDifferences(before, sample),
    sinceRun: runDifferences(after, sample),
    open: new Set(sample.checks.flatMap(({ id, outcome }) => (outcome === 'inconclusive' ? [id] : []))),
  }));
  const isSteady = ([id, { gate }]: readonly [string, Difference]) =>
    repeats.every(
      ({ sinceBaseline, sinceRun, open }) =>
        (gate === 'worse' && open.has(id)) || (sinceBaseline.get(id)?.gate === gate && !sinceRun.has(id)),
    );
  return new Map([...runDifferences(before, after)].filter(isSteady));
}

/** The outcome of the comparison with an earlier run. */
export interface Gated {
  /** Ids of the checks that got worse: they fail, are gone, or warn, and did not before. */
  readonly worse: readonly string[];
  /** Ids of the checks that fail, and that the earlier run did not judge because it was cut off. */
  readonly unjudgedBefore: readonly string[];
  /** By check id, differences that fail the run although the outcome is not `fail`; `worse` has new warnings too. */
  readonly since: ReadonlyMap<string, Difference>;
  /** Ids of the checks that differed, but not in every sample. */
  readonly unsteady: readonly string[];
  /** Ids of the open points that changed to what the profile expects. */
  readonly accepted: readonly string[];
}

/**
 * Compares a run with an earlier one, alike for `--baseline` and for `diff`.
 * @param steady the differences that count; all others are listed as unsteady
 */
export function gated(
  before: Comparable,
  after: Comparable,
  {
    failOn = gates,
    steady,
    pinned = () => false,
  }: {
    readonly failOn?: readonly Gate[] | undefined;
    readonly steady: ReadonlyMap<string, Difference>;
    /** Whether the profile states the behaviour of an open point; then the earlier run does not decide. */
    readonly pinned?: (id: string) => boolean;
  },
): Gated {
  const { kinds } = compareRuns(before, after);
  const named = ([id, { gate }]: readonly [string, Difference]) =>
    failOn.includes(gate) && !(gate === 'changed' && pinned(id));
  const since = new Map([...steady].filter(named));
  const ids = (changes: readonly CheckChange[]) => changes.map(({ after }) => after.id);
  const warned = [...since].flatMap(([id, { gate }]) => (gate === 'worse' ? [id] : []));
  return {
    worse: [...ids(kinds.worse), ...warned],
    unjudgedBefore: ids(kinds['unjudged-before']),
    since,
    accepted: [...steady].flatMap(([id, { gate }]) => (gate === 'changed' && pinned(id) ? [id] : [])),
    unsteady: [...runDifferences(before, after)]
      .filter(named)
      .flatMap(([id]) => (steady.has(id) ? [] : [id])),
  };
}

/** A stored run, with the checks that varied when it was itself compared with a baseline. */
type Stored = Comparable & {
  readonly baseline?: Pick<BaselineAccount, 'unsteady' | 'accepted'> | undefined;
};

/**
 * Compares two stored runs, of which nothing can be repeated: checks that varied by themselves in either run do not
 * count, and nothing counts if the later run was cut off.
 */
export function gatedStored(before: Stored, after: Stored, failOn?: readonly Gate[]): Gated {
  const varies = new Set([...(before.baseline?.unsteady ?? []), ...(after.baseline?.unsteady ?? [])]);
  const steady = new Map(
    [...runDifferences(before, after)].filter(([id]) => after.ended === 'complete' && !varies.has(id)),
  );
  const accepted = new Set(after.baseline?.accepted);
  return gated(before, after, { failOn, steady, pinned: (id) => accepted.has(id) });
}

/** Whether the outcome fails a run, or a `diff`. */
export const failsFor = ({ worse, unjudgedBefore, since }: Gated, failOn: readonly Gate[] = gates): boolean =>
  since.size > 0 || (failOn.includes('worse') && worse.length + unjudgedBefore.length > 0);

/** A run that was compared with a baseline. */
export interface BaselineComparison {
  /** The checks of the run; failures that the baseline has too are marked as known. */
  readonly checks: readonly Result[];
  readonly account: BaselineAccount;
  /** Whether a difference of a kind that `--fail-on` names was found. */
  readonly fails: boolean;
  readonly shortfalls: readonly Shortfall[];
}

export interface HoldOptions {
  /** The kinds of differences that fail the run; default: all. */
  readonly failOn?: readonly Gate[] | undefined;
  /** Repeats, after the run, of the checks that differ; without any, no difference counts. */
  readonly samples?: readonly Comparable[] | undefined;
  /** The behaviours of open points that the profile expects, by check id or glob of ids. */
  readonly expects?: Readonly<Record<string, string>> | undefined;
}

/** @returns undefined where there is no baseline */
export function compareWithBaseline(
  baseline: RunResult | undefined,
  run: Comparable,
  { failOn = gates, samples = [], expects = {} }: HoldOptions,
): BaselineComparison | undefined {
  if (baseline === undefined) return undefined;
  const { kinds, shortfalls, behaviours } = compareRuns(baseline, run);
  const steady = steadyDifferences(baseline, run, samples);
  const pinned = (id: string) => pinOf(expects, id) !== undefined;
  const found = gated(baseline, run, { failOn, steady, pinned });
  const { worse, unjudgedBefore, since, unsteady, accepted } = found;
  const lost = [...since].flatMap(([id, { gate }]) => (gate === 'unjudged' ? [id] : []));
  const notOld = new Set([...worse, ...unjudgedBefore]);
  const earlier = new Map(baseline.checks.map((check) => [check.id, check.exchange]));
  const checks = run.checks.map((check): Result => {
    const [difference, exchange] = [since.get(check.id), earlier.get(check.id)];
    if (difference !== undefined)
      return { ...check, since: { ...difference, ...(exchange && { exchange }) } };
    return check.outcome !== 'fail' || check.waived || notOld.has(check.id)
      ? check
      : { ...check, known: true };
  });
  return {
    checks,
    shortfalls,
    fails: failsFor(found, failOn),
    account: {
      startedAt: baseline.startedAt,
      runId: baseline.runId,
      ...(failOn !== gates && { failOn }),
      worse,
      ...(unjudgedBefore.length > 0 && { unjudgedBefore }),
      ...(lost.length > 0 && { noLongerJudged: lost }),
      ...(unsteady.length > 0 && { unsteady }),
      ...(accepted.length > 0 && { accepted }),
      knownFailures: checks.filter(({ known }) => known).length,
      repaired: kinds.repaired.length,
      ...(behaviours.length > 0 && { behaviours }),
    },
  };
}
