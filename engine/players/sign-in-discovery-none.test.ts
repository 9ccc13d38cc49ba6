import type { IncomingHttpHeaders } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { Answer, Call } from '../../fixtures/kit/loopback.ts';
import {
  type Behaviour,
  discovered,
  loginPath,
  signsInBy,
  twoMachines,
} from '../../fixtures/kit/sign-in-server.ts';
import type { Json } from '../target/profile-validation.ts';
import type { SessionTransport } from '../target/session-transport.ts';
import { whyNoSession } from './sign-in-discovery.ts';

const secret = 'c2Vzc2lvbi1vZi10aGUtcGxheWVy';

test('a target that only repeats what it is sent has no session', async () => {
  const { found } = await discovered(({ path, headers }) =>
    path === loginPath ? { body: { token: secret } } : { body: { youSent: headers.authorization ?? 'none' } },
  );
  expect(found).toMatchObject({ kind: 'no-credential', status: 200, tried: 1 });
});

test('a token that opens nothing is reported with its place, what was tried, and the line of the profile to write', async () => {
  const { found, calls } = await discovered(
    signsInBy(
      () => ({ body: { result: { sessionToken: secret } } }),
      (headers) => headers['x-of-our-own'] === secret,
    ),
  );
  const why = whyNoSession(found);
  expect(why).toMatch(
    /found the token at \/result\/sessionToken of the login answer; tried Authorization: Bearer, authorization, .*x-session, .*Authorization: Session/,
  );
  expect(why).toContain(
    '{"session":{"transport":{"kind":"header","source":"/result/sessionToken","name":"…"}}}',
  );
  expect(why).not.toContain(secret);
  expect(calls.length).toBeLessThan(60);
});

test('reports a target that accepts any value that looks like a token', async () => {
  const { found } = await discovered(
    signsInBy(
      () => ({ body: { token: secret } }),
      ({ authorization }) => authorization !== undefined,
    ),
  );
  expect(found).toEqual({
    kind: 'any-credential',
    status: 200,
    evidence: { operation: 'me.location', without: 401, spoiled: 200, with: 200, differs: 'status' },
  });
  expect(whyNoSession(found)).toBe(
    'a spoiled credential is believed like the real one (me.location), so no answer shows who is signed in',
  );
});

