import { expect, test } from 'vitest';
import { hostiles } from '../../fixtures/hostile/all.ts';
import { attacks, suites } from '../run/suites.ts';
import { drawnFor } from './trial.ts';

const all = [...suites, ...attacks].flatMap(({ checks }) => checks.map(({ id }) => id));

test('a drawn trial asks whole flows and all rules of an operation, another share of each server', () => {
  const shares = hostiles.filter(({ whole }) => !whole).map((hostile) => drawnFor(hostile, all));
  for (const { planned, only } of shares) {
    expect(planned.length).toBeGreaterThan(all.length / 10);
    expect(planned.length).toBeLessThan(all.length / 3);
    expect(only.some((word) => word.endsWith('/*'))).toBe(true);
    expect(only.some((word) => word.endsWith('#*'))).toBe(true);
  }
  const asked = new Set(shares.flatMap(({ planned }) => planned));
  expect(asked.size).toBeGreaterThan(0.95 * all.length);
});
