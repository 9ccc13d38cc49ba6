import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seededRandom } from '../../engine/values/random.ts';
import { type Counted, createTimes, histogramOf } from './histogram.ts';

/** Log-normal latencies in ms around a median. */
function latencies(count: number, median: number, spread: number, seed: number): number[] {
  const random = seededRandom(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Array.from({ length: count }, () => median * Math.exp(spread * normal()));
}

/** As the script counts them, in several lines. */
function counted(samples: readonly number[], lines = 1): Counted[] {
  const times = createTimes();
  const made: (Counted | undefined)[] = [];
  for (const [nth, sample] of samples.entries()) {
    times.add(sample);
    if ((nth + 1) % Math.ceil(samples.length / lines) === 0) made.push(times.take());
  }
  return [...made, times.take()].filter((each) => each !== undefined);
}

/** k6's own definition: between the two nearest samples in a straight line. */
function k6Quantile(samples: readonly number[], q: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  const at = q * (sorted.length - 1);
  const low = sorted[Math.floor(at)] ?? 0;
  return low + (at - Math.floor(at)) * ((sorted[Math.ceil(at)] ?? 0) - low);
}

const quantiles = [0.5, 0.9, 0.95, 0.99, 0.999];

test('of an uneven split over processes every quantile is within 1 % of that of all samples', () => {
  // Most go through a fast segment; the slow one has a tail of its own, and decides the tail of all.
  const split = [latencies(40_000, 8, 0.4, 1), latencies(7_000, 30, 0.8, 2), latencies(300, 3, 0.2, 3)];
  const all = split.flat();
  const together = histogramOf(split.flatMap((samples) => counted(samples, 7)));
  for (const q of quantiles)
    expect(Math.abs(together.quantile(q) / k6Quantile(all, q) - 1), `p${q * 100}`).toBeLessThan(0.01);
  expect(together.count()).toBe(all.length);
  expect(together.mean() * together.count()).toBeCloseTo(
    all.reduce((sum, each) => sum + each, 0),
    3,
  );
  const averaged = split.reduce((sum, each) => sum + k6Quantile(each, 0.99), 0) / 3;
  expect(
    Math.abs(averaged / k6Quantile(all, 0.99) - 1),
    'averaging their own p99 is another number',
  ).toBeGreaterThan(0.2);
});

test('the longest is known as it was, and no quantile is beyond it', () => {
  const times = fc.array(fc.double({ min: 0.002, max: 100_000, noNaN: true }), {
    minLength: 1,
    maxLength: 50,
  });
  fc.assert(
    fc.property(times, fc.constantFrom(...quantiles), (samples, q) => {
      const most = Math.max(...samples);
      const histogram = histogramOf(counted(samples, 3));
      expect(histogram.quantile(1)).toBe(most);
      const least = Math.min(...samples);
      expect(histogram.quantile(q)).toBeGreaterThan(least * 0.988);
      expect(histogram.quantile(q)).toBeLessThanOrEqual(most);
    }),
    { numRuns: 200 },
  );
});

test('what is taken is gone, and memory does not grow with the number of times', () => {
  const times = createTimes();
  for (let nth = 0; nth < 100_000; nth += 1) times.add(1 + (nth % 100) / 100);
  const taken = times.take();
  expect(taken?.at.length).toBeLessThan(2 * 70);
  expect(times.take()).toBeUndefined();
  expect(histogramOf([taken]).count()).toBe(100_000);
});

test('none is nothing', () => {
  const none = histogramOf([undefined]);
  expect([none.count(), none.mean(), none.quantile(0.5), none.quantile(1)]).toEqual([0, 0, 0, 0]);
});

test('two parts are merged by adding what is in equal buckets', () => {
  const [a, b] = [counted([0.1, 0.1, 0.2]), counted([0.1, 0.8])];
  const [merged, together] = [histogramOf([...a, ...b]), histogramOf(counted([0.1, 0.1, 0.2, 0.1, 0.8]))];
  expect(merged.count()).toBe(5);
  for (const q of [0.1, 0.5, 0.7, 0.9, 1]) expect(merged.quantile(q)).toBe(together.quantile(q));
});
