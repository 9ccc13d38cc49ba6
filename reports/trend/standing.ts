// How a check stood in a run, as one small number: what a thousand runs of thousands of checks are compared by.
import type { Level } from '../../fixtures/catalog/clauses/clause.ts';
import { type ChangeKind, kindOf } from '../../fixtures/check/changes/kind.ts';
import { reasons } from '../../fixtures/check/reasons.ts';
import { judged, type Outcome, outcomes } from '../../fixtures/check/result.ts';

const levels: readonly Level[] = ['documented', 'profile', 'standard', 'inferred', 'open'];
/** The first stands for no reason, and for one that this version of Assay does not know. */
const reasonNames: readonly string[] = ['', ...Object.keys(reasons)];

export interface Standing {
  readonly outcome: Outcome;
  readonly level: Level;
  readonly reason: string;
  /** The failure is excused for now. */
  readonly waived?: true;
}

/** Not among the checks of a run. */
export const notAsked = 0;

/** 1 or more; below 2,500. Undefined where the outcome or the level is none of ours. */
export function standingNumber({ outcome, level, reason, waived }: Told): number | undefined {
  const [o, l] = [outcomes.indexOf(outcome as Outcome), levels.indexOf(level as Level)];
  if (o === -1 || l === -1) return undefined;
  const r = Math.max(0, reasonNames.indexOf(reason ?? ''));
  return 1 + ((r * levels.length + l) * outcomes.length + o) * 2 + (waived ? 1 : 0);
}

/** The same, as a file tells it. */
interface Told {
  readonly outcome: string;
  readonly level: string;
  readonly reason?: string | undefined;
  readonly waived?: unknown;
}

const all: readonly Standing[] = reasonNames.flatMap((reason) =>
  levels.flatMap((level) =>
    outcomes.flatMap((outcome): Standing[] => [
      { outcome, level, reason },
      { outcome, level, reason, waived: true },
    ]),
  ),
);

/**
 * The other way round.
 * @param number one that `standingNumber` gave
 */
export function standingOf(number: number): Standing {
  const standing = all[number - 1];
  if (standing === undefined) throw new RangeError(`no standing has the number ${number}`);
  return standing;
}

export const isFailure = (number: number): boolean => standingOf(number).outcome === 'fail';
export const isJudged = (number: number): boolean => judged.has(standingOf(number).outcome);

/** What became of a check between two runs, as `diff` tells it. */
export function changeBetween(before: number, after: number, strictnessDiffers: boolean): ChangeKind {
  return kindOf(before === notAsked ? undefined : standingOf(before), standingOf(after), {
    strictnessDiffers,
  });
}
