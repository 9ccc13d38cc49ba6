import { expect, test } from 'vitest';
import { createSeconds, type Second } from './seconds.ts';

test('a beat closes a second with all that was told since the last one', () => {
  const seconds: Second[] = [];
  const row = (count: number) => ({ operation: 'queue.cancel', answer: '404', count });
  const tick = createSeconds([{ from: 10, to: 10, durationMs: 5_000 }], (second) => seconds.push(second));
  tick({ tally: { wrong: 1, broken: 0, lastNotBroken: 0, answered: 2, latencies: [3, 1], rows: [row(1)] } });
  tick({ left: { place: 3, isOut: false } });
  tick({ tally: { wrong: 0, broken: 0, lastNotBroken: 0, answered: 4, latencies: [2], rows: [row(2)] } });
  tick({ beat: { lateMs: 4, iterations: 9, vus: 3 } });
  tick({ beat: { lateMs: 0, iterations: 20, vus: 2 } });
  expect(seconds).toEqual([
    {
      at: 1,
      offered: 10,
      achieved: 9,
      p50: 2,
      p95: 3,
      requests: 6,
      errors: 1,
      wrong: [row(3)],
      vus: 3,
      lagMs: 4,
    },
    { at: 2, offered: 10, achieved: 11, p50: 0, p95: 0, requests: 0, errors: 0, vus: 2, lagMs: 0 },
  ]);
});
