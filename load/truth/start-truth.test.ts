import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningTruth, startTruth } from './start-truth.ts';

describe('a truth server', () => {
  const running: RunningTruth[] = [];
  const started = async (...how: Parameters<typeof startTruth>) => {
    const truth = await startTruth(...how);
    running.push(truth);
    return truth;
  };
  let limiter: RunningTruth;
  beforeAll(async () => {
    limiter = await started('limiter', 3);
  });
  afterAll(() => Promise.all(running.map((each) => each.close())));

  test('answers the interface, model or not', async () => {
    const answer = await fetch(`${limiter.url}/api/v1/config`);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toBeTypeOf('object');
  });

  test('answers as its model says once it is armed, and counts who came', async () => {
    await limiter.arm();
    const most = Number(/^\d+/.exec(limiter.truth.drawn)?.[0]);
    const statuses: number[] = [];
    // One window may end meanwhile, two cannot: some are refused.
    for (let sent = 0; sent < 3 * most; sent += 50) {
      const answers = await Promise.all(
        Array.from({ length: 50 }, () => fetch(`${limiter.url}/api/v1/config`)),
      );
      statuses.push(...answers.map(({ status }) => status));
      for (const answer of answers) await answer.arrayBuffer();
    }
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    const arrivals = await limiter.arrivals();
    expect(arrivals).toHaveLength(statuses.length);
    expect(arrivals).toEqual([...arrivals].sort((a, b) => a - b));
  });

  test('the same seed draws the same truth, another one another', async () => {
    const again = await started('limiter', 3);
    expect(again.truth).toEqual(limiter.truth);
    expect((await started('limiter', 4)).truth).not.toEqual(limiter.truth);
  });

  test('takes as long as its model, to a millisecond', async () => {
    const pool = await started('errors-first', 1);
    await pool.arm();
    const times: number[] = [];
    for (let nth = 0; nth < 60; nth += 1) {
      const before = performance.now();
      await (await fetch(`${pool.url}/api/v1/config`)).arrayBuffer();
      times.push(performance.now() - before);
    }
    const mean = Number(/held for ([\d.]+) ms/.exec(pool.truth.drawn)?.[1]);
    const measured = times.reduce((sum, each) => sum + each, 0) / times.length;
    // An exponential time's mean of 60 has a standard error of 13 %.
    expect(Math.abs(measured / mean - 1)).toBeLessThan(0.6);
  });
});
