import { expect, test } from 'vitest';
import { exchangeOf } from '../../fixtures/kit/exchanges.ts';
import { limitsIn } from './size-limit.ts';

const members = [{ id: 'ada' }, { id: 'bob' }];
const limits = (body: unknown) => limitsIn(exchangeOf({ status: 200, body }), 'ada');

test.each<[string, unknown, readonly number[]]>([
  ['beside the members', { members, maxPlayers: 4 }, [4]],
  ['beside the members, in an envelope', { data: { party: { members, capacity: 4 } } }, [4]],
  ['with the size that it has', { members, size: { current: 2, max: 5 } }, [5]],
  ['twice', { members, maxPlayers: 4, size: { max: 5 } }, [4, 5]],
  ['for its teams alone', { members, teams: [{ maxPlayers: 2 }], game: { size: { max: 8 } } }, []],
  ['as a text', { members, maxPlayers: 'four' }, []],
  ['nowhere', { members, size: 2, max: 5 }, []],
])('a party that says how many it takes %s', (_, body, expected) => {
  expect(limits(body)).toEqual(expected);
});
