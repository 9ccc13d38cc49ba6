import { expect, test } from 'vitest';
import { type Answer, serveConnections } from '../../fixtures/kit/loopback.ts';
import { type Behaviour, loginPath, signsInBy, standIn } from '../../fixtures/kit/sign-in-server.ts';
import { createClient } from '../http/client.ts';
import type { Target } from '../target/target.ts';
import { ConfigurationError } from '../values/configuration-error.ts';
import { planLine } from './lines.ts';
import { preflight } from './preflight.ts';

const redactor = { learn: () => {} };

async function lookAt(behaviour: Behaviour, env: Record<string, string> = {}, hosts: Target['hosts'] = {}) {
  const { target, client } = await standIn(behaviour, env, { timeoutMs: 10_000 });
  return preflight({ client, target: { ...target, hosts: { ...target.hosts, ...hosts } }, redactor });
}

const bearer = signsInBy(
  () => ({ body: { session: { token: 'c2Vzc2lvbi10b2tlbg' } } }),
  ({ authorization }) => authorization === 'Bearer c2Vzc2lvbi10b2tlbg',
);

test('what was found is reported in plain lines', async () => {
  const { lines, nothingReachable, unreachable, discovery } = await lookAt(bearer);
  expect(lines).toEqual([
    expect.stringMatching(/^base: answers in \d+ ms, unrouted paths get 404 \(JSON\)$/),
    'sign-in: a test JWT is accepted; the session is the token at /session/token of the login answer, sent as Authorization: Bearer (me.location answers 200 with it, 401 without)',
    expect.stringMatching(
      /^warning: test JWTs sign in, .* anybody can sign in as anybody; right on a test stage alone$/,
    ),
  ]);
  expect({ nothingReachable, unreachable }).toEqual({ nothingReachable: false, unreachable: {} });
  expect(discovery?.kind).toBe('found');
});

test('a setting that is set to nothing is reported first', async () => {
  const { lines } = await lookAt(bearer, { GAME_VERSION: '' });
  expect(lines[0]).toBe('GAME_VERSION: set to nothing, so taken as not set');
});

test('a result is plain data', async () => {
  const found = await lookAt(bearer);
  expect(structuredClone(found)).toEqual(found);
});

test.each<[Answer, string]>([
  [{ status: 404, body: 'Not Found' }, '404 (text)'],
  [{ status: 200, body: '<!doctype html><title>Game</title>' }, '200 (HTML, catch-all)'],
  [{ status: 200, body: 'any path will do' }, '200 (HTML, catch-all)'],
  [{ status: 401, body: {} }, '401 (JSON, perhaps a wall)'],
  [
    { status: 403, headers: { 'content-type': 'application/xml' }, body: '<Error/>' },
    '403 (application/xml, perhaps a wall)',
  ],
  [
    { status: 302, headers: { location: 'https://login.example/in?back=geheim' } },
    '302 to https://login.example/in',
  ],
])('an unrouted path that gets %j is reported as %s', async (answer, ending) => {
  const { lines } = await lookAt(() =>
    answer.body === 'Not Found' ? { headers: { 'content-type': 'text/plain' }, ...answer } : answer,
  );
  expect(lines[0]).toMatch(/ ms, unrouted paths get /);
  expect(lines[0]?.endsWith(` get ${ending}`)).toBe(true);
});

test('GET and POST are distinguished where they are answered differently', async () => {
  const { lines } = await lookAt(({ method }) => ({ status: method === 'GET' ? 404 : 405 }));
  expect(lines[0]).toMatch(/unrouted paths get 404 \(JSON\) to GET and 405 \(JSON\) to POST$/);
});

test('the reason why a host is not reached is reported, and the others are judged all the same', async () => {
  const hosts = { cdn: 'http://127.0.0.1:1', gamelogs: 'http://assay-no-such-host.invalid' };
  const { lines, unreachable, nothingReachable } = await lookAt(bearer, {}, hosts);
  expect(lines[1]).toMatch(
    /^cdn: not reached at http:\/\/127.0.0.1:1 \(refused\): nothing accepts connections/,
  );
  expect(lines[2]).toMatch(/^gamelogs: not reached at .*\(dns\): its name is not known/);
  expect(Object.keys(unreachable)).toEqual(['cdn', 'gamelogs']);
  expect(nothingReachable).toBe(false);
});

