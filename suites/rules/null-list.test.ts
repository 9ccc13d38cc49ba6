import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { exchangeOf, rehearse } from '../../fixtures/kit/rule-rehearsal.ts';
import { nullList } from './null-list.ts';

const operation = areas.players.blocked;
const answer = (body: unknown) => exchangeOf(operation, {}, { body });
const found = { name: 'players', withNull: answer({ players: null }), withList: answer({ players: [] }) };

test.each([
  ['a list that is null in another answer', { lists: 1, found }, 'warning'],
  ['lists alone', { lists: 1 }, 'pass'],
  ['no list', { lists: 0 }, 'not-triggered'],
])('judges answers that hold %s', async (_, nullLists, expected) => {
  const { verdict } = await rehearse(nullList, operation, () => ({ body: {} }), {
    nullLists: async () => nullLists,
  });
  expect(verdict).toBe(expected);
});
