import type { Random } from './model.ts';

/** A number from `low` to `high`, equally likely in every octave. */
export function between(random: Random, low: number, high: number): number {
  return low * (high / low) ** random();
}

/** One of these. */
export function oneOf<const T>(random: Random, values: readonly [T, ...T[]]): T {
  return values[Math.floor(random() * values.length)] ?? values[0];
}
