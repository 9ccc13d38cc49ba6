// Computes a trend from all stored runs: which checks are broken or flaky, since when, and which behaviours changed.
import { type Level, levels } from '../../catalog/clauses/clause.ts';
import { judged, type Outcome, outcomes } from '../../engine/judgement.ts';
import {
  type BehaviourChange,
  behaviourChanges,
  type ChangeKind,
  kindOf,
} from '../../engine/run/compare-runs.ts';
import { reasons } from '../../engine/run/reason-codes.ts';
import type { Gathered, History, LoadRecord, RunFacts, StoredRun, Unread } from './read.ts';

interface Standing {
  readonly outcome: Outcome;
  readonly level: Level;
  /** Empty where there is none, or one that this version of Assay does not know. */
  readonly reason: string;
  /** The failure is excused for now. */
  readonly waived?: true;
}

/** The number of a check that is not among the checks of a run. */
const notAsked = 0;

const all: readonly Standing[] = ['', ...Object.keys(reasons)].flatMap((reason) =>
  levels.flatMap((level) =>
    outcomes.flatMap((outcome): Standing[] => [
      { outcome, level, reason },
      { outcome, level, reason, waived: true },
    ]),
  ),
);
const keyOf = ({ outcome, level, reason, waived }: StoredStanding) =>
  `${outcome} ${level} ${reason !== undefined && Object.hasOwn(reasons, reason) ? reason : ''} ${Boolean(waived)}`;
const numbers = new Map(all.map((standing, at) => [keyOf(standing), at + 1]));

/** A standing as a file holds it. */
interface StoredStanding {
  readonly outcome: string;
  readonly level: string;
  readonly reason?: string | undefined;
  readonly waived?: unknown;
}

/** The number of a standing, from 1 on; undefined where the outcome or the level is unknown. */
export const standingNumber = (standing: StoredStanding): number | undefined => numbers.get(keyOf(standing));

/** The standing of a number that `standingNumber` gave. */
export function standingOf(number: number): Standing {
  const standing = all[number - 1];
  if (standing === undefined) throw new RangeError(`no standing has the number ${number}`);
  return standing;
}

const isFailure = (number: number): boolean => standingOf(number).outcome === 'fail';
const isJudged = (number: number): boolean => judged.has(standingOf(number).outcome);

/** How a check changed between two runs, as `diff` reports it. */
function changeBetween(before: number, after: number, strictnessDiffers: boolean): ChangeKind {
  return kindOf(before === notAsked ? undefined : standingOf(before), standingOf(after), {
    strictnessDiffers,
  });
}

// The course of one check through all runs: when it broke, when it was fixed, whether it is broken or flaky.

/**
 * broken: its last judgement is a failure, and it is not flaky.
 * flaky: among its last 30 judgements it switched between good and failing 3 times or more, and the last 5 are not all
 * failures.
 */
type Health = 'good' | 'broken' | 'flaky';

export const flakyRule = { window: 30, changes: 3, settled: 5 } as const;

export interface Course {
  /** The check's number. */
  readonly check: number;
  readonly health: Health;
  /** How often it switched between good and failing in its last 30 judgements. */
  readonly changes: number;
  /** Places of the runs in which it broke, and was fixed. */
  readonly broke: readonly number[];
  readonly mended: readonly number[];
  /** Place of the run since which it is as it is now, and the number of runs that judged it so. */
  readonly since: number;
  readonly streak: number;
  /** Its last failure is waived. */
  readonly isWaived: boolean;
}

/**
 * The course of a check; undefined where it never failed and never went away.
 * @param runs in the order of time
 */
export function courseOf(check: number, runs: readonly StoredRun[]): Course | undefined {
  // Most checks stand the same in every run: then the first two show whether it is ever bad.
  const enough = isSteady(check, runs) ? runs.slice(0, 2) : runs;
  if (!walked(check, enough).sides.some(({ isBad }) => isBad)) return undefined;
  const walk = walked(check, runs);
  const { sides } = walk;
  const recent = sides.slice(-flakyRule.window);
  const changes = recent.filter(({ isBad }, at) => at > 0 && isBad !== recent[at - 1]?.isBad).length;
  const last = sides.at(-1) ?? { isBad: false };
  const turn = sides.findLastIndex(({ isBad }) => isBad !== last.isBad);
  const streak = sides.length - 1 - turn;
  const isSettled = last.isBad && streak >= flakyRule.settled;
  const isFlaky = changes >= flakyRule.changes && !isSettled;
  return {
    check,
    health: isFlaky ? 'flaky' : last.isBad ? 'broken' : 'good',
    changes,
    broke: walk.broke,
    mended: walk.mended,
    since: sides[turn + 1]?.run ?? 0,
    streak,
    isWaived: walk.isWaived,
  };
}

