// Defines a finding: what keeps a run from judging the target, how much that matters, and what to do about it.
import type { Host } from '../../../catalog/operation.ts';

export type Weight = 'stops' | 'hides' | 'more';

/** Plain data without secrets. */
export interface Finding {
  /** A stable name, whose meaning never changes. */
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

/** Makes a finding without whose remedy a run cannot judge enough. */
export const stops = weighing('stops');
/** Makes a finding that leaves part of the interface inconclusive. */
export const hides = weighing('hides');
/** Makes a finding about a setting that would let a run judge more. */
export const more = weighing('more');
