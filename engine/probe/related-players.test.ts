import { expect, test } from 'vitest';
import { createAcquaintances } from './related-players.ts';

const people = () =>
  createAcquaintances({
    ownerOf: (value) => (value === 'ada' ? 1 : undefined),
    areOne: (one, other) => Math.min(one, other) === 8 && Math.max(one, other) === 9,
  });

test('players who were put together know one another, and nobody else', () => {
  const { acquaint, areKnown } = people();
  acquaint([1, 2]);
  expect([areKnown(1, 2), areKnown(2, 1), areKnown(1, 3)]).toEqual([true, true, false]);
});

test('two tokens of one account know one another', () => {
  const { areKnown } = people();
  expect([areKnown(8, 9), areKnown(9, 8), areKnown(7, 8)]).toEqual([true, true, false]);
});

test('relates players who name one another, and players who name the same party', () => {
  const { meet, hold, holds, areKnown } = people();
  meet(2, ['ada']);
  hold('party', 3);
  meet(4, ['party', 'else']);
  expect([areKnown(1, 2), areKnown(3, 4), areKnown(2, 4), holds('party', 4)]).toEqual([
    true,
    true,
    false,
    true,
  ]);
});

test('all who waited in the queue may have been matched', () => {
  const { enterQueue, areKnown } = people();
  for (const account of [1, 2]) enterQueue(account);
  expect([areKnown(1, 2), areKnown(1, 3)]).toEqual([true, false]);
});
