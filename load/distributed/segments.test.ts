import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seededRandom } from '../../engine/values/random.ts';
import { gridPercents, statOf } from '../k6/options.ts';
import { segmentArgs, shareOf } from '../k6/plan.ts';
import type { ScriptMessage } from '../run/beats.ts';
import { createBeats, mergeMetrics, type Part, quantileOf } from './segments.ts';

const beat = (lateMs: number, iterations: number, vus: number) => ({ beat: { lateMs, iterations, vus } });

function listen(segments: number) {
  const messages: ScriptMessage[] = [];
  return { messages, beats: createBeats(segments, (message) => messages.push(message)) };
}

test('one beat is passed on when all segments have beaten: what they did together, and the latest of them', () => {
  const { messages, beats } = listen(2);
  beats.hears(0, beat(1, 10, 3));
  expect(messages).toEqual([]);
  beats.hears(1, beat(4, 20, 5));
  expect(messages).toEqual([beat(4, 30, 8)]);
});

test('a segment that ended holds nobody up, and what it did stays counted', () => {
  const { messages, beats } = listen(2);
  beats.hears(0, beat(1, 10, 3));
  beats.hears(1, beat(1, 20, 5));
  beats.ended(0);
  beats.hears(1, beat(2, 40, 5));
  expect(messages.at(-1)).toEqual(beat(2, 50, 8));
});

test('tallies are passed on at once, of whichever segment', () => {
  const { messages, beats } = listen(3);
  const tally = { tally: { wrong: 0, broken: 0, lastNotBroken: 1, answered: 1, latencies: [2], rows: [] } };
  beats.hears(2, tally);
  expect(messages).toEqual([tally]);
});

/** As k6 tells a trend whose samples go from one value to another in even steps. */
const trend = (from: number, to: number, count: number) => ({
  values: {
    ...Object.fromEntries(
      gridPercents.map((percent) => [statOf(percent), from + ((to - from) * percent) / 100]),
    ),
    avg: (from + to) / 2,
    med: (from + to) / 2,
    max: to,
    count,
  },
});

test('counters add, and a kind of error that only one segment met is kept', () => {
  const merged = mergeMetrics([
    { iterations: { values: { count: 5, rate: 2 } } },
    { iterations: { values: { count: 7, rate: 3 } }, 'assay_errors{kind:timeout}': { values: { count: 1 } } },
  ]);
  expect(merged.iterations?.values?.count).toBe(12);
  expect(merged['assay_errors{kind:timeout}']?.values?.count).toBe(1);
});

test('a distribution is merged by its samples, its mean by their number, its maximum is the greatest', () => {
  const merged = mergeMetrics([{ d: trend(0, 100, 1_001) }, { d: trend(100, 300, 1_001) }]).d?.values;
  expect(merged?.count).toBe(2_002);
  expect(merged?.avg).toBeCloseTo(125, 9);
  expect(merged?.max).toBe(300);
  expect(merged?.med).toBeCloseTo(100, 0);
  expect(merged?.['p(95)']).toBeCloseTo(280, 0);
});

/** k6's own definition: between the two nearest samples in a straight line. */
function k6Quantile(sorted: readonly number[], q: number): number {
  const at = q * (sorted.length - 1);
  const low = sorted[Math.floor(at)] ?? 0;
  return low + (at - Math.floor(at)) * ((sorted[Math.ceil(at)] ?? 0) - low);
}

/** What a segment tells of its samples. */
function partOf(samples: readonly number[]): Part {
  const sorted = [...samples].sort((a, b) => a - b);
  const points = gridPercents.map((percent) => ({
    rank: percent / 100,
    value: k6Quantile(sorted, percent / 100),
  }));
  return { count: samples.length, points };
}

/** Log-normal latencies in ms around a median. */
function latencies(count: number, median: number, spread: number, seed: number): number[] {
  const random = seededRandom(seed);
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
  const parts = split.map(partOf);
  for (const q of quantiles) {
    const oracle = k6Quantile(all, q);
    expect(Math.abs(quantileOf(parts, q) / oracle - 1), `p${q * 100}`).toBeLessThan(0.01);
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
  expect(quantileOf([partOf([7])], 0.99)).toBe(7);
  expect(quantileOf([partOf([7]), { count: 0, points: [] }], 0.5)).toBe(7);
  expect(quantileOf([partOf([5, 5, 5]), partOf([5, 9])], 0.5)).toBe(5);
  expect(quantileOf([], 0.5)).toBe(0);
});

test('few samples are merged exactly, however they are split', () => {
  const samples = fc.array(fc.integer({ min: 1, max: 10_000 }), { minLength: 1, maxLength: 11 });
  fc.assert(
    fc.property(samples, samples, fc.constantFrom(...quantiles), (a, b, q) => {
      // Ranks of 2, 3, 5, 6 or 11 samples are points of the grid.
      fc.pre([a, b].every(({ length }) => [1, 2, 3, 5, 6, 11].includes(length)));
      const oracle = k6Quantile(
        [...a, ...b].sort((x, y) => x - y),
        q,
      );
      expect(quantileOf([partOf(a), partOf(b)], q)).toBeCloseTo(oracle, 4);
    }),
    { numRuns: 200 },
  );
});

test('segments are equal parts that are named in one sequence', () => {
  expect([0, 1, 2].map((nth) => segmentArgs(nth, 3)[0])).toEqual([
    '--execution-segment=0:1/3',
    '--execution-segment=1/3:2/3',
    '--execution-segment=2/3:1',
  ]);
  expect(segmentArgs(1, 3)[1]).toBe('--execution-segment-sequence=0,1/3,2/3,1');
});

test('one process alone is no segment', () => expect(segmentArgs(0, 1)).toEqual([]));

test('what is bounded for all is bounded for each by its share', () => expect(shareOf(11, 4)).toBe(3));
