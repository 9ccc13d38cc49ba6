// How reports show the outcome of a check: its word, its sign, and which is worse.
import type { Outcome } from '../../engine/judgement.ts';
import type { Result } from '../../engine/run/result.ts';

/** The worst first: an operation looks like the worst of its checks. Reports list outcomes in this order. */
export const looks = [
  'fail',
  'harness-error',
  'warn',
  'excused',
  'inconclusive',
  'pass',
  'observed',
  'not-applicable',
] as const satisfies readonly (Outcome | 'excused')[];

/** A failure that a waiver or the baseline excuses is shown as such, and does not count. */
export type Look = (typeof looks)[number];

export const words: Readonly<Record<Look, string>> = {
  fail: 'failed',
  'harness-error': "Assay's own error",
  warn: 'warned',
  excused: 'failed, excused',
  inconclusive: 'inconclusive',
  pass: 'passed',
  observed: 'observed',
  'not-applicable': 'not applicable',
};

/** What went wrong stands out, what was not judged is not mistaken for good. */
export const signs: Readonly<Record<Look, string>> = {
  fail: '✗',
  'harness-error': 'E',
  warn: '!',
  excused: '✗',
  inconclusive: '?',
  pass: '✓',
  observed: '·',
  'not-applicable': '-',
};

export const lookOf = ({ outcome, waived, known }: Result): Look =>
  outcome === 'fail' && (waived !== undefined || known !== undefined) ? 'excused' : outcome;