test('distinguishes silence, other protocols, TLS and closed connections', async () => {
  const silent = await serveConnections(() => {});
  const other = await serveConnections((socket) => socket.end('SSH-2.0-x\r\n'));
  const closing = await serveConnections((socket) => socket.destroy());
  const reachOf = async (base: string, timeoutMs = 10_000) => {
    const { target } = await standIn(() => ({}));
    const client = createClient({ timeoutMs });
    const { hosts, nothingReachable } = await preflight({
      client,
      target: { ...target, hosts: { base } },
      redactor,
    });
    client.close();
    return [nothingReachable, hosts[0]?.reachable === false && hosts[0].error];
  };
  expect(await reachOf(silent, 300)).toEqual([true, 'timeout']);
  expect(await reachOf(other)).toEqual([true, 'protocol']);
  expect(await reachOf(other.replace('http:', 'https:'))).toEqual([true, 'tls']);
  expect(await reachOf(closing)).toEqual([true, 'reset']);
});

test('a sign-in that drags on is given up when the time is over', async () => {
  const { target, client } = await standIn(
    ({ path }) => (path === loginPath ? undefined : { status: 404 }),
    {},
    { timeoutMs: 60_000 },
  );
  const started = performance.now();
  const { discovery } = await preflight({ client, target, redactor, withinMs: 300 });
  expect(performance.now() - started).toBeLessThan(20_000);
  expect(discovery).toMatchObject({ kind: 'unreachable', error: 'timeout' });
});

test('without a base host nobody signs in', async () => {
  const { target, client } = await standIn(bearer);
  const { base = '' } = target.hosts;
  const { discovery, lines } = await preflight({
    client,
    target: { ...target, hosts: { gamelogs: base } },
    redactor,
  });
  expect(discovery).toBeUndefined();
  expect(lines).toHaveLength(1);
});

test.each<[Behaviour, Record<string, string>, string]>([
  [() => ({ status: 401 }), {}, 'sign-in: the login answers 401 to a test JWT; set LOGIN_TOKEN'],
  [
    ({ path }) => ({ status: path === loginPath ? 500 : 404 }),
    {},
    "sign-in: the login answers 500 to the test JWT, a fault of the target's own; look at its log",
  ],
  [
    () => ({ status: 503 }),
    { LOGIN_TOKEN: 'x' },
    "sign-in: the login answers 503 to the token of LOGIN_TOKEN, a fault of the target's own; look at its log",
  ],
  [
    () => ({ status: 401 }),
    { LOGIN_TOKEN: 'x' },
    'sign-in: the login answers 401 to the token of LOGIN_TOKEN; check that',
  ],
  [
    () => ({ status: 404 }),
    {},
    'sign-in: /api/v1/auth/provider/storefront/login is answered 404 as an unrouted path is, so there is no login',
  ],
  [
    ({ path }) => ({ status: path === loginPath ? 200 : 404 }),
    {},
    'sign-in: the login answers 200, but nothing in its answer makes a difference',
  ],
  [
    signsInBy(
      () => ({ body: { token: 'c2Vzc2lvbi10b2tlbg' } }),
      ({ authorization }) => authorization !== undefined,
    ),
    {},
    'sign-in: any credential is believed: me.location answers 200 with a spoiled one as with the real one, 401 without; whoever makes one up is signed in',
  ],
])('why nobody could sign in is reported with what to do: case %#', async (behaviour, env, line) => {
  const { lines } = await lookAt(behaviour, env);
  expect(lines.find((each) => each.startsWith('sign-in: '))).toContain(line);
});

test('a LOGIN_TOKEN_COMMAND that fails is a mistake in the settings', async () => {
  await expect(lookAt(() => ({}), { LOGIN_TOKEN_COMMAND: '/bin/false' })).rejects.toThrow(
    new ConfigurationError([
      'LOGIN_TOKEN_COMMAND ended with exit code 1; run it by hand with ASSAY_PLAYER=1 to see why',
    ]),
  );
});

test('before hosts that are not loopback are touched, the calls about to be sent are listed by effect', async () => {
  const calls = { read: 90, own: 40, shared: 3 };
  expect(planLine(['http://127.0.0.1:9'], calls)).toEqual([]);
  expect(planLine(['http://127.0.0.1:9', 'http://192.0.2.1:9'], calls)).toEqual([
    'about to send to http://192.0.2.1:9: 90 calls that read, 40 that change their own test players, 3 that others may see (--read-only leaves out both)',
  ]);
  const { target, client } = await standIn(bearer);
  const hosts = { ...target.hosts, cdn: 'http://192.0.2.1:9' };
  const { lines } = await preflight({
    client,
    target: { ...target, hosts },
    redactor,
    calls,
    withinMs: 600,
  });
  expect(lines.join(), 'nothing is sent to a host that does not answer').not.toContain('about to send');
});
