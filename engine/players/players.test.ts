// As many different people as a target allows, and no more.
import { describe, expect, test, vi } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { type Behaviour, loginPath, pooled, standIn } from '../../fixtures/kit/sign-in-server.ts';
import type { ClientOptions } from '../http/client.ts';
import { createPlayers, type Player } from './players.ts';
import type { Found } from './sign-in-discovery.ts';

/** Every sign-in gets a session of its own, and says whose it is. */
const numbered = (): Behaviour => {
  let count = 0;
  return ({ path, token }) =>
    path === loginPath
      ? { body: { token: `session-number-${++count}`, playerId: `of ${token}` } }
      : { status: 404 };
};

const found: Found = {
  kind: 'found',
  token: 'first',
  from: 'LOGIN_TOKEN',
  session: {
    transport: { kind: 'bearer', source: '/token' },
    credentials: [['authorization', 'Bearer session-of-preflight']],
    secrets: ['session-of-preflight'],
    playerId: 'the first',
  },
  recipe: { body: 'empty object', transport: { kind: 'bearer', source: '/token' }, rotates: false },
  evidence: { operation: 'me.location', without: 401, spoiled: 401, with: 200, differs: 'status' },
};

async function pool(
  env: Readonly<Record<string, string>>,
  behaviour = numbered(),
  options?: ClientOptions,
  discovery = found,
) {
  const { target, client, calls } = await standIn(behaviour, env, options);
  const learned: string[] = [];
  const redactor = { learn: (each: string) => learned.push(each) };
  return { players: createPlayers({ client, target, redactor, discovery }), calls, learned };
}

test('the first player has the session that preflight found, and others sign in the same way', async () => {
  const { players, calls, learned } = await pool({ LOGIN_TOKEN: 'first second' });
  const [main, friend] = [await players.player('main'), await players.player('friend')];
  expect(await main.session()).toBe(found.session);
  expect(await friend.session()).toMatchObject({ secrets: ['session-number-1'] });
  expect([main.id, friend.id]).toEqual(['the first', 'of second']);
  expect([main.account, friend.account]).toEqual([1, 2]);
  expect(calls.map(({ token, body }) => [token, body])).toEqual([['second', '{}']]);
  expect(learned).toEqual(
    expect.arrayContaining(['first', 'second', 'session-of-preflight', 'session-number-1']),
  );
});

test('a name is one player however often and at once it is asked for', async () => {
  const { players, calls } = await pool({});
  await players.player('main');
  const asked = await Promise.all([1, 2, 3].map(() => players.player('friend')));
  expect(new Set(asked).size).toBe(1);
  expect(calls).toHaveLength(1);
});

test('with a single token every name plays that account, in the one session of it', async () => {
  const { players, calls } = await pool({ LOGIN_TOKEN: 'first' });
  const [main, friend] = [await players.player('main'), await players.player('friend')];
  expect([main.account, friend.account, players.accounts]).toEqual([1, 1, 1]);
  expect(await friend.session()).toBe(await main.session());
  expect([main.shared, friend.shared]).toEqual([true, true]);
  expect(calls).toEqual([]);
});

test('single checks play thirty-two accounts at most, and the first two are kept for main and friend', async () => {
  const { players, calls } = await pool({});
  const made = await Promise.all(Array.from({ length: 40 }, (_, i) => players.player(`player ${i}`)));
  const rough = await Promise.all(['fuzzer', 'leaver', 'crowd'].map(players.player));
  expect(Math.max(...[...made, ...rough].map(({ account }) => account))).toBe(32);
  expect(Math.max(...made.map(({ account }) => account))).toBe(29);
  expect(new Set(calls.map(({ token }) => token)).size).toBe(30);
});

test('a further session of a player is nobody else’s', async () => {
  const { players } = await pool({ LOGIN_TOKEN: 'first' });
  const main = await players.player('main');
  const [one, two] = [await players.withSecondSession(main), await players.withSecondSession(main)];
  expect(new Set([await main.session(), await one?.session(), await two?.session()]).size).toBe(3);
});

