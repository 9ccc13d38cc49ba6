import { expect, test } from 'vitest';
import { unitArrivals } from '../arrivals/schedule.ts';
import { dispersion } from './dispersion.ts';

const windows = [10, 100, 1_000];

test.each(windows)('Poisson arrivals have an index of 1 in windows of %i ms', (windowMs) => {
  const times = unitArrivals(30_000, 3).map((unit) => unit * (1_000 / 150));
  const { index, error } = dispersion(times, windowMs);
  expect(Math.abs(index - 1)).toBeLessThan(3 * error);
});

test.each(windows)('even arrivals have an index near 0 in windows of %i ms', (windowMs) => {
  const times = Array.from({ length: 6_000 }, (_, nth) => nth * 2);
  expect(dispersion(times, windowMs).index).toBeLessThan(0.01);
});

test('arrivals in pairs have an index of 2', () => {
  const times = unitArrivals(30_000, 5).flatMap((unit) => [unit * 10, unit * 10]);
  expect(dispersion(times, 1_000).index).toBeCloseTo(2, 0);
});
