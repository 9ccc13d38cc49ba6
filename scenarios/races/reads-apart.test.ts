import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { exchangeOf } from '../../fixtures/kit/exchanges.ts';
import { type Put, rehearseFlow } from '../../fixtures/kit/flow-rehearsal.ts';
import races from '../races.ts';

const { currencies } = areas.general;

interface Wallets {
  /** What players have who claimed a gift, and what all others have. */
  readonly gained: number;
  readonly had: number;
  /** Whose wallet each of those is shown who read at one moment. */
  readonly shownTo: (player: number) => number;
}

/** How wallets end that are read at one moment, and name nobody. */
async function read({ gained, had, shownTo }: Wallets, changes = false) {
  const rich = new Set<number>();
  let [reads, nth] = [0, 0];
  const wallet = (player: number) => {
    if (changes) reads += 1;
    const lists = [
      { currency: 'coins', amount: rich.has(player) ? gained : had },
      { currency: 'gems', amount: 5 },
    ];
    nth += 1;
    return { status: 200, body: { wallets: nth % 2 === 0 ? lists : lists.toReversed(), reads } };
  };
  const script = ({ operation, player }: Put) => {
    if (operation === 'mysteryBox.claim') rich.add(player);
    return operation === currencies.id ? wallet(player) : { body: {} };
  };
  const { play } = rehearseFlow(script, {
    flows: {
      attacksBriefly: true,
      burst: async (calls) => ({
        ok: true,
        exchanges: calls.map(({ player }) => exchangeOf(wallet(shownTo(player?.account ?? 0)))),
      }),
    },
  });
  const [judgement] = await play(races, 'reads-general-currencies');
  return judgement;
}

test('a wallet that names nobody is told apart by what one player gained, in whichever order its lists stand', async () => {
  expect(await read({ gained: 150, had: 100, shownTo: (player) => player })).toMatchObject({ kind: 'pass' });
  expect(await read({ gained: 150, had: 100, shownTo: () => 2 })).toMatchObject({
    kind: 'violation',
    actual: 'just what another player reads alone, in round 1 of 1, 8 at one moment',
  });
});

test('who gained something may be shown an older copy', async () => {
  const old = (player: number) => (player % 2 === 0 ? player - 1 : player);
  expect(await read({ gained: 150, had: 100, shownTo: old })).toMatchObject({ kind: 'pass' });
});

test('nothing is told apart where all have the same, or where each read differs', async () => {
  expect(await read({ gained: 100, had: 100, shownTo: () => 1 })).toMatchObject({ reason: 'needs-state' });
  const changing = await read({ gained: 150, had: 100, shownTo: (player) => player }, true);
  expect(changing).toMatchObject({ reason: 'needs-state' });
});
