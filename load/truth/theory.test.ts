import { describe, expect, test } from 'vitest';
import { erlangB, erlangC, lossCapacity, queueCapacity, sojournTail, windowCapacity } from './theory.ts';

describe('the M/M/c queue', () => {
  test('with one server its time is exponential: P(T > t) = e^−(μ−λ)t', () => {
    expect(sojournTail({ servers: 1, meanMs: 10 }, 60, 50)).toBeCloseTo(Math.exp(-2), 12);
    expect(queueCapacity({ servers: 1, meanMs: 10 }, 0.95, 60)).toBeCloseTo(100 - Math.log(20) / 0.06, 6);
  });

  test('waits as Erlang tabled it', () => {
    expect(erlangB(10, 5)).toBeCloseTo(0.018385, 6);
    expect(erlangC(10, 5)).toBeCloseTo(0.036105, 6);
  });

  test('of four servers of 20 ms takes 82.6 ms at the 95th percentile of 150 per second', () => {
    expect(sojournTail({ servers: 4, meanMs: 20 }, 150, 82.6)).toBeCloseTo(0.05, 3);
  });

  test('has no pole where the load leaves exactly one server idle', () => {
    const at = (rate: number) => sojournTail({ servers: 4, meanMs: 20 }, rate, 50);
    expect(at(150)).toBeCloseTo((at(149.999) + at(150.001)) / 2, 9);
  });
});

test('a pool of ten loses 1.8 % of five Erlangs', () => {
  expect(lossCapacity({ servers: 10, meanMs: 1_000 }, 0.018385)).toBeCloseTo(5, 4);
});

test('a limiter refuses what a Poisson number has above its limit', () => {
  // Of a mean of 1, one in a window passes: E(N − 1)+ = e⁻¹.
  expect(windowCapacity(1, 1_000, Math.exp(-1))).toBeCloseTo(1, 6);
});
