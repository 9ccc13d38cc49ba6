// The causes that a page tells of, in its order: what counts first, each kind the heaviest first.
import type { Outcome, Result } from '../../fixtures/check/result.ts';
import { counting } from '../console/standing.ts';
import { type Cause, causes } from '../fold.ts';

const told: readonly Outcome[] = ['fail', 'harness-error', 'warn'];

/** Failures that nothing excuses, Assay's own errors, warnings, folded; their places in the list name them (`#cause=0`). */
export function findings(checks: readonly Result[]): Cause[] {
  const counted = counting(checks);
  return told.flatMap((outcome) => causes(counted, outcome));
}
