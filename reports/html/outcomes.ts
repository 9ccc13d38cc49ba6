// How an outcome looks: one sign, one word, one colour, the same all over the page.
import type { Outcome, Result } from '../../fixtures/check/result.ts';
import { signs } from '../flows.ts';
import { type Markup, markup } from './markup.ts';

/** A failure that a waiver or the baseline excuses is shown as such, and does not count. */
export type Look = Outcome | 'excused';

/** The worst first: what an operation looks like is what the worst of its checks looks like. */
export const looks: readonly Look[] = [
  'fail',
  'harness-error',
  'warn',
  'excused',
  'inconclusive',
  'pass',
  'observed',
  'not-applicable',
];

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

export const signOf = (look: Look): string => (look === 'excused' ? signs.fail : signs[look]);

export const lookOf = ({ outcome, waived, known }: Result): Look =>
  outcome === 'fail' && (waived !== undefined || known !== undefined) ? 'excused' : outcome;

/** The worst look of some checks; not-applicable where there are none. */
export function worst(checks: readonly Result[]): Look {
  const seen = new Set(checks.map(lookOf));
  return looks.find((look) => seen.has(look)) ?? 'not-applicable';
}

/** What each look stands for, for those it occurs with; of what was not asked too. */
export function legend(seen: ReadonlySet<Look | 'unasked'>): Markup {
  const entries = looks
    .filter((look) => seen.has(look))
    .map(
      (look) =>
        markup`<li><span class="cell ${look}" aria-hidden="true">${signOf(look)}</span>${words[look]}</li>`,
    );
  return markup`<ul class="legend">${entries}${seen.has('unasked') && markup`<li><span class="cell unasked" aria-hidden="true"></span>not asked</li>`}</ul>`;
}
