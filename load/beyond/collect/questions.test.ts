import { expect, test } from 'vitest';
import { sampleStep } from '../../step/sample-plan.ts';
import type { DistributedRun } from '../run-file.ts';
import type { Histogram } from './histogram.ts';
import type { Prometheus, Series } from './prometheus.ts';
import { beginningsOf, spanOf, totalsOf } from './questions.ts';

const run: DistributedRun = {
  name: 'assay-sample-1',
  journey: 'sample',
  requestsPerJourney: 1,
  shape: 'soak',
  seed: 'seed',
  slo: { bounds: [], errors: 0.001 },
  perOperation: {},
  target: {},
  operations: ['party.create'],
  parallelism: 2,
  capped: false,
  stages: [{ from: 50, to: 50, durationMs: 600_000 }],
  leadMs: 0,
  plan: sampleStep,
};
const count = (many: number): Histogram => ({
  count: many,
  sum: many,
  buckets: [{ low: 1, high: 2, count: many }],
});
const series = (labels: Series['labels'], ...counts: number[]): Series => ({
  labels,
  values: [],
  histograms: counts.map((many, nth) => ({ at: nth, value: count(many) })),
});
const value = (number: number): Series => ({
  labels: {},
  values: [{ at: 0, value: number }],
  histograms: [],
});

/** Answers by the metric that is asked for, and keeps what was asked. */
function answering(answers: Readonly<Record<string, Series[]>>) {
  const asked: { expression: string; to: number; step?: number }[] = [];
  const answer = (expression: string) =>
    Object.entries(answers).find(([metric]) => expression.includes(metric))?.[1] ?? [];
  const prometheus: Prometheus = {
    at: async (expression, to) => {
      asked.push({ expression, to });
      return answer(expression);
    },
    over: async (expression, _, to, step) => {
      asked.push({ expression, to, step });
      return answer(expression);
    },
  };
  return { prometheus, asked };
}

test('every generator’s histogram counts as it was at its last, also one that ended minutes before the others', async () => {
  const { prometheus, asked } = answering({
    http_req_duration: [
      series({ name: 'party.create', instance_id: '1' }, 10, 40),
      series({ name: 'party.create', instance_id: '2' }, 10, 30),
      series({ name: 'party.leave', instance_id: '2' }, 5),
    ],
  });
  const totals = await totalsOf(prometheus, run, 1_000_000);
  expect(totals.latency.count).toBe(75);
  expect(totals.byOperation.get('party.create')?.count).toBe(70);
  const steps = asked.flatMap(({ step }) => step ?? []);
  expect(Math.max(...steps), 'Prometheus forgets after 300 s').toBeLessThan(300);
});

test('only samples of this run are asked for, up to when the last must have been told', async () => {
  const { prometheus, asked } = answering({ iterations: [value(7)] });
  expect((await totalsOf(prometheus, run, 1_000_000)).iterations).toBe(7);
  expect(asked.every(({ expression }) => expression.includes('testid="assay-sample-1"'))).toBe(true);
  expect(new Set(asked.map(({ to }) => to))).toEqual(new Set([(1_000_000 + spanOf(run)) / 1_000]));
});

test('generators are told in the order in which they began', async () => {
  const { prometheus } = answering({ began: [value(9), value(4)] });
  expect(await beginningsOf(prometheus, run, 10)).toEqual([4, 9]);
});
