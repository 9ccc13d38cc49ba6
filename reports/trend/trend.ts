// What became of the target over all stored runs. Pure; `assay.trend/1` and the page are written from it.
import { type BehaviourChange, behaviourChanges } from '../../fixtures/check/changes/behaviours.ts';
import { type Course, courseOf } from './course.ts';
import type { RunFacts } from './facts.ts';
import type { Gathered, Unread } from './gather.ts';
import type { History, StoredRun } from './history.ts';
import type { LoadRecord } from './load-record.ts';
import { isFailure, standingOf } from './standing.ts';

export interface TrendRun extends RunFacts {
  readonly file: string;
  /** Failures that a waiver excuses. */
  readonly waived: number;
  /** Ids. */
  readonly newlyBroken: readonly string[];
  readonly mended: readonly string[];
  /** Against the last run before that saw the same open point. */
  readonly behaviours: readonly BehaviourChange[];
}

/** A check that is not well, and how it stood in the last runs. */
export interface Patient extends Omit<Course, 'check' | 'broke' | 'mended' | 'since'> {
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
  /** The longest broken first; those that changed sides most first. */
  readonly broken: readonly Patient[];
  readonly flaky: readonly Patient[];
  readonly loads: readonly LoadRecord[];
  readonly unread: readonly Unread[];
  /** Files that hold a run which another file holds too. */
  readonly copies: number;
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
  const behaviours = behaviourChangesOf(runs, history);
  const patients = (health: Course['health']) =>
    courses.filter((course) => course.health === health).map((course) => patient(course, runs, history));
  return {
    runs: runs.map((run, at) => ({
      file: run.file,
      ...run.facts,
      waived: waivedIn(run),
      newlyBroken: broke[at] ?? [],
      mended: mended[at] ?? [],
      behaviours: behaviours[at] ?? [],
    })),
    broken: patients('broken').sort((a, b) => (a.since < b.since ? -1 : a.since > b.since ? 1 : 0)),
    flaky: patients('flaky').sort((a, b) => b.changes - a.changes),
    loads: loads.toSorted((a, b) => Date.parse(a.startedAt) - Date.parse(b.startedAt)),
    unread,
    copies: history.runs.length - runs.length,
  };
}

/** By time; a run that two files hold once. */
function inOrder(runs: readonly StoredRun[]): StoredRun[] {
  const own = new Map(runs.map((run) => [`${run.facts.startedAt} ${run.facts.runId}`, run]));
  return [...own.values()].sort((a, b) => Date.parse(a.facts.startedAt) - Date.parse(b.facts.startedAt));
}

const waivedIn = ({ standings }: StoredRun) =>
  standings.filter((standing) => standing > 0 && standingOf(standing).waived).length;

function patient(course: Course, runs: readonly StoredRun[], { checks }: History): Patient {
  const { check, broke: _, mended: __, since, ...told } = course;
  const lately = runs.slice(-30).map(({ standings }) => letterOf(standings[check] ?? 0));
  return {
    ...told,
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

/** Per run what it chose differently from the last run before that saw the same open point. */
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
