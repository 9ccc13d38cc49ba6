import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { exchangeOf } from '../../fixtures/kit/exchanges.ts';
import { poll } from './polling.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Polls a target that shows a change from `shownAt` on, in ms, by looks that are answered so long after they were asked. */
async function polled(shownAt: number, takesMs: (look: number) => number, status = 200) {
  const begun = performance.now();
  let samples = 0;
  const look = async () => {
    const shows = performance.now() - begun >= shownAt;
    samples += 1;
    await new Promise((resolve) => setTimeout(resolve, takesMs(samples)));
    return exchangeOf({ status, body: { shows } });
  };
  const polling = poll(look, ({ response }) => Buffer.from(response?.body ?? []).includes('true'));
  await vi.runAllTimersAsync();
  return { ...(await polling), samples };
}

test('reports no wait when the first read shows the value', async () => {
  expect(await polled(0, () => 5)).toMatchObject({ holds: true, waitedMs: 0, samples: 1 });
});

test('what shows in time is seen, and how long it took is reported', async () => {
  const { holds, waitedMs } = await polled(1_700, () => 5);
  expect(holds).toBe(true);
  expect(waitedMs).toBeGreaterThan(1_700);
});

test('what never shows is given up after two seconds', async () => {
  const { holds, waitedMs, samples } = await polled(Number.POSITIVE_INFINITY, () => 5);
  expect(holds).toBe(false);
  expect(waitedMs).toBeGreaterThan(1_750);
  expect(waitedMs).toBeLessThan(2_300);
  expect(samples).toBeLessThan(15);
});

test('reads once more when a slow answer was requested before the time was over', async () => {
  expect(await polled(500, (look) => (look === 2 ? 3_000 : 5))).toMatchObject({ holds: true, samples: 3 });
});

test('where every answer takes long, two looks are enough', async () => {
  expect(await polled(Number.POSITIVE_INFINITY, () => 10_000)).toMatchObject({ holds: false, samples: 2 });
});

test('a server error ends it', async () => {
  expect(await polled(Number.POSITIVE_INFINITY, () => 5, 500)).toMatchObject({ holds: false, samples: 1 });
});
