import { expect, test } from 'vitest';
import { unitArrivals } from '../arrivals/schedule.ts';
import { differenceFromPlan } from './differ-from-plan.ts';

const rates = [20, 150, 600];
const drawn = (rate: number, seed: number) =>
  unitArrivals(4 * rate, seed).map((unit) => (unit * 1_000) / rate);
const mostMs = 12;

test.each(rates)('at %i/s those that were drawn are, late by a millisecond or all together', (rate) => {
  const planned = drawn(rate, 1);
  expect(differenceFromPlan(planned, planned)).toBe(0);
  const late = planned.map((time, nth) => time + 3_000 + (nth % 2));
  expect(differenceFromPlan(late, planned)).toBeLessThanOrEqual(1);
  // A machine that stands still for a fifth of the time.
  const stalled = planned.map((time) => (time > 1_000 && time < 1_800 ? 1_800 : time));
  expect(differenceFromPlan(stalled, planned)).toBeLessThan(1);
});

test.each(rates)('at %i/s others are not', (rate) => {
  const planned = drawn(rate, 1);
  const even = planned.map((_, nth) => (nth * 1_000) / rate);
  const bursts = planned.map((time) => Math.ceil(time / 200) * 200);
  const half = planned.map((time, nth) => (nth < planned.length * 0.45 ? 0 : time));
  const found = [drawn(rate, 2), even, bursts, half, planned.slice(0, 0.6 * planned.length)].map((times) =>
    differenceFromPlan(times, planned),
  );
  expect(found.filter((difference) => difference <= mostMs)).toEqual([]);
});
