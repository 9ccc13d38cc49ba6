import { expect, test } from 'vitest';
import type { Outcome, Result } from '../../fixtures/check/result.ts';
import { sampleResult } from '../sample.ts';
import { flowSection, leftBehindSection } from './flow-section.ts';
import { paint } from './line.ts';

const step = (id: string, outcome: Outcome): Result => sampleResult({ id, outcome });
const shown = (...steps: readonly Result[]) =>
  flowSection(steps, 100).map((each) => paint(each, { colour: false, width: 100 }));

test('flows without a finding share a line', () => {
  const lines = shown(step('party/create', 'pass'), step('party/full', 'observed'), step('login/in', 'pass'));
  expect(lines).toEqual(['', 'flows without a finding: login, party (3 steps)']);
});

test('a flow with a finding is a line of steps, one sign each, in their order', () => {
  const outcomes = ['pass', 'fail', 'warn', 'inconclusive', 'observed', 'not-applicable'] as const;
  const lines = shown(...outcomes.map((outcome, nth) => step(`party/s${nth}`, outcome)));
  expect(lines[1]).toBe('  party  ✓✗!?·-');
});

test('what was not played is no flow without a finding, and is named', () => {
  const lines = shown(step('party/create', 'not-applicable'), step('login/in', 'pass'));
  expect(lines.slice(1)).toEqual(['flows without a finding: login (1 step)', 'flows not played: party']);
});

test('checks of operations are no flows', () => {
  expect(shown(step('party.create#routed', 'fail'))).toEqual([]);
});

test('what could not be put back is told, and no more of it than fits', () => {
  const left = Array.from({ length: 5 }, (_, nth) => `party ${nth}: party.delete answered 500`);
  const lines = leftBehindSection({ leftBehind: left }).map((each) =>
    paint(each, { colour: false, width: 100 }),
  );
  expect(lines).toEqual([
    '',
    '5 things that flows made could not be put back:',
    ...left.slice(0, 3).map((what) => `  ${what}`),
    '  … and 2 more in result.json',
  ]);
  expect(leftBehindSection({ leftBehind: [] })).toEqual([]);
});