test('does not count a login as served when only one of two machines differs', async () => {
  const { found } = await discovered(twoMachines(loginPath, /\/auth\/provider\//));
  expect(found).toEqual({ kind: 'unrouted', status: 404 });
});

/** The login says who is unknown; beside it two fronts take turns. */
function inTurns(...fronts: readonly [Answer, Answer]): Behaviour {
  let beside = 0;
  return ({ path, query }) => {
    if (path === loginPath || !query.has('token')) return fronts[0];
    beside += 1;
    return fronts[beside % 2];
  };
}

test.each<[string, Behaviour]>([
  ['cannot be decided', ({ path }) => (path === loginPath ? { status: 404 } : { status: 503 })],
  [
    'changes by itself',
    inTurns({ status: 404, body: { error: 'none' } }, { status: 404, body: '<p>none</p>' }),
  ],
])('a login is not reported as absent where the path beside it %s', async (_, behaviour) => {
  expect((await discovered(behaviour)).found).toMatchObject({ kind: 'refused', status: 404 });
});

test('does not sign in again when the token was refused', async () => {
  const error = (at: string) => (at === loginPath ? 'who is that' : 'sign in first');
  const knocks = async (behaviour: Behaviour) =>
    (await discovered(behaviour)).calls.filter(({ path }) => path === loginPath).length;
  const logins = await knocks(({ path }) => ({ status: 401, body: { error: error(path) } }));
  expect(logins).toBe(await knocks(({ path }) => ({ status: path === loginPath ? 401 : 404 })));
});

describe('where the profile states the transport', () => {
  const stated = (transport: SessionTransport, body?: Json) => ({
    session: { transport, ...(body !== undefined && { body }) },
  });
  const login = () => ({ body: { a: { key: secret }, token: 'ZGVjb3ktZGVjb3ktZGVjb3k' } });
  const transport = { kind: 'header', name: 'x-player', source: '/a/key' } as const;
  const knows = (headers: IncomingHttpHeaders) => headers['x-player'] === secret;

  test('takes the stated credential and proves it, without guesses', async () => {
    const { found, calls } = await discovered(signsInBy(login, knows), {}, { profile: stated(transport) });
    expect(found).toMatchObject({ kind: 'found', recipe: { transport }, evidence: { spoiled: 401 } });
    expect(calls.some(({ headers }) => headers.authorization !== undefined)).toBe(false);
  });

  test('a login that succeeds without the stated credential has failed', async () => {
    const { found } = await discovered(
      signsInBy(() => ({ body: { token: secret } }), knows),
      {},
      { profile: stated(transport) },
    );
    expect(found).toEqual({ kind: 'no-credential', status: 200, tried: 0, missingWhereStated: true });
    expect(whyNoSession(found)).toContain('holds no credential where the profile says that it stands');
  });

  test('reports that the stated credential changes no answer', async () => {
    const { found } = await discovered(
      signsInBy(login, () => false),
      {},
      { profile: stated(transport) },
    );
    expect(found).toEqual({ kind: 'no-difference', status: 200, transport });
    expect(whyNoSession(found)).toBe(
      'the credential that the profile states (the token at /a/key of the login answer, sent back as x-player) changes no other answer',
    );
  });

  test('a login that is answered otherwise than it accepts was refused', async () => {
    const operations = { 'auth.login': { accepts: [201] } };
    const { found } = await discovered(
      signsInBy(login, knows),
      {},
      { profile: { ...stated(transport), operations } },
    );
    expect(found).toMatchObject({ kind: 'refused', status: 200 });
  });

  test('the body that it states is what is sent', async () => {
    const body = { ticket: '{{token}}', who: '{{player.name}}' };
    const { calls } = await discovered(signsInBy(login, knows), {}, { profile: stated(transport, body) });
    const { token, body: sent } = calls.find(({ path }) => path === loginPath) as Call;
    expect(JSON.parse(sent)).toEqual({ ticket: token, who: expect.stringMatching(/^assay-[a-z\d]{8}-1$/) });
  });

  test('a body that nobody can write before the login is reported, and nothing is sent', async () => {
    const body = { party: '{{partyId}}' };
    const { found, calls } = await discovered(
      signsInBy(login, knows),
      {},
      { profile: stated(transport, body) },
    );
    expect(found).toEqual({
      kind: 'no-token',
      why: expect.stringMatching(/^PROFILE: the login's body holds \{\{partyId\}\}, which is not known/),
    });
    expect(calls.some(({ path }) => path === loginPath)).toBe(false);
  });
});

test('a target that answers signed-in calls with 429 shows nothing about the credential', async () => {
  const { found } = await discovered(({ path, headers }) => {
    if (path === loginPath) return { body: { token: secret } };
    return { status: headers.authorization === `Bearer ${secret}` ? 429 : 401 };
  });
  expect(found).toMatchObject({ kind: 'no-credential' });
});

test("the login's own token is no session, however often it is repeated", async () => {
  const { found } = await discovered(
    signsInBy(
      ({ token }) => ({
        headers: { 'x-token': token ?? '' },
        body: { token, accessToken: `Bearer ${token}` },
      }),
      () => false,
    ),
  );
  expect(found).toEqual({ kind: 'no-credential', status: 200, tried: 0 });
});

test('a login that answers without a credential is reported as such', async () => {
  const { found } = await discovered(
    signsInBy(
      () => ({ body: { welcome: true } }),
      () => false,
    ),
  );
  expect(found).toEqual({ kind: 'no-credential', status: 200, tried: 0 });
});

test('a refused login is reported with its status and what was refused', async () => {
  const behaviour = signsInBy(
    () => ({ status: 403, body: { error: 'bad token' } }),
    () => false,
  );
  const refused = { kind: 'refused', status: 403, likeUnrouted: false };
  expect((await discovered(behaviour)).found).toEqual({ ...refused, from: 'test JWT' });
  expect((await discovered(behaviour, { LOGIN_TOKEN: 'mine' })).found).toEqual({
    ...refused,
    from: 'LOGIN_TOKEN',
  });
});

test('a wall that answers everything alike is a refusal like that of an unrouted path', async () => {
  const { found } = await discovered(() => ({ status: 401, body: { error: 'who are you' } }));
  expect(found).toMatchObject({ kind: 'refused', status: 401, likeUnrouted: true });
});

test.each([404, 200])('where all paths answer %i alike there is no login', async (status) => {
  const { found } = await discovered(({ path }) => ({ status, body: { path, at: Math.random() } }));
  expect(found).toEqual({ kind: 'unrouted', status });
});

test('a login that never answers is unreachable', async () => {
  const { found } = await discovered(
    ({ path }) => (path === loginPath ? undefined : { status: 404 }),
    {},
    { timeoutMs: 1_000 },
  );
  expect(found).toMatchObject({ kind: 'unreachable', error: 'timeout' });
});

test('a command that prints no token leaves nothing to sign in with', async () => {
  const { found, calls } = await discovered(() => ({}), { LOGIN_TOKEN_COMMAND: '/bin/false' });
  expect(found).toEqual({
    kind: 'no-token',
    why: 'LOGIN_TOKEN_COMMAND ended with exit code 1; run it by hand with ASSAY_PLAYER=1 to see why',
  });
  expect(calls.some(({ path }) => path === loginPath)).toBe(false);
});

test('a login that offers hundreds of tokens is not tried hundreds of times', async () => {
  const many = Array.from({ length: 500 }, (_, i) => `${String(i).padStart(8, '0')}-candidate`);
  const { calls } = await discovered(
    signsInBy(
      () => ({ body: many, headers: { 'set-cookie': `sid=${secret}` } }),
      () => false,
    ),
  );
  expect(calls.length).toBeLessThan(150);
});
