import { expect, test } from 'vitest';
import { sampleStep } from '../fixtures/kit/sample-step.ts';
import { operationLines, secondLine, verdictLines } from './report.ts';

test('a second is one line: offered, achieved, p95, errors, journeys in flight', () => {
  const second = {
    at: 3,
    offered: 50,
    achieved: 49,
    p50: 1,
    p95: 1.234,
    requests: 49,
    errors: 2,
    inFlight: 21,
    lagMs: 0,
  };
  expect(secondLine(second)).toBe(
    '   3 s   offered 50.0/s   achieved 49.0/s   p95 1.23 ms   errors 2   in flight 21',
  );
  const wrong = [{ operation: 'queue.cancel', answer: '404', count: 2 }];
  expect(secondLine({ ...second, wrong })).toContain('errors 2 (queue.cancel 404 x 2)   in flight 21');
});

test('operations are a table, and what went wrong stands below it', () => {
  const own = { p50: 1, p95: 2, p99: 3, p999: 4, max: 5 };
  const lines = operationLines({
    ...sampleStep,
    durationMs: 10_000,
    sent: 1_500,
    errors: {
      wrong: 6,
      transport: 1,
      kinds: { 'status 5xx': 6, timeout: 1 },
      byOperation: [
        { operation: 'queue.enter', answer: '500', count: 6 },
        { operation: 'queue.cancel', answer: 'timeout', count: 1 },
      ],
    },
    operations: {
      'queue.enter': { ...own, count: 1_000, errors: { 'status 5xx': 7 } },
      'queue.cancel': { ...own, count: 500, errors: {} },
    },
  });
  expect(lines).toEqual([
    'ms            count    rate   p50   p95   p99  p99.9   max',
    'queue.enter   1,000   100/s  1.00  2.00  3.00   4.00  5.00',
    'queue.cancel    500  50.0/s  1.00  2.00  3.00   4.00  5.00',
    'all           1,500   150/s  0.00  0.00  0.00   0.00  0.00'.replace(/0\.00/g, '   –'),
    '7 wrong: queue.enter 500 x 6, queue.cancel timeout x 1',
  ]);
});

test('the rates of a load that stopped early are those of the time that it ran', () => {
  const figures = { count: 100, p50: 1, p95: 1, p99: 1, p999: 1, max: 1, errors: {} };
  const cut = { ...sampleStep, durationMs: 60_000, journeys: 100, achieved: 10, sent: 100 };
  expect(operationLines({ ...cut, operations: { 'queue.enter': figures } })[1]).toContain(' 10.0/s ');
});

test('the verdict comes with its reasons and with how the generator was', () => {
  const verdict = { verdict: 'FAIL', reasons: ['one', 'two'] } as const;
  const unknown = '0 journeys, 0/s · generator: lag p95 0 ms';
  expect(verdictLines(verdict, { ...sampleStep, cpu: 0.5, memoryMiB: 80 })).toEqual([
    'FAIL: one',
    '  two',
    `${unknown}, 0.50 cores, 80 MiB`,
  ]);
  expect(verdictLines(verdict, sampleStep).at(-1)).toBe(unknown);
});