function isSteady(check: number, runs: readonly StoredRun[]): boolean {
  const [first] = runs;
  if (first === undefined) return true;
  const standing = first.standings[check];
  const { isStrict } = first.facts;
  return runs.every((run) => run.standings[check] === standing && run.facts.isStrict === isStrict);
}

function walked(check: number, runs: readonly StoredRun[]) {
  /** Places of the runs that judged it, and how. */
  const sides: { readonly run: number; readonly isBad: boolean }[] = [];
  const broke: number[] = [];
  const mended: number[] = [];
  /** How it stood when it was last judged, and whether that run was strict. */
  let judged = { standing: notAsked, isStrict: false };
  let isWaived = false;
  let wholeRunsBefore = 0;
  for (const [run, { standings, facts }] of runs.entries()) {
    const standing = standings[check] ?? notAsked;
    if (standing !== notAsked) {
      const isBad = sideOf(judged, standing, facts.isStrict);
      if (isBad !== undefined) {
        const before = sides.at(-1)?.isBad;
        const isExcused = standingOf(standing).waived === true;
        // A check that fails from the first run on is broken at an unknown time; a new check may fail at once.
        if (isBad && !isExcused && (before === false || (before === undefined && wholeRunsBefore > 0)))
          broke.push(run);
        if (!isBad && before === true) mended.push(run);
        sides.push({ run, isBad });
        isWaived = isExcused;
      }
      if (isJudged(standing)) judged = { standing, isStrict: facts.isStrict };
    }
    if (!facts.isPart) wholeRunsBefore += 1;
  }
  return { sides, broke, mended, isWaived };
}

/** True: it fails, or its operation is no longer served. Undefined: it could not be judged. */
function sideOf(
  before: { readonly standing: number; readonly isStrict: boolean },
  standing: number,
  isStrict: boolean,
): boolean | undefined {
  if (standing === before.standing && isStrict === before.isStrict) return isFailure(standing);
  const strictnessDiffers = before.standing !== notAsked && isStrict !== before.isStrict;
  const kind = changeBetween(before.standing, standing, strictnessDiffers);
  if (kind === 'worse' || kind === 'still-failing' || kind === 'waived') return true;
  return isJudged(standing) ? false : undefined;
}

export interface TrendRun extends RunFacts {
  readonly file: string;
  /** Failures that a waiver excuses. */
  readonly waived: number;
  /** Ids of the checks that broke in this run, and of those that were fixed in it. */
  readonly newlyBroken: readonly string[];
  readonly mended: readonly string[];
  /** Ids of the checks that warn, and did not when they were last judged. */
  readonly newlyWarned: readonly string[];
  /** Changes since the last earlier run that observed the same open point. */
  readonly behaviours: readonly BehaviourChange[];
}

/** Whether a run is green and only waived checks fail: a baseline makes runs green that do not conform. */
export const conforms = ({ exitCode, summary, waived }: TrendRun): boolean =>
  exitCode === 0 && summary.fail === waived;

/** A broken, flaky or mended check, and how it stood in the last runs. */
export interface UnhealthyCheck extends Omit<Course, 'check' | 'broke' | 'mended' | 'since'> {
  readonly id: string;
  /** The start of the run since which it has been as it is. */
  readonly since: string;
  /** It has been so in every run. */
  readonly isFromTheFirst: boolean;
  /** A letter for each of the last 30 runs: + passed, - failed, ? not judged, blank not asked. */
  readonly lately: string;
}

export interface Trend {
  readonly runs: readonly TrendRun[];
  /** `broken`: the longest broken first. `flaky`: those that switched most first. */
  readonly broken: readonly UnhealthyCheck[];
  readonly flaky: readonly UnhealthyCheck[];
  /** Checks that were broken within the last 30 runs, and are good now; the latest mended first. */
  readonly mended: readonly UnhealthyCheck[];
  readonly loads: readonly LoadRecord[];
  readonly unread: readonly Unread[];
  /** Files that hold a run which another file holds too. */
  readonly copies: number;
}

/** How moments of a trend are written: with seconds where two of its runs share a minute. */
export type Clock = (iso: string) => string;

export function clockOf({ runs, loads }: Pick<Trend, 'runs' | 'loads'>): Clock {
  const moments = new Set([...runs, ...loads].map(({ startedAt }) => startedAt));
  const minutes = new Set(Array.from(moments, (moment) => moment.slice(0, 16)));
  const length = minutes.size < moments.size ? 19 : 16;
  return (iso) => `${iso.slice(0, length).replace('T', ' ')} UTC`;
}

