// Two capacities side by side: better, worse, or not told apart, given what either is sure of.
import type { StoredCapacity } from './stored-capacity.ts';

export type Change = 'better' | 'worse' | 'not told apart';

/** A target that was not the same twice has no capacity. */
const unsound = ['UNSTABLE', 'TARGET_DID_NOT_RECOVER'];

/** Intervals that do not overlap are told apart; a side that is not known reaches to the end. */
export function compareCapacities(before: StoredCapacity, after: StoredCapacity): Change {
  const [wasSound, isSound] = [before, after].map(({ verdict }) => !unsound.includes(verdict));
  if (wasSound !== isSound) return wasSound ? 'worse' : 'better';
  if (!isSound) return 'not told apart';
  const [low, high] = ends(before);
  const [lowNow, highNow] = ends(after);
  if (highNow < low) return 'worse';
  return lowNow > high ? 'better' : 'not told apart';
}

const ends = ({ interval: [confirmed, failed] }: StoredCapacity): [number, number] => [
  confirmed ?? 0,
  failed ?? Number.POSITIVE_INFINITY,
];

/** What was measured differently: capacities that differ in one of these cannot be compared. */
export function differences(before: StoredCapacity, after: StoredCapacity): string[] {
  const same = ['journey', 'unit', 'slo', 'arrivals'] as const;
  return same.flatMap((name) =>
    before[name] === after[name] ? [] : [`${name} was ${before[name]} and is ${after[name]}`],
  );
}
