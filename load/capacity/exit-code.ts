// What the outcome of a search means to whoever waits for it.
import type { Outcome } from './search-types.ts';

/** Surely so much: the lower end of the interval is. Nothing is sure of a target that was not the same twice. */
export function isMet({ verdict, interval: [confirmed] }: Outcome, atLeast: number): boolean {
  const isUnsure = verdict === 'UNSTABLE' || verdict === 'TARGET_DID_NOT_RECOVER';
  return !isUnsure && confirmed !== null && confirmed >= atLeast;
}

/**
 * With a bound, whether it was met for sure; without one, whether there is a figure to go by.
 * 130 where the user ended it.
 */
export function exitCodeOf(
  outcome: Outcome,
  atLeast: number | undefined,
  isInterrupted: boolean,
): 0 | 1 | 130 {
  if (isInterrupted) return 130;
  if (atLeast !== undefined) return isMet(outcome, atLeast) ? 0 : 1;
  const isFigure = ['FOUND', 'ERRORS', 'ABOVE_MAX'].includes(outcome.verdict) && outcome.capacity !== null;
  return isFigure ? 0 : 1;
}
