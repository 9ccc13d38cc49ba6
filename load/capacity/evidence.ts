// Which steps count: those of the target that the generator did not spoil.
import { type Belief, learn, openBelief } from './belief.ts';
import type { Ceiling, Search, Taken } from './search-types.ts';

/** From so many spoilt steps in a row on they are taken as they are: the target may share the generator's machine. */
const mostSpoilt = 3;

const ofTarget = (taken: readonly Taken[]) => taken.filter(({ purpose }) => purpose !== 'ceiling');

export type Known = Pick<Search, 'taken' | 'ceiling' | 'forgotten'>;

/** Steps of the target that count, oldest first; probes do not. */
export function evidence({ taken, ceiling, forgotten }: Known): Taken[] {
  return taken.filter(
    (each, index) =>
      index >= forgotten &&
      (each.purpose === 'grow' || each.purpose === 'refine') &&
      each.step.ended === 'complete' &&
      !isDoubtful(each, ceiling) &&
      !isSpoilt(taken.slice(0, index + 1)),
  );
}

/** A failure of latency at a rate that the generator alone has not been seen to manage. */
export function isDoubtful({ judgement, plan }: Taken, { proven }: Ceiling): boolean {
  return !judgement.passed && judgement.limit === 'latency' && plan.rate > proven;
}

/** The last of these failed while the generator was late, and it was not yet so again and again. */
export function isSpoilt(taken: readonly Taken[]): boolean {
  const spoilt = ({ judgement }: Taken) =>
    !judgement.passed && judgement.limit === 'latency' && judgement.suspect;
  const last = ofTarget(taken).slice(-mostSpoilt);
  const latest = last.at(-1);
  return latest !== undefined && spoilt(latest) && !(last.length === mostSpoilt && last.every(spoilt));
}

/** All evidence in one belief, from the first failure on. */
export function beliefOf(search: Known): Belief | undefined {
  const counted = evidence(search);
  const failed = counted.filter(({ judgement }) => !judgement.passed).map(({ plan }) => plan.rate);
  const first = Math.min(...failed);
  if (failed.length === 0) return undefined;
  return counted.reduce(
    (belief, { plan, judgement }) => learn(belief, plan.rate, judgement),
    openBelief(first / 10, Math.max(...failed) * 1.6),
  );
}

export const passes = (search: Known) => evidence(search).filter(({ judgement }) => judgement.passed);

/** The rate of the latest step that passed. */
export const lastGood = (search: Known): number | undefined => passes(search).at(-1)?.plan.rate;
