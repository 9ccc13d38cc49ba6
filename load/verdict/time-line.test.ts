import { expect, test } from 'vitest';
import type { Second } from '../run/seconds.ts';
import { recoveryIn, trendIn } from './time-line.ts';

const line = (p95s: readonly (readonly [offered: number, p95: number, errors?: number])[]): Second[] =>
  p95s.map(([offered, p95, errors = 0], at) => ({
    at: at + 1,
    offered,
    achieved: offered,
    p50: p95 / 2,
    p95,
    requests: 100,
    errors,
    vus: 1,
    lagMs: 0,
  }));
const calm = [10, 20] as const;

test('who is as fast after the spike as before has come back, whatever the spike did', () => {
  const seconds = line([calm, calm, [50, 900], [50, 900], [10, 600], calm, calm, calm]);
  expect(recoveryIn(seconds)).toEqual({ recovered: true, beforeMs: 20, afterMs: 20 });
});

test('who stays slow, or wrong, has not', () => {
  const stuck = [10, 300] as const;
  expect(recoveryIn(line([calm, [50, 900], stuck, stuck, stuck, stuck])).recovered).toBe(false);
  const wrong = [10, 20, 30] as const;
  expect(recoveryIn(line([calm, [50, 900], wrong, wrong, wrong, wrong])).recovered).toBe(false);
});

test('who was not seen after the spike has not', () => {
  expect(recoveryIn(line([calm, calm, [50, 20]])).recovered).toBe(false);
});

test('latency or errors that grow from the first quarter to the last are a trend', () => {
  expect(trendIn(line([calm, calm, calm, calm])).worse).toBe(false);
  expect(trendIn(line([calm, [10, 30], [10, 40], [10, 50]])).worse).toBe(true);
  expect(trendIn(line([calm, calm, calm, [10, 20, 5]])).worse).toBe(true);
});
