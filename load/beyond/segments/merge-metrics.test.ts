import { expect, test } from 'vitest';
import { gridPercents, statOf } from '../../k6/quantile-grid.ts';
import { mergeMetrics } from './merge-metrics.ts';

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
