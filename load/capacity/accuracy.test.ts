// The search against models whose capacity is known by theory, each drawn by its seed: how often it is right.
import { describe, expect, test } from 'vitest';
import { drawOracle, type Oracle, type OracleKind } from '../../fixtures/analytic-targets/models.ts';
import { simulatedSearch } from '../../fixtures/kit/simulated-target.ts';
import type { SearchOutcome } from './model.ts';

interface Case {
  readonly oracle: Oracle;
  readonly outcome: SearchOutcome;
  readonly seconds: number;
  readonly steps: number;
}

/** The constants of the search were set on seeds below 1,000. */
const firstSeed = 1_000;

function searched(kind: OracleKind, count: number, name: 'p95' | 'p99' = 'p95'): Case[] {
  const quantile = name === 'p95' ? 0.95 : 0.99;
  return Array.from({ length: count }, (_, nth) => {
    const seed = firstSeed + nth;
    const { oracle, model } = drawOracle(kind, seed, quantile);
    const bounds = [{ name, quantile, ms: oracle.slo.ms }];
    const { search, outcome } = simulatedSearch(model, {
      slo: { bounds, errors: oracle.errors },
      seed: seed * 1_000,
      budgetMs: budget[name] * 1_000,
    });
    return { oracle, outcome, seconds: search.spentMs / 1_000, steps: search.taken.length };
  });
}

const budget = { p95: 420, p99: 600 };

const isClose = ({ oracle, outcome }: Case) =>
  oracle.verdicts.includes(outcome.verdict) &&
  oracle.capacity !== undefined &&
  Math.abs((outcome.capacity ?? 0) / oracle.capacity - 1) <= 0.05;
const isInside = ({ oracle, outcome }: Case) => {
  const [low, high] = outcome.interval;
  return (low ?? 0) <= (oracle.capacity ?? 0) && (high ?? 0) >= (oracle.capacity ?? 0);
};
const share = (cases: readonly Case[], holds: (each: Case) => boolean) =>
  cases.filter(holds).length / cases.length;

const queues = {
  p95: [...searched('mmc', 110), ...searched('collapsing', 60), ...searched('slow-start', 40)],
  p99: [...searched('mmc', 60, 'p99'), ...searched('collapsing', 30, 'p99')],
};
const limits = [...searched('limiter', 60), ...searched('errors-first', 40)];
const wrong = [...searched('losing', 60), ...searched('doubling', 40)];
const bad = {
  leaking: searched('leaking', 40),
  stalling: searched('stalling', 40),
  backlog: searched('backlog', 40),
};
const all = [...queues.p95, ...queues.p99, ...limits, ...wrong, ...Object.values(bad).flat()];

describe('the search, over 620 drawn targets', () => {
  test('is within 5 % of the true capacity in 95 % of the cases where a p95 is bounded', () => {
    expect(share([...queues.p95, ...limits], isClose)).toBeGreaterThanOrEqual(0.95);
  });

  test('is within 5 % of the true capacity in 93 % of the cases where a p99 is bounded', () => {
    expect(share(queues.p99, isClose)).toBeGreaterThanOrEqual(0.93);
  });

  test('gives an interval that holds the true capacity in 93 % of the cases', () => {
    expect(share([...queues.p95, ...queues.p99, ...limits], isInside)).toBeGreaterThanOrEqual(0.93);
  });

  test.each(Object.entries(bad))(
    'finds out that a %s target has no capacity to report, in 95 %',
    (_, cases) => {
      const isRight = ({ oracle, outcome }: Case) =>
        outcome.verdict === 'FOUND'
          ? isInside({ oracle, outcome } as Case)
          : oracle.verdicts.includes(outcome.verdict);
      expect(share(cases, isRight)).toBeGreaterThanOrEqual(0.95);
    },
  );

  test('is within 5 % of the rate above which effects are lost or doubled in 95 % of the cases', () => {
    expect(share(wrong, isClose)).toBeGreaterThanOrEqual(0.95);
    expect(share(wrong, isInside)).toBeGreaterThanOrEqual(0.93);
  });

  test('ends with ERRORS where answers go wrong before they go slow', () => {
    const first = limits.filter(({ oracle }) => oracle.kind === 'errors-first');
    expect(share(first, ({ outcome }) => outcome.verdict === 'ERRORS')).toBeGreaterThanOrEqual(0.95);
  });

  test('keeps to its budget of time and steps, always', () => {
    expect(
      Math.max(...all.filter(({ oracle }) => oracle.slo.quantile === 0.95).map((each) => each.seconds)),
    ).toBeLessThanOrEqual(420);
    expect(Math.max(...all.map((each) => each.seconds))).toBeLessThanOrEqual(600);
    expect(Math.max(...all.map((each) => each.steps))).toBeLessThanOrEqual(60);
  });

  test('takes less than 240 s in half of the cases where a p95 is bounded', () => {
    const seconds = [...queues.p95, ...limits].map((each) => each.seconds).sort((a, b) => a - b);
    expect(seconds[seconds.length >> 1]).toBeLessThan(240);
  });
});
