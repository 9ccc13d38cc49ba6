// Each flow as a line of steps, in the order in which they are played.
import type { Outcome } from '../../engine/judgement.ts';
import type { Result } from '../../engine/run/result.ts';

export interface FlowLine {
  readonly name: string;
  readonly steps: readonly Result[];
}

/** One sign for each outcome: what went wrong stands out, what was not judged is not mistaken for good. */
export const signs: Readonly<Record<Outcome, string>> = {
  pass: '✓',
  fail: '✗',
  warn: '!',
  observed: '·',
  inconclusive: '?',
  'not-applicable': '-',
  'harness-error': 'E',
};

/** The flows of a run, by their names. */
export function flowsOf(checks: readonly Result[]): FlowLine[] {
  const steps = checks.filter(({ id }) => !id.includes('#') && id.includes('/'));
  const flows = Map.groupBy(steps, ({ id }) => id.slice(0, id.indexOf('/')));
  return [...flows].map(([name, steps]) => ({ name, steps })).sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** What was left out, or cannot apply, was not played. */
export const wasPlayed = ({ outcome }: Result): boolean => outcome !== 'not-applicable';

export const isPlayed = ({ steps }: FlowLine): boolean => steps.some(wasPlayed);

/** A flow in which a step failed or could not be judged. */
export const isTroubled = ({ steps }: FlowLine): boolean =>
  steps.some(({ outcome }) => !['pass', 'observed', 'not-applicable'].includes(outcome));
