import { expect, test } from 'vitest';
import { seededRandom } from '../../../engine/values/random.ts';
import { sampleStep } from '../../../fixtures/kit/sample-step.ts';
import type { DistributedRun } from '../run-file.ts';
import {
  beginningsOf,
  type Histogram,
  histogramQuantile,
  merged,
  nothing,
  type Prometheus,
  type Series,
  since,
  spanOf,
  totalsOf,
} from './prometheus.ts';

/** As k6 counts with a bucket factor of 1.1: eight buckets to the doubling. */
function counted(samples: readonly number[]): Histogram {
  const counts = new Map<number, number>();
  for (const sample of samples) {
    const index = Math.ceil(Math.log2(sample) * 8);
    counts.set(index, (counts.get(index) ?? 0) + 1);
  }
  const buckets = [...counts]
    .sort(([a], [b]) => a - b)
    .map(([index, count]) => ({ low: 2 ** ((index - 1) / 8), high: 2 ** (index / 8), count }));
  return { count: samples.length, sum: samples.reduce((sum, each) => sum + each, 0), buckets };
}

test('of log-normal latencies every quantile is within 2 %', () => {
  const random = seededRandom(1);
  const samples = Array.from(
    { length: 20_000 },
    () => 0.02 * Math.exp(0.6 * Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())),
  );
  const sorted = samples.toSorted((a, b) => a - b);
  for (const q of [0.5, 0.95, 0.99, 0.999]) {
    const oracle = sorted[Math.floor(q * (sorted.length - 1))] ?? 0;
    expect(Math.abs(histogramQuantile(counted(samples), q) / oracle - 1), `p${q * 100}`).toBeLessThan(0.02);
  }
});

test('a quantile never leaves the bucket that holds it', () => {
  const one = counted([0.1]);
  expect(histogramQuantile(one, 0.99)).toBeLessThanOrEqual(one.buckets[0]?.high ?? 0);
  expect(histogramQuantile(one, 0.99)).toBeGreaterThan(one.buckets[0]?.low ?? 1);
  expect(histogramQuantile(nothing, 0.5)).toBe(0);
});

test('what came between two looks is what one has more than the other', () => {
  const before = counted([0.1, 0.1]);
  const now = counted([0.1, 0.1, 0.1, 0.4]);
  expect(since(before, now)).toMatchObject({ count: 2, buckets: [{ count: 1 }, { count: 1 }] });
});

test('two histograms are merged by adding what is in equal buckets', () => {
  const [a, b] = [counted([0.1, 0.1, 0.2]), counted([0.1, 0.8])];
  expect(merged([a, b])).toEqual(counted([0.1, 0.1, 0.2, 0.1, 0.8]));
  expect(merged([])).toEqual(nothing);
});

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

test('every generator’s histogram counts as it was at its last, also one that ended minutes before the others', async () => {
  const { prometheus, queries } = answering({
    http_req_duration: [
      series({ name: 'party.create', instance_id: '1' }, 10, 40),
      series({ name: 'party.create', instance_id: '2' }, 10, 30),
      series({ name: 'party.leave', instance_id: '2' }, 5),
    ],
  });
  const totals = await totalsOf(prometheus, run, 1_000_000);
  expect(totals.latency.count).toBe(75);
  expect(totals.byOperation.get('party.create')?.count).toBe(70);
  const steps = queries.flatMap(({ step }) => step ?? []);
  expect(Math.max(...steps), 'Prometheus forgets after 300 s').toBeLessThan(300);
});

test('only samples of this run are asked for, up to when the last must have arrived', async () => {
  const { prometheus, queries } = answering({ iterations: [value(7)] });
  expect((await totalsOf(prometheus, run, 1_000_000)).iterations).toBe(7);
  expect(queries.every(({ expression }) => expression.includes('testid="assay-sample-1"'))).toBe(true);
  expect(new Set(queries.map(({ to }) => to))).toEqual(new Set([(1_000_000 + spanOf(run)) / 1_000]));
});

test('generators are listed in the order in which they began', async () => {
  const { prometheus } = answering({ began: [value(9), value(4)] });
  expect(await beginningsOf(prometheus, run, 10)).toEqual([4, 9]);
});
