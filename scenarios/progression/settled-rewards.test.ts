import { expect, test } from 'vitest';
import { rehearseFlow, withoutWaits } from '../../fixtures/kit/flow-rehearsal.ts';
import progression from '../progression.ts';

/** The judgement of rewards on a server that gives so much with each call, in turn, beside a clock in the wallet. */
async function judged(gifts: readonly number[], playedBefore = false) {
  let [points, calls, clock] = [100, 0, 0];
  const { play } = rehearseFlow(
    ({ operation }) => {
      if (operation === 'onboarding.reconcileRewards') points += gifts[calls++] ?? 0;
      clock += 1;
      const at = `2026-01-01T00:00:${String(clock % 60).padStart(2, '0')}Z`;
      return { body: { currencies: [{ currency: 'Points', balance: points }], at } };
    },
    playedBefore ? { flows: { actors } } : {},
  );
  const [judgement] = await withoutWaits(() => play(progression, 'onboarding-rewards-once'));
  return judgement;
}

const actors = async () => ({
  ok: true as const,
  players: [1, 2].map((account) => ({ name: `player ${account}`, account }) as never),
  playedBefore: true,
  trace: undefined,
});

test('what is given once passes', async () => {
  expect(await judged([50])).toMatchObject({ kind: 'pass' });
});

test('what the second call alone gives is a violation', async () => {
  expect(await judged([0, 50])).toMatchObject({ kind: 'violation' });
});

test('where the first call gave nothing, there is nothing to give again', async () => {
  expect(await judged([])).toMatchObject({ kind: 'not-applicable', reason: 'not-triggered' });
});

test('who played before may have got it then', async () => {
  expect(await judged([], true)).toMatchObject({ kind: 'observed', behaviour: 'already used' });
});
