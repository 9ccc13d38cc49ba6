// Arrivals as the server counts them, sent by k6.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../../fixtures/check/schedule/vitest-options.ts';
import { k6ForTests } from '../install/for-tests.ts';
import { dispersion } from './dispersion.ts';
import { type Arrivals, openArrivals } from './measure.ts';

const k6 = await k6ForTests();
const { PATH, HOME, CI, XDG_CACHE_HOME, K6_BIN } = process.env;
const env = { PATH, HOME, CI, XDG_CACHE_HOME, K6_BIN };
/** A generator that is late by itself sends in bursts, whatever it was told: that look says nothing. */
const mostLagMs = 8;
const mostLooks = 2;

describe.skipIf(k6 === undefined)('arrivals at the server', () => {
  let open: Arrivals;
  beforeAll(async () => {
    open = await openArrivals({ env, cwd: root, signal: new AbortController().signal });
  });
  afterAll(() => open?.close());

  async function looked(rate: number, arrivals: 'poisson' | 'even'): Promise<readonly number[] | undefined> {
    for (let seed = 1; seed <= mostLooks; seed += 1) {
      const { times, lagMs } = await open.of({ rate, durationMs: 4_000, seed, arrivals });
      expect(times.length).toBeGreaterThan(3 * rate);
      if (lagMs <= mostLagMs) return times;
    }
    return undefined;
  }

  test.for([20, 150, 600])('are Poisson at %i per second', { timeout: 90_000 }, async (rate, context) => {
    const times = await looked(rate, 'poisson');
    if (times === undefined && !CI) return context.skip('this machine is too busy to send evenly');
    for (const windowMs of [10, 100, 1_000]) {
      const { index, error } = dispersion(times ?? [], windowMs);
      expect(Math.abs(index - 1), `windows of ${windowMs} ms`).toBeLessThanOrEqual(0.1 + 3 * error);
    }
  });

  test('are even where that is asked for', { timeout: 90_000 }, async (context) => {
    const times = await looked(150, 'even');
    if (times === undefined && !CI) return context.skip('this machine is too busy to send evenly');
    for (const windowMs of [100, 1_000])
      expect(dispersion(times ?? [], windowMs).index, `windows of ${windowMs} ms`).toBeLessThan(0.3);
  });
});
