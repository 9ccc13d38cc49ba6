// Arrivals as the server counts them, sent by k6.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../../fixtures/files/checkout.ts';
import { k6ForTests } from '../install/for-tests.ts';
import { dispersion } from './dispersion.ts';
import { type Arrivals, openArrivals } from './measure.ts';

const k6 = await k6ForTests();
const { PATH, HOME, CI, XDG_CACHE_HOME, K6_BIN } = process.env;
const env = { PATH, HOME, CI, XDG_CACHE_HOME, K6_BIN };
/** A generator that is late by itself sends in bursts, whatever it was told: such a look says nothing. */
const mostLagMs = 8;
const mostLooks = 4;

interface Look {
  readonly times: readonly number[];
  readonly lagMs: number;
}

describe.skipIf(k6 === undefined)('arrivals at the server', () => {
  let open: Arrivals;
  beforeAll(async () => {
    open = await openArrivals({ env, cwd: root, signal: new AbortController().signal });
  });
  afterAll(() => open?.close());

  /** The first look that is as wanted, or else the one whose generator was the least late. */
  async function looked(
    rate: number,
    arrivals: 'poisson' | 'even',
    isAsWanted: (times: readonly number[]) => boolean,
  ): Promise<Look> {
    const looks: Look[] = [];
    for (let seed = 1; seed <= mostLooks; seed += 1) {
      const look = await open.of({ rate, durationMs: 4_000, seed, arrivals });
      expect(look.times.length).toBeGreaterThan(3 * rate);
      if (look.lagMs <= mostLagMs && isAsWanted(look.times)) return look;
      looks.push(look);
    }
    return looks.sort((a, b) => a.lagMs - b.lagMs)[0] as Look;
  }

  const windowsMs = [10, 100, 1_000];
  const farFromPoisson = (times: readonly number[]) =>
    windowsMs.filter((windowMs) => {
      const { index, error } = dispersion(times, windowMs);
      return Math.abs(index - 1) > 0.1 + 3 * error;
    });
  const uneven = (times: readonly number[]) =>
    windowsMs.slice(1).filter((windowMs) => dispersion(times, windowMs).index >= 0.3);

  test.for([20, 150, 600])('are Poisson at %i per second', { timeout: 90_000 }, async (rate, context) => {
    const { times, lagMs } = await looked(rate, 'poisson', (times) => farFromPoisson(times).length === 0);
    if (lagMs > mostLagMs && !CI) return context.skip('this machine is too busy to send in time');
    expect(farFromPoisson(times), 'windows in ms').toEqual([]);
  });

  test('are even where that is asked for', { timeout: 90_000 }, async (context) => {
    const { times, lagMs } = await looked(150, 'even', (times) => uneven(times).length === 0);
    if (lagMs > mostLagMs && !CI) return context.skip('this machine is too busy to send in time');
    expect(uneven(times), 'windows in ms').toEqual([]);
  });
});
