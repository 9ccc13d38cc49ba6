import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { catalog } from '../../catalog/catalog.ts';
import type { Host } from '../../catalog/operation.ts';
import { createRedactor } from '../../engine/http/redact.ts';
import type { Misplaced } from '../../engine/preflight/wrong-address.ts';
import { readProfile, silentProfile } from '../../engine/target/profile.ts';
import type { Environment } from '../../engine/target/settings.ts';
import { readTarget } from '../../engine/target/target.ts';
import { examined, pressing, stoppedClock } from '../../fixtures/kit/examined.ts';
import { type Behaviour, signsInBy, standIn } from '../../fixtures/kit/sign-in-server.ts';
import { examine, lackingIn } from './examine.ts';
import { findingsOf, isReady } from './findings/findings.ts';

test('a profile that states nothing lacks every JSON body, every status and every schema', () => {
  const { body, accepts, schema } = lackingIn(silentProfile);
  expect(body).toContain('party.create');
  expect(body).not.toContain('players.setBinaryState');
  expect([accepts.length, schema.length]).toEqual([catalog.length, catalog.length]);
});

test('a full profile lacks nothing that the interface could do with', () => {
  const text = readFileSync(new URL('../../fixtures/profiles/reference.json', import.meta.url), 'utf8');
  const read = readProfile(text, {});
  if (!('profile' in read)) throw new Error(read.mistakes.join('\n'));
  const { body, accepts } = lackingIn(read.profile);
  expect({ body, accepts }).toEqual({ body: [], accepts: [] });
});

test('what is left out needs nothing', () => {
  const omitted = new Map([['party.create', 'not built']]);
  expect(lackingIn({ ...silentProfile, omitted }).body).not.toContain('party.create');
});

test('the body of the login may stand with the session', () => {
  expect(lackingIn({ ...silentProfile, session: { body: null } }).body).not.toContain('auth.login');
});

const nothing: Behaviour = () => ({ status: 404, body: { error: 'no such path' } });
const status =
  (of: (path: string) => number): Behaviour =>
  ({ path }) => ({ status: of(path), body: { at: path } });
const keys = '/api/v1/auth/v2/publicKey';
const health = '/api/v1/healthcheck';

/** What doctor finds where BASE_URL leads to a server without anything, and CDN_URL to this one. */
async function found(behaviour: Behaviour) {
  const own = await standIn(nothing);
  const other = await standIn(behaviour);
  const env = { BASE_URL: own.target.hosts.base, CDN_URL: other.target.hosts.base } as Environment;
  const limits = { concurrency: 8, withinMs: 15_000, mostCalls: 0, planned: Promise.resolve([]) };
  const target = readTarget(env, { cwd: '/' });
  const around = { redactor: createRedactor(), ...limits, now: stoppedClock() };
  const examination = await examine({ target, client: own.client, ...around });
  return { examination, target, calls: other.calls };
}

describe('operations of a host that serves nothing are looked for at the other', () => {
  test('where they are answered, the two look swapped, and that is reported in place of what it serves', async () => {
    const { examination, target, calls } = await found(
      status((path) => (path === keys ? 200 : path === '/api/v1/me/location' ? 401 : 404)),
    );
    const findings = findingsOf(examination);
    expect(findings[0]).toEqual({
      code: 'misplaced',
      weight: 'stops',
      host: 'base',
      what: 'base: nothing of it is served at BASE_URL, and 2 of 3 operations of it that were tried at CDN_URL are answered there',
      remedy: `the two look swapped: set BASE_URL=${target.hosts.cdn} and CDN_URL=${target.hosts.base}`,
    });
    expect(findings.filter(({ code, host }) => code === 'nothing-served' && host === 'base')).toEqual([]);
    const looks = calls.filter(({ path }) => path.startsWith('/api/v1/'));
    // Three with a path beside each, and the two that are answered once more.
    expect(looks.length).toBeLessThanOrEqual(10);
    expect(looks.every(({ method, headers }) => method === 'GET' && !headers.authorization)).toBe(true);
  });

  test.each<[string, (path: string) => number]>([
    ['one is', (path) => (path === keys ? 200 : 404)],
    ['all paths are', () => 200],
    ['all paths of the API are refused', (path) => (path.startsWith('/api/') ? 401 : 404)],
    ['they break it', (path) => ([keys, health].includes(path) ? 502 : 404)],
    ['they lead elsewhere', (path) => ([keys, health].includes(path) ? 302 : 404)],
    ['they are put off', (path) => ([keys, health].includes(path) ? 429 : 404)],
  ])('where %s, nothing is said of it', async (_, of) => {
    expect((await found(status(of))).examination.misplaced).toEqual([]);
  });
});

