import { expect, test } from 'vitest';
import { checkedCapacityOptions, type RawCapacityOptions } from './capacity-options.ts';

const raw: RawCapacityOptions = {
  slo: 'p95=80ms',
  start: 50,
  maxRate: 2000,
  arrivals: 'poisson',
  out: 'reports/out',
};

test('a quantile beyond p95 has more time', () => {
  expect(checkedCapacityOptions(raw).budgetMs).toBe(420_000);
  expect(checkedCapacityOptions({ ...raw, slo: 'p99=80ms' }).budgetMs).toBe(600_000);
  expect(checkedCapacityOptions({ ...raw, budget: 60_000 }).budgetMs).toBe(60_000);
});

test.each([
  [{ slo: undefined }, 'no --slo; say what the target has to keep'],
  [{ slo: 'p95' }, '--slo: "p95"; expected bounds'],
  [{ slo: 'errors=1%' }, '--slo: no bound on latency'],
  [{ start: 3000 }, '--start: 3000 is above --max-rate 2000'],
  [{ arrivals: 'random' }, '--arrivals: "random"; expected poisson or even'],
])('%j is refused', (over, message) => {
  const { slo = undefined, ...rest } = { ...raw, ...over };
  expect(() => checkedCapacityOptions({ ...rest, ...(slo !== undefined && { slo }) })).toThrow(message);
});

test('all mistakes are reported at once', () => {
  expect(() => checkedCapacityOptions({ ...raw, start: 3000, arrivals: 'y' })).toThrow(
    /--start(.|\n)*--arrivals/,
  );
});
