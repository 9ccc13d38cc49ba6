// Arrivals as the server counts them, sent by k6: they are those that were drawn, which `dispersion.test.ts` holds
// against theory. Their own dispersion takes a machine that is quiet for minutes: `npm run bench -- capacity`.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { differenceFromPlan } from '../../fixtures/analytic-targets/differ-from-plan.ts';
import { k6ForTests } from '../../fixtures/kit/programs.ts';
import { type Arrivals, drawnTimes, openArrivals } from './arrivals.ts';

const k6 = await k6ForTests();
const durationMs = 4_000;
const seed = 1;
/** What a generator in time may be late; what is not as drawn differs by more (`differ-from-plan.test.ts`). */
const mostLateMs = 12;
/** A machine that is busy with other things makes a generator late: it may become quiet again. */
const mostLooks = 6;

describe.skipIf(k6 === undefined)('arrivals at the server', () => {
  let open: Arrivals;
  beforeAll(async () => {
    open = await openArrivals();
  });
  afterAll(() => open?.close());

  test.for([
    ['poisson', 20],
    ['poisson', 150],
    ['poisson', 600],
    ['even', 150],
  ] as const)(
    'are those that were drawn: %s, %i per second',
    { timeout: 120_000 },
    async ([arrivals, rate]) => {
      const planned = drawnTimes({ rate, durationMs, seed, arrivals });
      const looks: { readonly sent: number; readonly lateMs: number }[] = [];
      while (looks.length < mostLooks && !looks.some(({ lateMs }) => lateMs <= mostLateMs)) {
        const { times } = await open.of({ rate, durationMs, seed, arrivals });
        looks.push({ sent: times.length, lateMs: differenceFromPlan(times, planned) });
      }
      const [best] = looks.toSorted((a, b) => a.lateMs - b.lateMs);
      expect(best?.lateMs).toBeLessThanOrEqual(mostLateMs);
      // k6 may begin one more as the time ends, and those of the milliseconds by which it ends late.
      expect(best?.sent).toBeGreaterThanOrEqual(planned.length * 0.95);
      expect(best?.sent).toBeLessThanOrEqual(planned.length + 1 + (rate * mostLateMs) / 1_000);
    },
  );
});
