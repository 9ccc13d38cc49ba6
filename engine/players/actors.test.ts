// As many different people as a target allows, and no more.
import { describe, expect, test } from 'vitest';
import { pooled } from '../../fixtures/kit/small-accounts.ts';

describe('players for scenarios', () => {
  test('are different people, and nobody else plays them', async () => {
    const { players, whereabouts } = await pooled({});
    const [one, two] = await Promise.all([players.spread(2, 'party'), players.spread(3, 'queue')]);
    if (!one.ok || !two.ok) throw new Error('too few');
    const people = [await players.player('main'), ...one.players, ...two.players];
    const answers = await Promise.all(people.map(whereabouts));
    expect(answers).toEqual(people.map(({ id }) => [200, id]));
    expect(new Set(people.map(({ id }) => id)).size).toBe(6);
    expect(people.map(({ shared }) => shared)).toEqual([false, false, false, false, false, false]);
    expect(one.players.map(({ name }) => name)).toEqual(['party 1', 'party 2']);
  });

  test('a newcomer is one of them', async () => {
    const { players } = await pooled({});
    const [main, one, two] = await Promise.all([
      players.player('main'),
      players.newcomer('login'),
      players.newcomer('login'),
    ]);
    expect(new Set([main, one, two].map(({ account }) => account)).size).toBe(3);
  });

  test('are distinguished although the target names no ids', async () => {
    const { players, whereabouts } = await pooled({ silent: true });
    const found = await players.spread(2, 'party');
    if (!found.ok) throw new Error(found.why);
    const [one = [], two = []] = await Promise.all(found.players.map(whereabouts));
    expect(one[1]).not.toBe(two[1]);
  });
});

describe('a target that takes every token for one person', () => {
  test('has one player, and says so where two are needed', async () => {
    const { players } = await pooled({ oneForAll: true });
    expect(await players.spread(2, 'party')).toEqual({
      ok: false,
      why: expect.stringMatching(
        /^2 different players are needed and there is one: the target takes player \d+ for player 1, since its login answers both with one player id \(test JWTs\)$/,
      ),
    });
  });

  test('few tokens for that one are said to be its own, not to be too few', async () => {
    const { players } = await pooled({ oneForAll: true }, { LOGIN_TOKEN: 'a b' });
    expect(await players.spread(2, 'party')).toMatchObject({
      why: expect.stringMatching(/takes player 2 for player 1, since .* one player id \(LOGIN_TOKEN\)$/),
    });
  });

  test('lends that one to one scenario after another', async () => {
    const { players, whereabouts } = await pooled({ oneForAll: true, sessionsEach: 1 });
    const first = await players.spread(1, 'login');
    if (!first.ok) throw new Error(first.why);
    const second = players.spread(1, 'names');
    players.release(first.players);
    const found = await second;
    if (!found.ok) throw new Error(found.why);
    const [player] = found.players;
    expect(player).toMatchObject({ account: 1, shared: true });
    expect(player && (await whereabouts(player))).toEqual([200, 'everybody']);
  });

  test('leaves the names of single checks with that person', async () => {
    const { players, whereabouts } = await pooled({ oneForAll: true, sessionsEach: 1 });
    const people = await Promise.all(['main', 'friend', 'fuzzer'].map((name) => players.player(name)));
    expect(people.map(({ account }) => account)).toEqual([1, 1, 1]);
    const answers = await Promise.all([...people, ...people].map(whereabouts));
    expect(new Set(answers.map(String))).toEqual(new Set(['200,everybody']));
  });
});

describe('a target that lets four people in', () => {
  test('gives scenarios all four, whoever came first', async () => {
    const { players, whereabouts } = await pooled({ people: 4 });
    const early = await players.spread(2, 'party');
    if (!early.ok) throw new Error(early.why);
    expect(early.players.map(({ shared }) => shared)).toEqual([false, false]);
    players.release(early.players);
    const all = await players.spread(4, 'crowd');
    if (!all.ok) throw new Error(all.why);
    const answers = await Promise.all(all.players.map(whereabouts));
    expect(new Set(answers.map(([, who]) => who)).size).toBe(4);
    // Two are those of single checks, and two have been in a scenario before.
    expect(all.players.filter(({ shared }) => shared)).toHaveLength(4);
  });

  test('says why there is no fifth', async () => {
    const { players } = await pooled({ people: 4 });
    expect(await players.spread(5, 'crowd')).toMatchObject({
      ok: false,
      why: expect.stringMatching(/^5 different players are needed and there are 4: the target refuses/),
    });
  });

  test('gives those who came too late the account of another', async () => {
    const { players, whereabouts } = await pooled({ people: 4 });
    const names = ['main', 'friend', 'reader', 'crowd', 'fuzzer', 'leaver'];
    const people = await Promise.all(names.map((name) => players.player(name)));
    expect(new Set(people.map(({ account }) => account)).size).toBe(4);
    const answers = await Promise.all(people.map(whereabouts));
    expect(answers.map(([status]) => status)).toEqual(names.map(() => 200));
  });
});

describe('with LOGIN_TOKEN', () => {
  test('half of the tokens are for scenarios', async () => {
    const { players } = await pooled({}, { LOGIN_TOKEN: 'a b c d' });
    const found = await players.spread(2, 'party');
    expect(found).toMatchObject({ ok: true, players: [{ account: 3 }, { account: 4 }] });
  });

  test('scenarios that come at once take turns with all there are', async () => {
    const { players } = await pooled({}, { LOGIN_TOKEN: 'a b c d' });
    const scenarios = ['party', 'queue', 'crowd'].map(async (purpose) => {
      const found = await players.spread(3, purpose);
      if (found.ok) players.release(found.players);
      return found.ok || found.why;
    });
    expect(await Promise.all(scenarios)).toEqual([true, true, true]);
  });

  test('one token is one player', async () => {
    const { players } = await pooled({}, { LOGIN_TOKEN: 'only' });
    expect(await players.spread(1, 'login')).toMatchObject({ ok: true, players: [{ account: 1 }] });
    expect(await players.spread(2, 'party')).toEqual({
      ok: false,
      why: '2 different players are needed and there is one: LOGIN_TOKEN holds no more tokens',
    });
  });

  test('tokens that the target refuses are passed over, however many', async () => {
    const tokens = { LOGIN_TOKEN: 'a b c d x y z e' };
    const { players } = await pooled({ unwelcome: ['x', 'y', 'z'] }, tokens);
    expect(await players.spread(1, 'login')).toMatchObject({
      ok: true,
      players: [{ account: 8, shared: false }],
    });
  });
});
