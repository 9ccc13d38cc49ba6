import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import type { Snapshot } from '../../engine/flow/snapshot.ts';
import type { StepContext } from '../../engine/flow/step-context.ts';
import { Stop } from '../../engine/judgement.ts';
import { exchangeOf } from '../../fixtures/kit/exchanges.ts';
import { amountsIn, changesOf, expectOnce, movementsIn, namesIn, statedPricesIn } from './effects.ts';

const answer = (body: unknown) => exchangeOf({ status: 200, body });
const listed = (coins: number) => ({
  currencies: [
    { currency: 'Coins', balance: coins },
    { currency: 'Gems', balance: 500 },
  ],
});
const mapped = (coins: number) => ({ wallet: { coins, gems: 500 } });

test.each([
  ['a list', listed(100), listed(350)],
  ['a map', mapped(100), mapped(350)],
])('a balance that moved is found in a wallet that is %s', (_, before, after) => {
  expect(movementsIn(answer(before), answer(after))).toMatchObject([{ was: 100, is: 350 }]);
  expect(movementsIn(answer(before), answer(before))).toEqual([]);
});

/** What is said of a balance that moved from 100 to 600, where the answer to the call is this. */
function said(of: unknown, wallet: (coins: number) => unknown = listed) {
  const context = {
    expect: (holds: boolean) => {
      if (!holds) throw new Error('twice');
    },
    cannotTell: (reason: string): never => {
      throw new Error(reason);
    },
  };
  try {
    expectOnce(context, [answer(wallet(100)), answer(wallet(600))], [answer(of)]);
    return 'once';
  } catch (error) {
    return error instanceof Stop ? 'stopped' : (error as Error).message;
  }
}

test.each([
  ['the amount', { rewards: [{ currency: 'coins', amount: 500 }] }, 'once'],
  ['the amount by its currency', { rewards: { coins: 500 } }, 'once'],
  ['half of it', { rewards: [{ currency: 'Coins', amount: 250 }] }, 'twice'],
  [
    'half of it, which counts double',
    { rewards: [{ currency: 'Coins', amount: 250, factor: 2 }] },
    'needs-state',
  ],
  ['both', { base: { coins: 250 }, given: { coins: 500 } }, 'once'],
  ['half of it in another currency', { rewards: [{ currency: 'Gems', amount: 250 }] }, 'needs-state'],
  ['a balance of half of it', { currencies: [{ currency: 'Coins', balance: 250 }] }, 'needs-state'],
  ['nothing', {}, 'needs-state'],
])('an answer that names %s', (_, of, expected) => {
  expect(said(of)).toBe(expected);
});

test('a wallet that is a map is read alike', () => {
  expect(said({ reward: { coins: 250 } }, mapped)).toBe('twice');
  expect(said({ reward: { coins: 500 }, wallet: { coins: 600 } }, mapped)).toBe('once');
});

test('a price counts in a currency of the wallet alone', () => {
  const wallet = answer(listed(100));
  expect(statedPricesIn(answer({ cost: { currency: 'Coins', amount: 300 } }), wallet)).toEqual([300]);
  expect(statedPricesIn(answer({ cost: { currency: 'Euro', amount: 300 } }), wallet)).toEqual([]);
  expect(statedPricesIn(answer({ cost: { currency: 'Coins', amount: 0 } }), wallet)).toEqual([0]);
  expect(statedPricesIn(answer(listed(300)), wallet)).toEqual([]);
});

test('names are the texts that came, each once, without those of a letter or two, and without times', () => {
  const change = {
    after: answer({}),
    went: [],
    came: ['"Cleo"', '5', 'true', '"Cleo"', '"a"', '"2026-11-30T14:31:42+00:00"'],
  };
  expect(namesIn([change])).toEqual(['Cleo']);
});

test('a place that the run saw change by itself is no change, however alike the samples were before', async () => {
  const read = areas.game.inventories;
  const shown = (servedBy: string, items: readonly string[]) => {
    const exchange = answer({ servedBy, items });
    return { exchange, samples: [exchange], read: async () => exchange } as unknown as Snapshot;
  };
  const context = (...places: readonly string[]) =>
    ({
      wandering: () => new Set(places),
      lastingChange: async () => shown('m-2', ['a', 'b']),
    }) as unknown as StepContext<'buyer'>;
  const before = new Map([[read, shown('m-1', ['a'])]]);
  const came = async (...places: readonly string[]) =>
    namesOf(await changesOf(context(...places), { own: before, idle: new Map() }));
  const beside = async (servedBy: string) =>
    namesOf(
      await changesOf(context(), {
        own: before,
        idle: new Map([[areas.general.currencies, shown(servedBy, ['b'])]]),
      }),
    );
  const namesOf = (changes: Awaited<ReturnType<typeof changesOf>>) =>
    [...changes.values()].flatMap((each) => each.came);
  expect(await came()).toEqual(['"m-2"', '"b"']);
  expect(await came('/servedBy')).toEqual(['"b"']);
  // The other machine answered another read before. What stands in lists may be bought by several.
  expect(await beside('m-2')).toEqual(['"b"']);
  expect(await beside('m-3')).toEqual(['"m-2"', '"b"']);
});

test.each<[string, unknown, readonly number[]]>([
  ['a reward', { rewards: [{ currency: 'Coins', amount: 500 }] }, [500]],
  ['a reward by its currency', { rewards: { coins: 500 } }, [500]],
  [
    'the same twice',
    { reward: { currency: 'Coins', amount: 5 }, all: [{ currency: 'Coins', amount: 5 }] },
    [5],
  ],
  ['two amounts', { next: { coins: 50 }, rewards: [{ coins: 500 }] }, [500, 50]],
  ['the balance as it was', { coins: 100 }, []],
  ['something else', { rewards: [{ currency: 'Tickets', amount: 5 }], page: 2 }, []],
])('amounts in a currency of the wallet are found in an answer with %s', (_, value, expected) => {
  expect(amountsIn(answer(value), answer(mapped(100))).toSorted((a, b) => b - a)).toEqual(expected);
});

test('an amount may have the name that balances have, where it is not one of all of them', () => {
  const wallet = answer([
    { currency: 'Coins', amount: 100 },
    { currency: 'Gems', amount: 3 },
  ]);
  expect(amountsIn(answer({ granted: [{ currency: 'Coins', amount: 20 }] }), wallet)).toEqual([20]);
  const restated = [
    { currency: 'Coins', amount: 120 },
    { currency: 'Gems', amount: 3 },
  ];
  expect(amountsIn(answer({ restated }), wallet)).toEqual([]);
});
