import { expect, test } from 'vitest';
import { mispaidFigure, overdrawn } from './purchases.ts';

const [cheap, dear] = [
  new Map([
    ['balance coins', -10],
    ['items', 1],
  ]),
  new Map([
    ['balance coins', -15],
    ['items', 1],
  ]),
];
const both = new Map([
  ['balance coins', -25],
  ['items', 2],
]);

test('what was paid and got for each purchase that was acknowledged is right', () => {
  expect(mispaidFigure(both, [cheap, dear], [cheap, dear])).toBeUndefined();
  expect(mispaidFigure(cheap, [cheap], [cheap, dear])).toBeUndefined();
  expect(mispaidFigure(new Map(), [], [cheap, dear])).toBeUndefined();
});

test('two things for the price of one, and things that never come, are named', () => {
  const oncePaid = new Map([...both, ['balance coins', -15]] as const);
  expect(mispaidFigure(oncePaid, [cheap, dear], [cheap, dear])).toBe(
    'balance coins changed by -15, and by -25 for the 2 that were acknowledged',
  );
  const onceGiven = new Map([...both, ['items', 1]] as const);
  expect(mispaidFigure(onceGiven, [cheap, dear], [cheap, dear])).toMatch(/^items changed by 1, and by 2 /);
  expect(mispaidFigure(cheap, [], [cheap, dear])).toMatch(/^balance coins changed by -10, and by 0 /);
});

test('a balance that falls below nothing is named, and no other figure that does', () => {
  expect(overdrawn({ 'balance coins': 5, items: 0 }, { 'balance coins': -3, items: -1 })).toMatch(
    /^balance coins is -3: /,
  );
  expect(overdrawn({ 'balance coins': 5 }, { 'balance coins': 0 })).toBeUndefined();
  expect(overdrawn({ 'balance coins': -2 }, { 'balance coins': -3 })).toBeUndefined();
});