describe('what to set', () => {
  const env = {
    BASE_URL: 'https://a.example',
    CDN_URL: 'https://b.example',
    GAMELOGS_URL: 'https://c.example',
  };
  const target = readTarget(env, { cwd: '/' });
  const reach = { reachable: true, latencyMs: 4, unrouted: { GET: '404', POST: '404' } } as const;
  const remedies = (
    misplaced: readonly Omit<Misplaced, 'answered' | 'tried'>[],
    serving: readonly Host[] = [],
  ) => {
    const hosts = (['base', 'cdn', 'gamelogs'] as const).map((host) => {
      const seen = serving.includes(host) ? ('served' as const) : ('unrouted' as const);
      return { host, url: '', reach: { host, ...reach }, share: undefined, ...looked(host, seen) };
    });
    const counted = misplaced.map((each) => ({ ...each, answered: 2, tried: 2 }));
    return pressing(examined({}, { target, hosts, misplaced: counted }))
      .filter(({ code }) => code === 'misplaced')
      .map(({ remedy }) => remedy);
  };
  const looked = (host: Host, seen: 'served' | 'unrouted') => ({
    seen: { calls: 1, limited: 0 },
    passingErrors: { calls: 1, errors: 0 },
    sample: [{ id: 'x', host, seen, status: seen === 'served' ? 200 : 404 }],
  });

  test('both, where they stand at each other’s address', () => {
    const both = [{ host: 'cdn', at: 'gamelogs' } as const, { host: 'gamelogs', at: 'cdn' } as const];
    expect(remedies(both, ['base'])[0]).toBe(
      'the two look swapped: set CDN_URL=https://c.example and GAMELOGS_URL=https://b.example',
    );
  });

  test('each its own, where three went round', () => {
    const round = [{ host: 'base', at: 'gamelogs' } as const, { host: 'gamelogs', at: 'cdn' } as const];
    expect(remedies(round)).toEqual([
      'set BASE_URL=https://c.example, if that is where it is meant to stand',
      'set GAMELOGS_URL=https://b.example, if that is where it is meant to stand',
    ]);
  });

  test('one, where the other serves what is its own', () => {
    expect(remedies([{ host: 'gamelogs', at: 'base' }], ['base'])).toEqual([
      'set GAMELOGS_URL=https://a.example, if that is where it is meant to stand',
    ]);
  });
});

type IdOf = (token: string) => string | undefined;

/** A target that gives who signs in the id that their token stands for; a sign-in ends all sessions before it. */
async function lookedAt(idOf: IdOf, env: Readonly<Record<string, string>> = {}) {
  let sessions = 0;
  const behaviour = signsInBy(
    ({ token = '' }) => {
      sessions += 1;
      return { body: { playerId: idOf(token), session: { token: `c2Vzc2lvbi10b2tlbg${sessions}` } } };
    },
    ({ authorization }) => authorization === `Bearer c2Vzc2lvbi10b2tlbg${sessions}`,
  );
  const { target, client } = await standIn(behaviour, env);
  const limits = { concurrency: 8, withinMs: 15_000, mostCalls: 0, planned: Promise.resolve([]) };
  const redactor = createRedactor();
  return examine({ target, client, redactor, ...limits, now: stoppedClock() });
}
const alone: IdOf = () => 'p-1';

test.each<[string, IdOf, Readonly<Record<string, string>>, string | undefined]>([
  ['one id for all test JWTs', alone, {}, 'test JWT'],
  ['one id for all tokens', alone, { LOGIN_TOKEN: 'one two three' }, 'LOGIN_TOKEN'],
  ['one token, whose id it is', alone, { LOGIN_TOKEN: 'one' }, undefined],
  ['an id for each', (token) => `p-${token}`, { LOGIN_TOKEN: 'one two' }, undefined],
  ['no id at all', () => undefined, {}, undefined],
])('a second sign-in tells whether all are one player: %s', async (_, idOf, env, expected) => {
  expect((await lookedAt(idOf, env)).tokenSourceWithSameId).toBe(expected);
});

test('that all are one player is to be mended, with what signs in', () => {
  const findings = pressing(examined({}, { tokenSourceWithSameId: 'test JWT' }));
  expect(findings).toMatchObject([{ code: 'one-player', weight: 'hides' }]);
  expect(findings[0]?.what).toMatch(/^every sign-in is answered with the same player/);
  expect(findings[0]?.remedy).toMatch(/^let the login make a player of each test JWT/);
  expect(isReady(findings)).toBe(true);
  const [byTokens] = pressing(examined({}, { tokenSourceWithSameId: 'LOGIN_TOKEN' }));
  expect(byTokens?.remedy).toMatch(/^let LOGIN_TOKEN hold tokens of different players/);
});

test('a sub that the profile gives to all is the profile’s to mend', () => {
  const { target } = examined({});
  const remedyWith = (sub: string) => {
    const profile = { ...silentProfile, session: { jwt: { claims: { sub } } } };
    const found = findingsOf(
      examined({}, { tokenSourceWithSameId: 'test JWT', target: { ...target, profile } }),
    );
    return found.find(({ code }) => code === 'one-player')?.remedy;
  };
  expect(remedyWith('dev')).toContain('{n}, into the sub');
  expect(remedyWith('dev-{n}')).toContain('let the login');
});