export function trendOf({ history, loads, unread }: Gathered): Trend {
  const runs = inOrder(history.runs);
  const courses = history.checks.list.flatMap((_, check) => courseOf(check, runs) ?? []);
  const idsBy = (pick: (course: Course) => readonly number[]) => {
    const ids: string[][] = runs.map(() => []);
    for (const course of courses)
      for (const run of pick(course)) ids[run]?.push(history.checks.list[course.check] ?? '');
    return ids;
  };
  const [broke, mended] = [idsBy(({ broke }) => broke), idsBy(({ mended }) => mended)];
  const warned = newlyWarnedOf(runs, history);
  const behaviours = behaviourChangesOf(runs, history);
  const unhealthyChecks = (health: Course['health']) =>
    courses.filter((course) => course.health === health).map((course) => check(course, runs, history));
  return {
    runs: runs.map((run, at) => ({
      file: run.file,
      ...run.facts,
      waived: waivedIn(run),
      newlyBroken: broke[at] ?? [],
      mended: mended[at] ?? [],
      newlyWarned: warned[at] ?? [],
      behaviours: behaviours[at] ?? [],
    })),
    broken: unhealthyChecks('broken').sort((a, b) => (a.since < b.since ? -1 : a.since > b.since ? 1 : 0)),
    flaky: unhealthyChecks('flaky').sort((a, b) => b.changes - a.changes),
    mended: unhealthyChecks('good')
      .filter(({ changes }) => changes > 0)
      .sort((a, b) => (a.since < b.since ? 1 : a.since > b.since ? -1 : 0)),
    loads: loads.toSorted((a, b) => Date.parse(a.startedAt) - Date.parse(b.startedAt)),
    unread,
    copies: history.runs.length - runs.length,
  };
}

/** Sorts runs by time; a run that two files hold is returned once. */
function inOrder(runs: readonly StoredRun[]): StoredRun[] {
  const byRun = new Map(runs.map((run) => [`${run.facts.startedAt} ${run.facts.runId}`, run]));
  return [...byRun.values()].sort((a, b) => Date.parse(a.facts.startedAt) - Date.parse(b.facts.startedAt));
}

const waivedIn = ({ standings }: StoredRun) =>
  standings.filter((standing) => standing > 0 && isFailure(standing) && standingOf(standing).waived).length;

function check(course: Course, runs: readonly StoredRun[], { checks }: History): UnhealthyCheck {
  const { check, broke: _, mended: __, since, ...figures } = course;
  const lately = runs.slice(-30).map(({ standings }) => letterOf(standings[check] ?? 0));
  return {
    ...figures,
    id: checks.list[check] ?? '',
    since: runs[since]?.facts.startedAt ?? '',
    isFromTheFirst: since === 0,
    lately: lately.join(''),
  };
}

function letterOf(standing: number): string {
  if (standing === 0) return ' ';
  if (isFailure(standing)) return '-';
  const { outcome } = standingOf(standing);
  return outcome === 'inconclusive' || outcome === 'harness-error' || outcome === 'not-applicable'
    ? '?'
    : '+';
}

function newlyWarnedOf(runs: readonly StoredRun[], { checks }: History): string[][] {
  const last = checks.list.map(() => ({ standing: notAsked, isStrict: false }));
  return runs.map(({ standings, facts: { isStrict } }) => {
    const ids: string[] = [];
    for (const [check, standing] of standings.entries()) {
      if (standing === notAsked || !isJudged(standing)) continue;
      const before = last[check] ?? { standing: notAsked, isStrict };
      last[check] = { standing, isStrict };
      if (before.standing === notAsked || standingOf(standing).waived) continue;
      const kind = changeBetween(before.standing, standing, isStrict !== before.isStrict);
      if (kind === 'newly-warned') ids.push(checks.list[check] ?? '');
    }
    return ids;
  });
}

/** Per run the behaviours that differ from the last earlier run that observed the same open point. */
function behaviourChangesOf(
  runs: readonly StoredRun[],
  { points, behaviours }: History,
): BehaviourChange[][] {
  const last = new Uint32Array(points.list.length);
  const text = (number: number) => behaviours.list[number - 1] ?? '';
  return runs.map((run) => {
    const before: [string, string][] = [];
    const after: [string, string][] = [];
    for (const [point, is] of run.behaviours.entries()) {
      if (is === 0) continue;
      const was = last[point] ?? 0;
      last[point] = is;
      if (was === 0 || was === is) continue;
      before.push([points.list[point] ?? '', text(was)]);
      after.push([points.list[point] ?? '', text(is)]);
    }
    return behaviourChanges(Object.fromEntries(before), Object.fromEntries(after));
  });
}