test('a further session is played elsewhere only where its player is', async () => {
  const { players } = await pool({});
  const { players: few } = await pool({ LOGIN_TOKEN: 'first' });
  const scene = await players.spread(1, 'scene');
  const alone = scene.ok ? await players.withSecondSession(scene.players[0] as Player) : undefined;
  const main = await few.player('main');
  await few.player('friend');
  expect([alone?.shared, (await few.withSecondSession(main))?.shared]).toEqual([false, true]);
});

/** Each sign-in of a player ends that player's session before it; somebody else signs in after the first two sign-ins. */
function oneSessionEach(): Behaviour {
  let [live, signIns] = [0, 0];
  return ({ path, headers: { authorization } }) => {
    if (path === loginPath) {
      live += 1;
      signIns += 1;
      const session = `session-number-${live}`;
      if (signIns <= 2) live += 1;
      return { body: { token: session, playerId: 'of second' } };
    }
    if (authorization !== `Bearer session-number-${live}`) return { status: 401 };
    if (path.endsWith('/logout')) live += 1;
    return { body: {} };
  };
}

test('where another sign-in ends a session before its logout does, a second session is logged out', async () => {
  const { players, calls } = await pool({}, oneSessionEach());
  expect(await players.deadSession()).toMatchObject({
    ok: true,
    session: { secrets: ['session-number-5'] },
  });
  expect(calls.filter(({ path }) => path === loginPath)).toHaveLength(3);
});

test('the secrets of a request are those of the player who sends it', async () => {
  const { players } = await pool({ LOGIN_TOKEN: 'first a/b' });
  await players.player('main');
  const friend = await (await players.player('friend')).session();
  const request = (url: string, headers: readonly (readonly [string, string])[] = []) =>
    ({ method: 'GET', url, headers }) as const;
  expect(players.secretsIn(request('http://x/?token=a%2Fb', friend?.credentials))).toEqual({
    token: 'a/b',
    session: [{ value: 'session-number-1' }],
  });
  expect(players.secretsIn(request('http://x/'))).toEqual({});
});

describe('ways in that are no player’s own', () => {
  const behaviour = (): Behaviour => {
    const sign = numbered();
    return (call) => {
      if (call.path !== loginPath) return { status: call.headers.authorization ? 200 : 401 };
      if (call.token === 'refused') return { status: 401 };
      return call.token === 'later' ? { status: 429 } : sign(call);
    };
  };
  const request = { method: 'GET', url: 'http://x/', headers: [] } as const;

  test('a token signs in as whomever it names, in a session that is not renewed', async () => {
    const { players, learned } = await pool({ LOGIN_TOKEN: 'first' }, behaviour());
    const main = await players.player('main');
    const entered = await players.forging.enter('forged', main);
    if (entered.kind !== 'in') throw new Error(entered.kind);
    expect(await entered.player.session()).toMatchObject({ playerId: 'of forged' });
    expect(entered.login.response?.status).toBe(200);
    expect(learned).toEqual(expect.arrayContaining(['forged', 'session-number-1']));
    const signed = await players.signedFor(entered.player, areas.me.location, request);
    expect(signed?.headers).toEqual([['authorization', 'Bearer session-number-1']]);
    expect(players.secretsIn(signed ?? request)).toEqual({ session: [{ value: 'session-number-1' }] });
    expect([await main.session(), main.id]).toEqual([found.session, 'the first']);
    expect(await players.forging.enter('refused', main)).toEqual({ kind: 'refused' });
    expect(players.forging.tokensFrom).toBe('LOGIN_TOKEN');
    expect(await players.forging.tokenWith(main, { exp: 1 })).toBeUndefined();
  });

  test('a login that is held back is not heard', async () => {
    const { players } = await pool({ LOGIN_TOKEN: 'first' }, behaviour(), { waitBudgetMs: 0 });
    expect(await players.forging.enter('later', await players.player('main'))).toEqual({ kind: 'unheard' });
  });

  test('a session is carried with another secret in it', async () => {
    const { players } = await pool({ LOGIN_TOKEN: 'first' }, behaviour());
    const main = await players.player('main');
    const made = await players.forging.carrying(main, 'session-of-preflight', 'forged');
    expect(await made?.session()).toMatchObject({
      credentials: [['authorization', 'Bearer forged']],
      secrets: ['forged'],
    });
    const nobody = { ...main, session: async () => undefined };
    expect(await players.forging.carrying(nobody, 'x', 'y')).toBeUndefined();
  });
});

