// Decides the verdict and the exit code of a comparison of two runs, and writes it as data (`assay.diff/1`).

import { askedDifferently, isJudgedOtherwise } from '../../engine/run/asked.ts';
import { failsFor, type Gate, type Gated, gatedStored, gates } from '../../engine/run/baseline.ts';
import { type Changes, type CheckChange, compareRuns } from '../../engine/run/compare-runs.ts';
import type { Result, RunResult } from '../../engine/run/result.ts';
import { counted, whole } from '../../engine/values/text.ts';

export interface DiffView {
  readonly before: RunResult;
  readonly after: RunResult;
  readonly changes: Changes;
  /** The changes that fail the comparison, as they would fail a run with that baseline. */
  readonly gated: Gated;
  readonly failOn: readonly Gate[];
}

/** Two stored runs, compared. */
export const diffViewOf = (
  before: RunResult,
  after: RunResult,
  failOn: readonly Gate[] = gates,
): DiffView => ({
  before,
  after,
  changes: compareRuns(before, after),
  gated: gatedStored(before, after, failOn),
  failOn,
});

const isWorse = ({ changes: { shortfalls }, gated, failOn }: DiffView) =>
  (failOn.includes('worse') && gated.worse.length > 0) || shortfalls.length > 0;

/** 1 where a check got worse, changed, is no longer judged, or fails and was not judged before. */
export const exitCodeOf = (view: DiffView): 0 | 1 =>
  isWorse(view) || failsFor(view.gated, view.failOn) ? 1 : 0;

/** The word for a new failure: no regression of the server where only another profile or version may show it. */
export const newFailure = (before: RunResult, after: RunResult): string =>
  isJudgedOtherwise(before, after) ? 'new failure' : 'regression';

/** `3 failing, not judged in A`. */
export function failingUnjudgedBefore(kinds: Changes['kinds']): string {
  return `${whole(kinds['unjudged-before'].length)} failing, not judged in A`;
}

/** `12 behaviours changed in 3 ways`: one change may show at many operations. */
export function behavioursChanged(behaviours: Changes['behaviours']): string {
  const points = behaviours.reduce((sum, { points }) => sum + points.length, 0);
  const ways = behaviours.length === points ? '' : ` in ${counted(behaviours.length, 'way')}`;
  return `${counted(points, 'behaviour')} changed${ways}`;
}

/** Checks that are no longer judged; those not applicable count only where that fails the comparison. */
export const lostOf = ({ changes, gated }: Pick<DiffView, 'changes' | 'gated'>): Result[] =>
  changes.kinds.lost
    .map(({ after }) => after)
    .filter(({ id, outcome }) => outcome !== 'not-applicable' || gated.since.has(id));

/** `4 warnings gone`. */
export function warningsGone(kinds: Changes['kinds']): string {
  return `${counted(kinds['no-longer-warned'].length, 'warning')} gone`;
}

/** One line: is it worse, and how much of what changed. */
export function verdictLine(view: DiffView): string {
  const { before, after, changes, gated, failOn } = view;
  const { kinds, shortfalls, behaviours } = changes;
  const parts: [count: number, text: string][] = [
    [kinds.worse.length, counted(kinds.worse.length, newFailure(before, after))],
    [shortfalls.length, `too little judged on ${shortfalls.map(({ host }) => host).join(', ')}`],
    [kinds['unjudged-before'].length, failingUnjudgedBefore(kinds)],
    [lostOf(view).length, `${whole(lostOf(view).length)} no longer judged`],
    [kinds['newly-warned'].length, counted(kinds['newly-warned'].length, 'new warning')],
    [behaviours.length, behavioursChanged(behaviours)],
    [kinds['no-longer-warned'].length, warningsGone(kinds)],
    [kinds.repaired.length, `${whole(kinds.repaired.length)} repaired`],
  ];
  const phrases = parts.flatMap(([count, text]) => (count > 0 ? [text] : []));
  if (isWorse(view)) return `Worse: ${phrases.join(' · ')}`;
  if (failOn.includes('worse') && gated.unjudgedBefore.length > 0)
    return `Not shown to be old: ${phrases.join(' · ')}`;
  if (exitCodeOf(view) === 1) return `Not the same: ${phrases.join(' · ')}`;
  if (phrases.length > 0) return `Not worse: ${phrases.join(' · ')}`;
  return changes.gone.length + changes.added.length + changes.notAsked === 0
    ? 'Nothing changed.'
    : 'Nothing changed in what both runs asked.';
}

/** JSON text: checks by how they changed, without those that did not. */
export function diffJson(view: DiffView): string {
  const { before, after, changes, gated } = view;
  const { kinds, shortfalls, behaviours, gone, added, notAsked, strictnessDiffers } = changes;
  const ids = (list: readonly CheckChange[]) => list.map(({ after }) => after.id);
  const value = {
    schema: 'assay.diff/1',
    verdict: verdictLine(view),
    exitCode: exitCodeOf(view),
    fails: Object.fromEntries([...gated.since].map(([id, { gate }]) => [id, gate])),
    unsteady: [...varying(before), ...varying(after)],
    before: about(before),
    after: about(after),
    askedDifferently: askedDifferently(before, after),
    strictnessDiffers,
    regressions: kinds.worse.map(inFull),
    unjudgedBefore: kinds['unjudged-before'].map(inFull),
    shortfalls,
    noLongerJudged: kinds.lost.map(inFull),
    newlyWarned: kinds['newly-warned'].map(inFull),
    behaviours,
    warningsGone: ids(kinds['no-longer-warned']),
    repaired: ids(kinds.repaired),
    stillFailing: ids(kinds['still-failing']),
    waived: ids(kinds.waived),
    newlyJudged: ids(kinds['newly-judged']),
    otherwise: kinds.otherwise.filter(({ before }) => before).map(inFull),
    gone: gone.map(({ id }) => id),
    added: added.map(({ id }) => id),
    notAsked,
  };
  return `${JSON.stringify(value, null, 1)}\n`;
}

const varying = ({ baseline }: RunResult) => baseline?.unsteady ?? [];

const about = ({ target, startedAt, runId, ended }: RunResult) => ({ target, startedAt, runId, ended });

function inFull({ before, after }: CheckChange) {
  const { id, title, operation, clause, level, outcome, reason, expected, actual, detail, rerun } = after;
  return {
    id,
    title,
    operation,
    clause,
    level,
    was: before?.outcome ?? null,
    outcome,
    reason,
    expected,
    actual,
    detail,
    rerun,
  };
}
