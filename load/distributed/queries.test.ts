import { expect, test } from 'vitest';
import { sampleStep } from '../../fixtures/kit/sample-step.ts';
import { createTimes, histogramOf } from '../k6/histogram.ts';
import { beginningsOf, spanOf, totalsOf } from './collect.ts';
import type { Prometheus, Series } from './prometheus.ts';
import type { DistributedRun } from './run-file.ts';

const run: DistributedRun = {
  name: 'assay-sample-1',
  journey: 'sample',
  connections: 'shared',
  requestsPerJourney: 1,
  shape: 'soak',
  seed: 'seed',
  slo: { bounds: [], errors: 0.001 },
  perOperation: {},
  target: {},
  operations: ['party.create'],
  parallelism: 2,
  stages: [{ from: 50, to: 50, durationMs: 600_000 }],
  plan: sampleStep,
};
const value = (number: number, labels: Series['labels'] = {}): Series => ({
  labels,
  values: [{ at: 0, value: number }],
});

/** As the scripts count times: a series for each bucket. */
function bucketsOf(name: string, samples: readonly number[]): Series[] {
  const times = createTimes();
  for (const ms of samples) times.add(ms);
  const { at = [] } = times.take() ?? {};
  return at.flatMap((bucket, nth) =>
    nth % 2 === 0 ? [value(at[nth + 1] ?? 0, { name, bucket: `${bucket}` })] : [],
  );
}

/** Answers by the metric that is asked for, and keeps what was asked. */
function answering(answers: Readonly<Record<string, Series[]>>) {
  const queries: { expression: string; to: number; step?: number }[] = [];
  const answer = (expression: string) =>
    Object.entries(answers).find(([metric]) => expression.includes(metric))?.[1] ?? [];
  const prometheus: Prometheus = {
    at: async (expression, to) => {
      queries.push({ expression, to });
      return answer(expression);
    },
    over: async (expression, _, to, step) => {
      queries.push({ expression, to, step });
      return answer(expression);
    },
  };
  return { prometheus, queries };
}

test('what the scripts counted by bucket is read as their times, operation by operation', async () => {
  const samples = Array.from({ length: 1_000 }, (_, nth) => 10 + nth / 10);
  const { prometheus } = answering({
    assay_durations: [...bucketsOf('party.create', samples), ...bucketsOf('party.leave', [3])],
    assay_duration_sum: [value(60_000, { name: 'party.create' })],
    assay_late: bucketsOf('', [0.5, 0.5, 8]),
  });
  const { byOperation, late } = await totalsOf(prometheus, run, 1_000_000);
  const created = histogramOf([byOperation.get('party.create')]);
  expect([created.count(), created.mean()]).toEqual([1_000, 60]);
  expect(Math.abs(created.quantile(0.99) / 108.9 - 1)).toBeLessThan(0.01);
  expect(histogramOf([byOperation.get('party.leave')]).count()).toBe(1);
  expect(histogramOf([late]).count()).toBe(3);
});

test('only samples of this run are asked for, up to when the last must have arrived', async () => {
  const { prometheus, queries } = answering({ assay_done: [value(7)] });
  expect((await totalsOf(prometheus, run, 1_000_000)).done).toBe(7);
  expect(queries.every(({ expression }) => expression.includes('testid="assay-sample-1"'))).toBe(true);
  expect(new Set(queries.map(({ to }) => to))).toEqual(new Set([(1_000_000 + spanOf(run)) / 1_000]));
});

test('generators are listed in the order in which they began', async () => {
  const { prometheus } = answering({ began: [value(9), value(4)] });
  expect(await beginningsOf(prometheus, run, 10)).toEqual([4, 9]);
});
