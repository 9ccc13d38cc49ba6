import { expect, test } from 'vitest';
import { complete, facts, planned, result } from '../../fixtures/kit/assembled.ts';
import type { Outcome } from '../judgement.ts';
import { assemble } from './assemble.ts';
import type { Result, RunResult } from './result.ts';

function run(
  outcomes: Readonly<Record<string, Outcome>>,
  baseline?: RunResult,
  { minJudged = 80, ended = 'complete' as RunResult['ended'], over = {} as Partial<Result> } = {},
): RunResult {
  const plan = Object.keys(outcomes).map((id) => planned(id));
  const results = new Map(
    plan.map((check) => [check.id, { ...result(check, outcomes[check.id] ?? 'pass'), ...over }]),
  );
  return assemble(plan, results, { ...complete, ended }, { ...facts(minJudged), baseline });
}

test('failures that the baseline has too are known, and do not fail the run', () => {
  const runResult = run({ a: 'fail', b: 'fail', c: 'pass' }, run({ a: 'fail', b: 'fail', c: 'fail' }));
  expect(runResult.exitCode).toBe(0);
  expect(runResult.headline.verdict).toBe(
    'Nothing got worse than the run of 2026-01-01 00:00 UTC: 2 known failures, 1 repaired.',
  );
  expect(runResult.checks.map(({ known }) => known)).toEqual([true, true, undefined]);
  expect(runResult.summary.fail).toBe(2);
  expect(runResult.baseline).toEqual({
    startedAt: '2026-01-01T00:00:00.000Z',
    runId: 'r',
    worse: [],
    knownFailures: 2,
    repaired: 1,
  });
});

test('a failure that the baseline has not fails the run', () => {
  const runResult = run({ a: 'fail', b: 'fail' }, run({ a: 'fail', b: 'pass' }));
  expect(runResult.exitCode).toBe(1);
  expect(runResult.headline.verdict).toBe('Got worse than the run of 2026-01-01 00:00 UTC: 1 check.');
  expect(runResult.baseline?.worse).toEqual(['b']);
  expect(runResult.checks.map(({ known }) => known)).toEqual([true, undefined]);
});

test('a failure that a baseline that was cut off had not judged fails the run, but is not reported as worse', () => {
  const cutOff = run({ a: 'inconclusive', b: 'inconclusive' }, undefined, {
    ended: 'interrupted',
    over: { reason: 'interrupted' },
  });
  const runResult = run({ a: 'fail', b: 'fail' }, cutOff);
  expect(runResult.exitCode).toBe(1);
  expect(runResult.headline.verdict).toBe(
    '2 checks fail that the run of 2026-01-01 00:00 UTC did not judge: it was cut off.',
  );
  expect(runResult.baseline).toMatchObject({ worse: [], unjudgedBefore: ['a', 'b'], knownFailures: 0 });
  expect(runResult.checks.map(({ known }) => known)).toEqual([undefined, undefined]);
});

test('what got worse and what was not judged before are reported side by side', () => {
  const cutOff = run({ a: 'inconclusive' }, undefined, { ended: 'budget', over: { reason: 'budget' } });
  const baseline = { ...cutOff, checks: [...cutOff.checks, ...run({ b: 'pass' }).checks] };
  expect(run({ a: 'fail', b: 'fail' }, baseline).headline.verdict).toBe(
    'Got worse than the run of 2026-01-01 00:00 UTC: 1 check. 1 check fails that the run of 2026-01-01 00:00 UTC did not judge: it was cut off.',
  );
});

test('a check that passed and cannot be asked any more fails the run', () => {
  const runResult = run({ a: 'inconclusive', b: 'pass' }, run({ a: 'pass', b: 'pass' }), {
    minJudged: 0,
    over: { reason: 'not-served' },
  });
  expect(runResult.exitCode).toBe(1);
  expect(runResult.baseline?.worse).toEqual(['a']);
});

test('a check that was judged and is not any more is reported, and does not fail the run: nobody knows', () => {
  const before = run({ a: 'pass', b: 'fail', c: 'pass' });
  const now = { a: 'inconclusive', b: 'inconclusive', c: 'pass' } as const;
  const runResult = run(now, before, { minJudged: 0, over: { reason: 'needs-body' } });
  expect(runResult.exitCode).toBe(0);
  expect(runResult.baseline).toMatchObject({ worse: [], noLongerJudged: ['a', 'b'] });
  expect(runResult.headline.verdict).toBe(
    'Nothing that was judged got worse than the run of 2026-01-01 00:00 UTC. 2 checks are no longer judged.',
  );
  const worse = run({ ...now, c: 'fail' }, before, { minJudged: 0, over: { reason: 'needs-body' } });
  expect(worse.headline.verdict).toBe(
    'Got worse than the run of 2026-01-01 00:00 UTC: 1 check. 2 checks are no longer judged.',
  );
});

test.each(['budget', 'interrupted'] as const)(
  'what a run did not come to is not reported as such: %s',
  (reason) => {
    const before = run({ a: 'pass', b: 'pass' });
    const runResult = run({ a: 'inconclusive', b: 'pass' }, before, { minJudged: 0, over: { reason } });
    expect(runResult.baseline).not.toHaveProperty('noLongerJudged');
  },
);

test('too little judged counts only where it was more before', () => {
  const little = run({ a: 'pass', b: 'inconclusive' });
  expect(little.exitCode).toBe(1);
  expect(run({ a: 'pass', b: 'inconclusive' }, little).exitCode).toBe(0);
  expect(run({ a: 'pass', b: 'inconclusive' }, run({ a: 'pass', b: 'pass' })).exitCode).toBe(1);
});

test('a run in which nothing was judged, or that was cut off, is never green', () => {
  const nothing = run({ a: 'inconclusive' });
  expect(run({ a: 'inconclusive' }, nothing).exitCode).toBe(1);
  const whole = run({ a: 'pass' });
  expect(run({ a: 'pass' }, whole, { ended: 'budget' }).exitCode).toBe(1);
  expect(run({ a: 'harness-error', b: 'pass' }, whole).exitCode).toBe(3);
});

test('without a baseline nothing is known', () => {
  const runResult = run({ a: 'fail' });
  expect(runResult.baseline).toBeUndefined();
  expect(runResult.checks[0]?.known).toBeUndefined();
});
