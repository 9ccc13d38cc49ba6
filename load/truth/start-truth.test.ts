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
    // All at once they come within two windows, unless this machine stands still: then again.
    for (let burst = 0; burst < 8 && !statuses.includes(429); burst += 1) {
      const answers = await Promise.all(
        Array.from({ length: 3 * most }, () => fetch(`${limiter.url}/api/v1/config`)),
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
});
