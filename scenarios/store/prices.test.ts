import { expect, test } from 'vitest';
import { formOf } from '../../engine/players/body-template.ts';
import { exchangeOf } from '../../fixtures/kit/exchanges.ts';
import { currencyNamed, nextPurchase, pricedIn } from './prices.ts';

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

test('an item is unaffordable where the wallet holds less of each currency that it is priced in', () => {
  const isUnaffordable = (...prices: object[]) =>
    pricedIn(exchangeOf({ status: 200, body: { items: [{ itemId: 'Rook', prices }] } }), wallet).get('Rook')
      ?.isUnaffordable;
  expect(isUnaffordable({ currency: 'Coins', amount: 901 })).toBe(true);
  expect(isUnaffordable({ currency: 'Coins', amount: 900 })).toBe(false);
  expect(isUnaffordable({ currency: 'Coins', amount: 901 }, { currency: 'Gems', amount: 5 })).toBe(false);
});

test('where the purchase names its currency, a price in another one counts for nothing', () => {
  const prices = [
    { currency: 'Coins', amount: 901 },
    { currency: 'Gems', amount: 5 },
  ];
  const offer = exchangeOf({ status: 200, body: { items: [{ itemId: 'Rook', prices }] } });
  expect(pricedIn(offer, wallet, 'coins').get('Rook')).toMatchObject({ price: 901, isUnaffordable: true });
  expect(pricedIn(offer, wallet, 'gems').get('Rook')).toMatchObject({ price: 5, isUnaffordable: false });
  expect(pricedIn(offer, wallet, 'shards').size).toBe(0);
});

test('a purchase names a currency where the target asked for it, and not in a guess', () => {
  const sent = (body: object) => ({ ...wallet, request: { ...wallet.request, body: JSON.stringify(body) } });
  const template = { payWith: 'coins' };
  const askedFor = formOf(template, 'refusal');
  expect(currencyNamed(sent(template), wallet, askedFor)).toBe('coins');
  expect(currencyNamed(sent(template), wallet, formOf(template, 'profile'))).toBe('coins');
  expect(currencyNamed(sent(template), wallet, formOf(template, 'guess'))).toBe(undefined);
  expect(currencyNamed(sent({ payWith: 'gems' }), wallet, askedFor)).toBe(undefined);
  expect(currencyNamed(sent({ a: 'coins', b: 'gems' }), wallet, askedFor)).toBe(undefined);
});

test.each<[string, readonly number[], number, number, string | undefined]>([
  ['one of two is within means, and both are not', [9, 9], 11, 1, 'a'],
  ['the dearest that is within means comes first', [20, 9, 5], 25, 2, 'a'],
  ['all of so few are within means', [9, 9, 9], 30, 2, undefined],
  ['as many as may be bought leave enough for the next', [5, 5, 5], 15, 2, undefined],
  ['nothing more may be bought', [9, 9], 11, 0, undefined],
  ['nothing is offered', [], 11, 2, undefined],
])('the next purchase, where %s', (_, prices, balance, purchases, expected) => {
  const items = prices.map((price, at) => ['abc'.charAt(at), price] as const);
  expect(nextPurchase(items, balance, purchases)).toBe(expected);
});
