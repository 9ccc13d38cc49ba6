// The summaries of several k6 processes as if one had made them: counters add, distributions are merged. Pure.
import { gridPercents, statOf } from '../../k6/quantile-grid.ts';
import type { Metrics, Values } from '../../run/metrics.ts';
import { type Part, quantileOf } from './order-statistic.ts';

const told = { med: 0.5, 'p(95)': 0.95, 'p(99)': 0.99, 'p(99.9)': 0.999 } as const;

/** @param summaries of segments, made with a trend's quantiles at every rank of the grid */
export function mergeMetrics(summaries: readonly Metrics[]): Metrics {
  const names = new Set(summaries.flatMap((metrics) => Object.keys(metrics)));
  const merged = [...names].map((name): [string, { values: Values }] => {
    const parts = summaries.map((metrics): Values => metrics[name]?.values ?? {});
    const isTrend = parts.some((values) => values['p(95)'] !== undefined);
    return [name, { values: isTrend ? mergedTrend(parts) : added(parts) }];
  });
  return Object.fromEntries(merged);
}

/** Of counters only `count` means anything when added. */
const added = (parts: readonly Values[]): Values => ({ count: sum(parts.map(({ count }) => count)) });

function mergedTrend(parts: readonly Values[]): Values {
  const distributions = parts.map(distributionOf);
  const count = sum(parts.map((values) => values.count));
  const total = sum(parts.map((values) => (values.avg ?? 0) * (values.count ?? 0)));
  const quantiles = Object.entries(told).map(([stat, q]) => [stat, quantileOf(distributions, q)]);
  return {
    ...Object.fromEntries(quantiles),
    avg: count > 0 ? total / count : 0,
    max: Math.max(0, ...parts.map(({ max = 0 }) => max)),
    count,
  };
}

function distributionOf(values: Values): Part {
  const points = gridPercents.flatMap((percent) => {
    const value = values[statOf(percent)];
    return typeof value === 'number' && Number.isFinite(value) ? [{ rank: percent / 100, value }] : [];
  });
  return { count: values.count ?? 0, points };
}

const sum = (values: readonly (number | undefined)[]): number =>
  values.reduce<number>((all, value) => all + (value ?? 0), 0);
