// Defines a finding: what keeps a run from judging the target, how much that matters, and what to do about it.
import type { Host } from '../../../catalog/operation.ts';

export type Weight = 'stops' | 'hides' | 'more';

/** Plain data without secrets. */
export interface Finding {
  /** Never changes its meaning. */
  readonly code: string;
  readonly weight: Weight;
  /** The host that it concerns. */
  readonly host?: Host;
  readonly what: string;
  readonly remedy: string;
}

const weighing =
  (weight: Weight) =>
  (code: string, what: string, remedy: string, host?: Host): Finding => ({
    code,
    weight,
    ...(host && { host }),
    what,
    remedy,
  });

/** A run cannot judge enough before it is fixed. */
export const stops = weighing('stops');
/** Part of the interface will be inconclusive. */
export const hides = weighing('hides');
/** A setting that would let more be judged. */
export const more = weighing('more');
