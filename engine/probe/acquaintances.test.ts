import { expect, test } from 'vitest';
import { createAcquaintances } from './acquaintances.ts';

const people = () =>
  createAcquaintances({
    ownerOf: (value) => (value === 'ada' ? 1 : undefined),
    areOne: (one, other) => Math.min(one, other) === 8 && Math.max(one, other) === 9,
  });

test('players who were put together know one another, and nobody else', () => {
  const { acquaint, areAcquainted } = people();
  acquaint([1, 2]);
  expect([areAcquainted(1, 2), areAcquainted(2, 1), areAcquainted(1, 3)]).toEqual([true, true, false]);
});

test('two tokens of one account know one another', () => {
  const { areAcquainted } = people();
  expect([areAcquainted(8, 9), areAcquainted(9, 8), areAcquainted(7, 8)]).toEqual([true, true, false]);
});

test('relates players who name one another, and players who name the same party', () => {
  const { noteRequest, noteMembership, holds, areAcquainted } = people();
  noteRequest(2, ['ada']);
  noteMembership('party', 3);
  noteRequest(4, ['party', 'else']);
  expect([areAcquainted(1, 2), areAcquainted(3, 4), areAcquainted(2, 4), holds('party', 4)]).toEqual([
    true,
    true,
    false,
    true,
  ]);
});

test('all who waited in the queue may have been matched', () => {
  const { enterQueue, areAcquainted } = people();
  for (const account of [1, 2]) enterQueue(account);
  expect([areAcquainted(1, 2), areAcquainted(1, 3)]).toEqual([true, false]);
});
