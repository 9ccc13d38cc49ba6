import { expect, test } from 'vitest';
import type { Outcome, Result } from '../../fixtures/check/result.ts';
import { sampleResult } from '../sample.ts';
import { flowSection } from './flow-section.ts';
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

test('checks of operations are no flows', () => {
  expect(shown(step('party.create#routed', 'fail'))).toEqual([]);
});