test('the token of a name is that of its account', async () => {
  const { players } = await pool({ LOGIN_TOKEN: 'first second' });
  await players.player('main');
  expect(await players.tokenFor('friend')).toBe('second');
});

test.each([{}, { LOGIN_TOKEN: 'first second third' }])(
  'whom the end of the run leaves without a session, the target did not refuse: %j',
  async (env) => {
    const { players, calls } = await pool(env, undefined, { deadline: 0 });
    expect(await players.spread(2, 'party')).toEqual({
      ok: false,
      why: expect.stringMatching(
        /^2 different players are needed and there is one: the time for the whole run was over before more had signed in$/,
      ),
    });
    expect(calls).toEqual([]);
  },
);

test('a login that got no answer is no refusal', async () => {
  const { players } = await pool({}, () => undefined, { timeoutMs: 20 });
  expect(await players.spread(2, 'party')).toMatchObject({
    ok: false,
    why: expect.stringMatching(
      /: player \d+ got no answer to the login: POST .*: no answer within the time limit$/,
    ),
  });
});

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

  test('one more is somebody whom no scenario has, and there is none while all tokens are taken', async () => {
    const signed = await pooled({});
    const two = await signed.players.spread(2, 'queue 1');
    const third = await signed.players.spare('queue 1 third');
    if (!two.ok || !third.ok) throw new Error('too few');
    expect(new Set([...two.players, ...third.players].map(({ id }) => id)).size).toBe(3);
    expect(third.reused).toEqual([]);

    const { players } = await pooled({}, { LOGIN_TOKEN: 'a b c d e' });
    const all = await players.spread(4, 'queue 1');
    if (!all.ok) throw new Error(all.why);
    const none = await players.spare('queue 1 third');
    expect(none).toMatchObject({ ok: false, why: expect.stringContaining('LOGIN_TOKEN holds no more') });
    players.release(all.players);
    expect(await players.spare('queue 1 third')).toMatchObject({ ok: true, players: [{}] });
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

  test('shows the players whom it takes for one, whose test JWTs have subjects of their own', async () => {
    const { players } = await pooled({ oneForAll: true });
    const alike = (await players.lookalikes()) ?? [];
    expect(alike.map(({ account }) => account)).toEqual([1, 4]);
    expect(new Set(alike.map(({ id }) => id)).size).toBe(1);
    expect(await (await pooled({})).players.lookalikes()).toBeUndefined();
    // With tokens that were given, their owner may have mistaken one player for two.
    const given = await pooled({ oneForAll: true }, { LOGIN_TOKEN: 'a b' });
    expect(await given.players.lookalikes()).toBeUndefined();
  });

  test('shows nobody where two tokens are of one account, and others are not', async () => {
    let signIns = 0;
    const inPairs: Behaviour = () => {
      signIns += 1;
      const playerId = signIns === 1 ? 'the first' : `the one of sign-in ${signIns}`;
      return { body: { token: `session-number-${signIns}`, playerId } };
    };
    const { players } = await pool({}, inPairs, {}, { ...found, from: 'test JWT' });
    expect(await players.lookalikes()).toBeUndefined();
    expect(signIns).toBe(2);
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
  test('gives scenarios all four, in whichever order they ask', async () => {
    const { players, whereabouts } = await pooled({ people: 4 });
    const early = await players.spread(2, 'party');
    if (!early.ok) throw new Error(early.why);
    expect(early.players.map(({ shared }) => shared)).toEqual([false, false]);
    players.release(early.players);
    const all = await players.spread(4, 'crowd');
    if (!all.ok) throw new Error(all.why);
    const answers = await Promise.all(all.players.map(whereabouts));
    expect(new Set(answers.map(([, who]) => who)).size).toBe(4);
    // Two are those of single checks, which go on meanwhile, and two have been in a scenario before.
    expect(all.players.filter(({ shared }) => shared)).toHaveLength(2);
    expect(all.reused).toHaveLength(4);
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

  test('scenarios leave the first player to single checks while there are others', async () => {
    const { players } = await pooled({}, { LOGIN_TOKEN: 'a b c d' });
    const three = await players.spread(3, 'party');
    expect(three).toMatchObject({ players: [{ account: 2 }, { account: 3 }, { account: 4 }] });
    if (three.ok) players.release(three.players);
    expect(await players.spread(4, 'crowd')).toMatchObject({ ok: true });
  });

  test('a scenario has the same players in each run, whichever are free before', async () => {
    const { players } = await pooled({}, { LOGIN_TOKEN: 'a b c d' });
    const accountsOf = (found: Awaited<ReturnType<typeof players.spread>>) =>
      found.ok ? found.players.map(({ account }) => account) : found.why;
    const first = await players.spread(2, 'party');
    const waiting = players.spread(1, 'queue');
    expect(accountsOf(first)).toEqual([3, 4]);
    if (first.ok) players.release(first.players);
    expect(accountsOf(await waiting)).toEqual([4]);
    expect(accountsOf(await players.spread(2, 'store'))).toEqual([2, 3]);
  });

  test('a later scenario takes nobody for whom an earlier one waits, and does not wait behind it for others', async () => {
    const { players } = await pooled({}, { LOGIN_TOKEN: 'a b c d e' });
    const first = await players.spread(3, 'party');
    const order: string[] = [];
    const accountsOf = async (count: number, purpose: string) => {
      const found = await players.spread(count, purpose);
      order.push(purpose);
      return found.ok && found.players.map(({ account }) => account);
    };
    const waiting = accountsOf(1, 'queue');
    expect(await accountsOf(1, 'store')).toEqual([2]);
    expect(order).toEqual(['store']);
    if (first.ok) players.release(first.players);
    expect(await waiting).toEqual([5]);
  });

  test('a scenario whose players nobody gives back goes without them', async () => {
    const { players } = await pooled({}, { LOGIN_TOKEN: 'a b c d' });
    await players.spread(3, 'party');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const waiting = players.spread(1, 'queue');
      await vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThan(0), { interval: 1 });
      vi.advanceTimersByTime(30_000);
      expect(await waiting).toEqual({ ok: false, why: expect.stringMatching(/taken by other scenarios$/) });
    } finally {
      vi.useRealTimers();
    }
  });

  test('tokens are those of earlier runs, so each of their players may have played before', async () => {
    const [given, made] = await Promise.all([pooled({}, { LOGIN_TOKEN: 'a b c d' }), pooled({})]);
    const [old, fresh] = await Promise.all([
      given.players.spread(2, 'party'),
      made.players.spread(2, 'party'),
    ]);
    expect([old.ok && old.reused.length, fresh.ok && fresh.reused.length]).toEqual([2, 0]);
  });

  test('bad input and floods have players whom nobody else plays, the same in each run', async () => {
    const LOGIN_TOKEN = Array.from({ length: 12 }, (_, nth) => `t${nth}`).join(' ');
    const { players } = await pooled({}, { LOGIN_TOKEN });
    const numbers = async (...names: readonly string[]) =>
      (await Promise.all(names.map(players.player))).map(({ account }) => account);
    const others = await numbers('another', 'session-ender', 'party.leave', 'main', 'friend');
    expect(await numbers('fuzzer', 'leaver', 'crowd')).toEqual([4, 4, 4]);
    expect(others.filter((number) => number > 3)).toEqual([]);
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
    const tokens = { LOGIN_TOKEN: 'a b x y z e' };
    const { players } = await pooled({ unwelcome: ['x', 'y', 'z'] }, tokens);
    expect(await players.spread(1, 'login')).toMatchObject({
      ok: true,
      players: [{ account: 6, shared: false }],
    });
  });
});
