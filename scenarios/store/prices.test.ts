import { expect, test } from 'vitest';
import { exchangeOf } from '../../fixtures/kit/exchanges.ts';
import { pricedIn } from './prices.ts';

const wallet = exchangeOf({
  status: 200,
  body: {
    currencies: [
      { currency: 'Coins', balance: 900 },
      { currency: 'Gems', balance: 5 },
    ],
  },
});
const pricesOf = (item: object) =>
  [...pricedIn(exchangeOf({ status: 200, body: { items: [item] } }), wallet)].map(([name, { price }]) => [
    name,
    price,
  ]);

test.each([
  ['beside a currency of the wallet', { itemId: 'Rook', price: { currency: 'Coins', amount: 500 } }],
  ['by the name of the currency', { name: 'Rook', type: 'character', price: { coins: 500, amount: 500 } }],
])('a price %s is found', (_, item) => {
  const found = pricesOf(item);
  expect(found.every(([, price]) => price === 500)).toBe(true);
});

test.each([
  ['in another currency', { itemId: 'Rook', price: { currency: 'Euro', amount: 500 } }],
  [
    'also in another currency',
    {
      itemId: 'Rook',
      prices: [
        { currency: 'Coins', amount: 500 },
        { currency: 'Euro', amount: 5 },
      ],
    },
  ],
  ['of nothing', { itemId: 'Rook', price: { currency: 'Coins', amount: 0 } }],
  ['that is lowered', { itemId: 'Rook', discountPercent: 100, price: { currency: 'Coins', amount: 500 } }],
  [
    'of something that belongs to it',
    { itemId: 'Rook_outfit', characterName: 'Rook', price: { currency: 'Coins', amount: 5 } },
  ],
])('a price %s is no price of the item', (_, item) => {
  expect(pricesOf(item).filter(([name]) => name === 'Rook')).toEqual([]);
});

test('an item is beyond a wallet that holds less of each currency that it is paid with', () => {
  const isBeyond = (...prices: object[]) =>
    pricedIn(exchangeOf({ status: 200, body: { items: [{ itemId: 'Rook', prices }] } }), wallet).get('Rook')
      ?.isBeyond;
  expect(isBeyond({ currency: 'Coins', amount: 901 })).toBe(true);
  expect(isBeyond({ currency: 'Coins', amount: 900 })).toBe(false);
  expect(isBeyond({ currency: 'Coins', amount: 901 }, { currency: 'Gems', amount: 5 })).toBe(false);
});
