import { expect, test } from 'vitest';
import { median, quantile } from './quantile.ts';

test('a quantile is one of the values, in any order; of none it is no number', () => {
  expect([median([9, 1, 10]), median([4, 1]), median([])]).toEqual([9, 4, Number.NaN]);
  expect([quantile([9, 1, 10, 2], 0.75), quantile([5], 0.95)]).toEqual([10, 5]);
});
