import { expect, test } from 'vitest';
import { randomFrom } from '../../arrivals/random.ts';
import { type Histogram, histogramQuantile, merged, nothing, since } from './histogram.ts';

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
  const random = randomFrom(1);
  const samples = Array.from(
    { length: 20_000 },
    () => 0.02 * Math.exp(0.6 * Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())),
  );
  const sorted = samples.toSorted((a, b) => a - b);
  for (const q of [0.5, 0.95, 0.99, 0.999]) {
    const truth = sorted[Math.floor(q * (sorted.length - 1))] ?? 0;
    expect(Math.abs(histogramQuantile(counted(samples), q) / truth - 1), `p${q * 100}`).toBeLessThan(0.02);
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
