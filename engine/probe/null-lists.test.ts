import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { exchangeOf } from '../../fixtures/kit/exchanges.ts';
import { createNullListWatch } from './null-lists.ts';

const { blocked, setState } = areas.players;

test.each<[string, readonly unknown[], string | undefined]>([
  ['a list and then null', [{ players: ['a'] }, { players: null }], 'players'],
  ['null and then a list', [{ players: null }, { players: [] }], 'players'],
  ['null in every answer', [{ players: null }, { players: null }], undefined],
  ['lists in every answer', [{ players: [] }, { players: ['a'] }], undefined],
  [
    'another member that is null',
    [
      { players: [], party: null },
      { players: [], party: {} },
    ],
    undefined,
  ],
  ['a list deeper down', [{ match: { players: [] } }, { match: { players: null } }], undefined],
])('finds in %s the member that is both', (_, bodies, name) => {
  const watch = createNullListWatch();
  for (const body of bodies) watch.note(blocked, exchangeOf({ body, status: 200 }));
  expect(watch.of(blocked).found?.name).toBe(name);
});

test('looks at successful reads alone', () => {
  const watch = createNullListWatch();
  watch.note(blocked, exchangeOf({ body: { errors: ['a'] }, status: 400 }));
  watch.note(blocked, exchangeOf({ body: { errors: null }, status: 200 }));
  watch.note(setState, exchangeOf({ body: { errors: ['a'] }, status: 200 }));
  expect(watch.of(blocked)).toEqual({ lists: 0, emptyOnes: 0, nullOnes: 0 });
});
