import { expect, test } from 'vitest';
import { type Behaviour, loginPath, standIn } from '../../fixtures/kit/sign-in-server.ts';
import type { ClientOptions } from '../http/client.ts';
import { createPlayers } from './players.ts';
import type { Found } from './session-discovery.ts';

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

async function pool(env: Readonly<Record<string, string>>, behaviour = numbered(), options?: ClientOptions) {
  const { target, client, calls } = await standIn(behaviour, env, options);
  const learned: string[] = [];
  const redactor = { learn: (each: string) => learned.push(each) };
  return { players: createPlayers({ client, target, redactor, discovery: found }), calls, learned };
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
  expect(Math.max(...made.map(({ account }) => account))).toBe(32);
  expect(new Set(calls.map(({ token }) => token)).size).toBe(30);
});

test('a further session of a player is nobody else’s', async () => {
  const { players } = await pool({ LOGIN_TOKEN: 'first' });
  const main = await players.player('main');
  const [one, two] = [await players.double(main), await players.double(main)];
  expect(new Set([await main.session(), await one?.session(), await two?.session()]).size).toBe(3);
});

test('a further session is played elsewhere only where its player is', async () => {
  const { players } = await pool({});
  const { players: few } = await pool({ LOGIN_TOKEN: 'first' });
  const alone = await players.double(await players.newcomer('scene'));
  const main = await few.player('main');
  await few.player('friend');
  expect([alone?.shared, (await few.double(main))?.shared]).toEqual([false, true]);
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

test('the token of a name is that of its account, and the probe that of the evidence', async () => {
  const { players } = await pool({ LOGIN_TOKEN: 'first second' });
  await players.player('main');
  expect(await players.tokenFor('friend')).toBe('second');
  expect(players.probe?.path).toBe('/api/v1/me/location');
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
