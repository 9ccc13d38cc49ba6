import { expect, test } from 'vitest';
import { unitArrivals } from '../arrivals/schedule.ts';
import { dueIn, missingOf } from './missing.ts';
import { sampleStep } from './sample-plan.ts';

const plan = { ...sampleStep, rate: 100, warmupMs: 500, durationMs: 1_500, inFlight: 20 };
const steady = [{ from: 100, to: 100, durationMs: 2_000 }];

test('those of the warm-up are not due in the measured part', () => {
  expect(dueIn(steady, plan)).toBe(150);
  const drawn = unitArrivals(200, plan.seed).filter((at) => at >= 50).length;
  expect(drawn).not.toBe(150);
  expect(dueIn(steady, { ...plan, arrivals: 'poisson' })).toBe(drawn);
});

test('where the rate changes, as many are due as lie under it', () => {
  expect(dueIn([{ from: 0, to: 100, durationMs: 2_000 }], { ...plan, warmupMs: 1_000 })).toBe(75);
});

test('a generator that never came to them misses them', () => {
  expect(missingOf(steady, plan, { told: 60, segments: 1 })).toBe(90);
});

test.each([150, 151, 149, 135])('of 150 that are due %i were told: the rest may be under way', (told) => {
  expect(missingOf(steady, plan, { told, segments: 1 })).toBe(0);
});

test('segments may have more under way together than was asked of all of them', () => {
  const seven = { ...plan, rate: 6, inFlight: 10, warmupMs: 0 };
  const stages = [{ from: 6, to: 6, durationMs: 8_200 }];
  expect(missingOf(stages, seven, { told: 36, segments: 7 })).toBe(0);
  expect(missingOf(stages, seven, { told: 36, segments: 1 })).toBe(13);
});
