import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomFrom } from '../../arrivals/random.ts';
import { gridPercents } from '../../k6/quantile-grid.ts';
import { type Part, quantileOf } from './order-statistic.ts';

/** k6's own definition: between the two nearest samples in a straight line. */
function k6Quantile(sorted: readonly number[], q: number): number {
  const at = q * (sorted.length - 1);
  const low = sorted[Math.floor(at)] ?? 0;
  return low + (at - Math.floor(at)) * ((sorted[Math.ceil(at)] ?? 0) - low);
}

/** What a segment tells of its samples. */
function told(samples: readonly number[]): Part {
  const sorted = [...samples].sort((a, b) => a - b);
  const points = gridPercents.map((percent) => ({
    rank: percent / 100,
    value: k6Quantile(sorted, percent / 100),
  }));
  return { count: samples.length, points };
}

/** Log-normal latencies in ms around a median. */
function latencies(count: number, median: number, spread: number, seed: number): number[] {
  const random = randomFrom(seed);
  return Array.from(
    { length: count },
    () =>
      median * Math.exp(spread * Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())),
  );
}

const quantiles = [0.5, 0.9, 0.95, 0.99, 0.999];

test('of an uneven split every merged quantile is within 1 % of that of all samples', () => {
  // Most go through a fast segment; the slow one has a tail of its own, and decides the tail of all.
  const split = [latencies(40_000, 8, 0.4, 1), latencies(7_000, 30, 0.8, 2), latencies(300, 3, 0.2, 3)];
  const all = split.flat().sort((a, b) => a - b);
  const parts = split.map(told);
  for (const q of quantiles) {
    const truth = k6Quantile(all, q);
    expect(Math.abs(quantileOf(parts, q) / truth - 1), `p${q * 100}`).toBeLessThan(0.01);
  }
  const averaged =
    split.reduce(
      (sum, each) =>
        sum +
        k6Quantile(
          each.toSorted((a, b) => a - b),
          0.99,
        ),
      0,
    ) / 3;
  expect(
    Math.abs(averaged / k6Quantile(all, 0.99) - 1),
    'averaging their own p99 is another number',
  ).toBeGreaterThan(0.2);
});

test('a part of one sample, an empty one and equal samples are merged as what they are', () => {
  expect(quantileOf([told([7])], 0.99)).toBe(7);
  expect(quantileOf([told([7]), { count: 0, points: [] }], 0.5)).toBe(7);
  expect(quantileOf([told([5, 5, 5]), told([5, 9])], 0.5)).toBe(5);
  expect(quantileOf([], 0.5)).toBe(0);
});

test('few samples are merged exactly, however they are split', () => {
  const samples = fc.array(fc.integer({ min: 1, max: 10_000 }), { minLength: 1, maxLength: 11 });
  fc.assert(
    fc.property(samples, samples, fc.constantFrom(...quantiles), (a, b, q) => {
      // Ranks of 2, 3, 5, 6 or 11 samples are points of the grid.
      fc.pre([a, b].every(({ length }) => [1, 2, 3, 5, 6, 11].includes(length)));
      const truth = k6Quantile(
        [...a, ...b].sort((x, y) => x - y),
        q,
      );
      expect(quantileOf([told(a), told(b)], q)).toBeCloseTo(truth, 4);
    }),
    { numRuns: 200 },
  );
});
