import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { exchangeOf, rehearse } from '../../fixtures/kit/rule-rehearsal.ts';
import { nullList } from './null-list.ts';

const operation = areas.players.blocked;
const answer = (body: unknown) => exchangeOf(operation, {}, { body });
const found = { name: 'players', withNull: answer({ players: null }), withList: answer({ players: [] }) };

test.each([
  ['a list that is null in another answer', { lists: 1, found, emptyOnes: 8, nullOnes: 1 }, 'warning'],
  ['what is null as all that is empty', { lists: 1, found, emptyOnes: 0, nullOnes: 9 }, 'not-triggered'],
  [
    'what is null, where few lists are empty',
    { lists: 1, found, emptyOnes: 3, nullOnes: 1 },
    'not-triggered',
  ],
  ['lists alone', { lists: 1, emptyOnes: 8, nullOnes: 0 }, 'pass'],
  ['no list', { lists: 0, emptyOnes: 0, nullOnes: 0 }, 'not-triggered'],
])('judges answers that hold %s', async (_, nullLists, expected) => {
  const { verdict } = await rehearse(nullList, operation, () => ({ body: {} }), {
    nullLists: async () => nullLists,
  });
  expect(verdict).toBe(expected);
});
