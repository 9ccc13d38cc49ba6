// The course of one check through all runs: when it broke, when it was mended, whether it is broken or flaky.
import type { StoredRun } from './history.ts';
import { changeBetween, isFailure, isJudged, notAsked, standingOf } from './standing.ts';

/**
 * broken: its last judgement is a failure, and it is not flaky.
 * flaky: among its last 30 judgements it changed sides 3 times or more, and the last 5 are not all failures.
 */
export type Health = 'good' | 'broken' | 'flaky';

export const flakyRule = { window: 30, changes: 3, settled: 5 } as const;

export interface Course {
  /** The check's number. */
  readonly check: number;
  readonly health: Health;
  /** Changes of sides among its last 30 judgements. */
  readonly changes: number;
  /** Places of the runs in which it broke, and was mended. */
  readonly broke: readonly number[];
  readonly mended: readonly number[];
  /** Place of the run since which it has been as it is, and in how many it was judged so. */
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
  // Most checks stand the same in every run: then the first two tell whether it is ever bad.
  const enough = isSteady(check, runs) ? runs.slice(0, 2) : runs;
  if (!walked(check, enough).sides.some(({ isBad }) => isBad)) return undefined;
  const walk = walked(check, runs);
  const { sides } = walk;
  const recent = sides.slice(-flakyRule.window);
  const changes = recent.filter(({ isBad }, at) => at > 0 && isBad !== recent[at - 1]?.isBad).length;
  const last = sides.at(-1) as Side;
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

interface Side {
  /** Place of the run. */
  readonly run: number;
  readonly isBad: boolean;
}

function walked(check: number, runs: readonly StoredRun[]) {
  const sides: Side[] = [];
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
        // What fails from the first run on is broken, and nobody saw it break; a check that is new may fail at once.
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

/** True: it fails, or what passed is no longer there to be asked. Undefined: it could not be judged. */
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
