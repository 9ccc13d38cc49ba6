import fc from 'fast-check';
import { expect, test } from 'vitest';
import { arrivalTimes, journeysIn, lengthOf, type Stage, timeOf, unitArrivals } from './schedule.ts';
import { peakOf, ratesText, type Shape, type ShapeName, shapes, stagesOf } from './shapes.ts';

const steady = (rate: number, seconds: number): Stage[] => [
  { from: rate, to: rate, durationMs: seconds * 1_000 },
];

/** Variance over mean of the counts in windows of that many ms; 1 is Poisson. */
function dispersion(times: readonly number[], windowMs: number, lengthMs: number): number {
  const counts = Array.from({ length: Math.floor(lengthMs / windowMs) }, () => 0);
  for (const time of times) {
    const at = Math.floor(time / windowMs);
    if (at < counts.length) counts[at] = (counts[at] ?? 0) + 1;
  }
  const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length;
  return counts.reduce((sum, count) => sum + (count - mean) ** 2, 0) / (counts.length - 1) / mean;
}

test('the same seed gives the same arrivals, another seed others', () => {
  expect(unitArrivals(100, 7)).toEqual(unitArrivals(100, 7));
  expect(unitArrivals(100, 7)).not.toEqual(unitArrivals(100, 8));
});

test('arrivals ascend, and so many of them span so many', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2_000 }), fc.integer(), (count, seed) => {
      const made = unitArrivals(count, seed);
      expect(made).toHaveLength(count);
      expect(made.every((each, nth) => each >= (made[nth - 1] ?? 0) && each < count)).toBe(true);
    }),
    { numRuns: 50 },
  );
});

test.each([20, 150, 600])(
  'Poisson arrivals at %i/s are dispersed as Poisson says, in windows of 10 ms to 1 s',
  (rate) => {
    const stages = steady(rate, 60);
    const dueAt = arrivalTimes(stages, { arrivals: 'poisson', seed: 3 });
    const times = Array.from({ length: journeysIn(stages) }, (_, nth) => dueAt(nth));
    for (const windowMs of [10, 100, 1_000]) {
      const error = Math.sqrt(2 / (60_000 / windowMs));
      expect(Math.abs(dispersion(times, windowMs, 60_000) - 1)).toBeLessThan(0.1 + 3 * error);
    }
  },
);

test('even arrivals are not dispersed', () => {
  const stages = steady(150, 20);
  const dueAt = arrivalTimes(stages, { arrivals: 'even', seed: 3 });
  const times = Array.from({ length: 3_000 }, (_, nth) => dueAt(nth));
  expect(dispersion(times, 100, 20_000)).toBeLessThan(0.02);
});

test('what comes after the longest block goes on as the block did', () => {
  const dueAt = arrivalTimes(steady(1_000, 150), { arrivals: 'poisson', seed: 5 });
  for (const blocks of [1, 2]) expect(dueAt(blocks * 65_536 + 5)).toBeCloseTo(dueAt(5) + blocks * 65_536, 6);
});

test('where the rate rises in a line, twice the time brings four times as many', () => {
  const stages: Stage[] = [{ from: 0, to: 100, durationMs: 10_000 }];
  expect(journeysIn(stages)).toBe(500);
  expect([timeOf(stages, 0), timeOf(stages, 125), timeOf(stages, 500)]).toEqual([0, 5_000, 10_000]);
});

test.each(Object.keys(shapes) as ShapeName[])('%s lasts as long as asked for, behind its warm-up', (name) => {
  expect(lengthOf(stagesOf(shapes[name], 40, 10_000, 1_000))).toBeCloseTo(11_000, 6);
});

test('a warm-up is at the rate that the shape begins with', () => {
  expect(stagesOf(shapes.steady, 40, 10_000, 1_000)).toEqual([{ from: 40, to: 40, durationMs: 11_000 }]);
  expect(stagesOf(shapes.ramp, 40, 10_000, 1_000)[0]).toEqual({ from: 4, to: 4, durationMs: 1_000 });
});

test('a spike goes up to five times the rate', () => {
  expect(peakOf(shapes.spike as Shape, 40)).toBe(200);
});

test.each<[ShapeName, string]>([
  ['smoke', '2 journeys/s'],
  ['steady', '20 journeys/s'],
  ['spike', '20 to 100 journeys/s'],
  ['stress', '10 to 60 journeys/s'],
])('%s at a rate of 20 offers %s', (name, offered) => {
  expect(ratesText(shapes[name], 20)).toBe(offered);
});
