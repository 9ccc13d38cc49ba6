import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { judgeStep, type Put } from '../../fixtures/kit/flow-rehearsal.ts';
import { expectNoGain } from './less-than-nothing.ts';

const { purchase } = areas.general;

/** The wallet at each read, where calls for less than nothing are taken or refused. */
const judged = (balances: readonly number[], status = 200) => {
  let reads = 0;
  return judgeStep(
    (context) => expectNoGain(context, 'leader', purchase, [{ params: { characterName: 'Scout' } }]),
    ({ operation }: Put) => {
      if (operation === purchase.id) return { status, body: {} };
      reads += 1;
      return {
        body: { currencies: [{ currency: 'Coins', balance: balances[reads - 1] ?? balances.at(-1) }] },
      };
    },
  );
};

test.each<[string, readonly number[], number, string]>([
  ['grows with each call', [100, 600, 1100, 1100], 200, 'violation'],
  ['grows once', [100, 600, 600], 200, 'pass'],
  ['grows by itself as well', [100, 600, 1100, 1600], 200, 'pass'],
  ['shrinks', [600, 100, 100], 200, 'pass'],
  ['stays, since the call is refused', [100, 100], 400, 'pass'],
])('a wallet that %s', async (_, balances, status, expected) => {
  expect((await judged(balances, status)).judgement?.kind ?? 'pass').toBe(expected);
});
