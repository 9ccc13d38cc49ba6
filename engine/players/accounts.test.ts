import { expect, test } from 'vitest';
import { pooled } from '../../fixtures/kit/sign-in-server.ts';
import { layoutOf } from './accounts.ts';

test.each([
  [1, 1],
  [2, 2],
  [3, 2],
  [4, 2],
  [8, 2],
  [12, 4],
  [64, 21],
  [96, 32],
  [191, 32],
])('of %i accounts %i are those of single checks, and no operation has one alone', (accounts, forChecks) => {
  expect(layoutOf(accounts)).toEqual({ forChecks, forOperations: forChecks });
});

test.each([192, 256])(
  'of %i accounts 32 are those of single checks, and 80 those of operations',
  (accounts) => {
    const { forChecks, forOperations } = layoutOf(accounts);
    expect([forChecks, forOperations]).toEqual([32, 112]);
  },
);

// Accounts that one name has alone.
test('a name that wants an account alone has one that neither checks nor scenarios have', async () => {
  const { players, whereabouts } = await pooled({});
  const rows = ['party.update', 'players.block', 'match.create'];
  expect(await Promise.all(rows.map(players.ownOf))).toEqual([true, true, true]);
  const spread = await players.spread(2, 'party');
  if (!spread.ok) throw new Error(spread.why);
  const others = ['main', 'friend', 'fuzzer', 'crowd', 'reader'];
  const people = await Promise.all([...rows, ...others].map(players.player));
  const all = [...people, ...spread.players];
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  expect(people.map(({ shared }) => shared)).toEqual(people.map(() => false));
  expect(await Promise.all(people.map(whereabouts))).toEqual(people.map(({ id }) => [200, id]));
});

test('a name keeps its own account, however often it is asked for', async () => {
  const { players } = await pooled({});
  await Promise.all([players.ownOf('party.update'), players.ownOf('players.block')]);
  const { account } = await players.player('players.block');
  await players.ownOf('players.block');
  expect((await players.player('players.block')).account).toBe(account);
});

test.each([
  ['lets four people in', { people: 4 }, {}],
  ['takes every token for one person', { oneForAll: true }, {}],
  ['was given few tokens', {}, { LOGIN_TOKEN: 'a b c d e f g h' }],
])('a target that %s has none to spare', async (_, rules, env) => {
  const { players } = await pooled(rules, env);
  expect([await players.hasRoom(), await players.ownOf('party.update')]).toEqual([false, false]);
});

test('of a target that lets few people in, those whom every run needs are signed in first', async () => {
  const { players } = await pooled({ people: 5 });
  const asked = ['party.update', 'players.block', 'match.create', 'party.invite', 'queue.enter'];
  const own = await Promise.all(asked.map(players.ownOf));
  expect(own.filter(Boolean)).toHaveLength(1);
  const people = await Promise.all(['main', 'friend', 'fuzzer', 'crowd'].map(players.player));
  expect(new Set(people.map(({ id }) => id)).size).toBe(4);
  expect(await players.hasRoom()).toBe(false);
});
