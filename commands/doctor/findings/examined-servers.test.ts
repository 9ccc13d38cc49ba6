import { expect, test } from 'vitest';
import { catalog } from '../../../catalog/catalog.ts';
import type { Operation } from '../../../catalog/operation.ts';
import { createRedactor } from '../../../engine/http/redact.ts';
import { pinProblems } from '../../../engine/run/pins.ts';
import { type Profile, silentProfile } from '../../../engine/target/profile.ts';
import { stoppedClock } from '../../../fixtures/kit/examined.ts';
import type { Answer } from '../../../fixtures/kit/loopback.ts';
import { type Behaviour, loginPath, signsInBy, standIn } from '../../../fixtures/kit/sign-in-server.ts';
import { examine } from '../examine.ts';
import { doctorJson, linesOf } from '../report.ts';
import { plannedChecks } from '../share.ts';
import { findingsOf, isReady } from './findings.ts';

/** In place of those that a run plans. */
const documented = Promise.resolve(
  catalog.flatMap(({ id, host, clause }) =>
    ['routed', 'answers'].map((title) => {
      return { id: `${id}#${title}`, title, operation: id, host, clause, level: 'documented' as const };
    }),
  ),
);

interface How {
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  readonly profile?: Partial<Profile>;
  /** All operations are looked at, not just those that tell most. */
  readonly all?: boolean;
}

async function doctor(behaviour: Behaviour, { env = {}, timeoutMs = 5_000, profile, all }: How = {}) {
  const limits = { timeoutMs, waitBudgetMs: 0, deadline: Date.now() + 60_000 };
  const { target: plain, client } = await standIn(behaviour, env, limits);
  const target = profile ? { ...plain, profile: { ...silentProfile, ...profile } } : plain;
  const options = {
    redactor: createRedactor(),
    concurrency: 32,
    withinMs: 15_000,
    planned: documented,
    now: stoppedClock(),
    mostCalls: all ? 5_000 : 0,
  };
  const examination = await examine({ target, client, ...options });
  const findings = findingsOf(examination);
  return {
    findings,
    json: JSON.stringify(doctorJson(examination, findings)),
    lines: linesOf(examination, findings),
    ready: isReady(findings),
    stops: findings.filter(({ weight }) => weight === 'stops').map(({ code }) => code),
    calls: examination.calls,
    codes: findings.map(({ code }) => code),
  };
}

const always =
  (answer: Answer): Behaviour =>
  () =>
    answer;
const notFound: Answer = { status: 404, body: { error: 'no such path' } };

const token = 'c2Vzc2lvbi10b2tlbg';
/** Signs in, and serves these operations to whoever did. */
const serving = (operations: readonly Operation[]): Behaviour => {
  const patterns = operations.map(({ path }) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`));
  return ({ path, method, headers }) => {
    if (path === loginPath && method === 'POST') return { body: { session: { token } } };
    if (!patterns.some((pattern) => pattern.test(path))) return notFound;
    return headers.authorization === `Bearer ${token}` ? { body: { path } } : { status: 401, body: {} };
  };
};
const withoutGame = catalog.filter(({ words }) => words.every(({ word }) => word !== 'game'));

test('a target that answers 404 to all serves nothing, and has no login', async () => {
  const { ready, stops, lines } = await doctor(always(notFound));
  expect([ready, stops]).toEqual([false, ['nothing-served', 'sign-in-unrouted']]);
  expect(lines).toContain('- base: all 18 operations are answered like a path that cannot exist (404)');
  expect(lines).toContain('Not ready: a run could not judge enough of this target.');
});

test('a static file server is judged by its reads alone, and no sign-in changed anything there', async () => {
  const { json, lines } = await doctor(
    ({ method }) => (method === 'GET' ? notFound : { status: 501, body: '' }),
    {
      all: true,
    },
  );
  const [{ share, sample }] = JSON.parse(json).hosts;
  expect(share.served).toBe(0);
  // 44 of 133 operations are reads that name no resource: a run fails these, and leaves the others open.
  expect(share.judged).toBeGreaterThan(0.1);
  expect(share.judged).toBeLessThanOrEqual(44 / 266);
  const login = sample.find(({ operation }: { operation: string }) => operation === 'auth.login');
  expect([login.seen, login.reason]).toEqual(['open', 'catch-all']);
  expect(lines.at(-1)).toMatch(/; nothing was changed$/);
});

test('what a sign-in that is let in may change is said', async () => {
  const { lines } = await doctor(serving(catalog));
  expect(lines.at(-1)).toMatch(/; nothing was changed except by signing in$/);
});

test('a target that answers 401 to all stands behind a wall', async () => {
  const { stops } = await doctor(always({ status: 401, body: { error: 'sign in' } }));
  expect(stops).toEqual(['wall', 'sign-in-refused']);
});

test('a single-page application says yes to every path', async () => {
  const { stops } = await doctor(always({ body: '<!doctype html><title>Game</title>' }));
  expect(stops).toEqual(['catch-all', 'sign-in-unrouted']);
});

test('a target that redirects to a login page is not the API', async () => {
  const { stops } = await doctor(always({ status: 302, headers: { location: 'https://sso.example/login' } }));
  expect(stops[0]).toBe('redirected');
});

test('where nothing answers in time it says what was not reached', async () => {
  const { stops, lines, json } = await doctor(() => undefined, { timeoutMs: 200 });
  expect(stops).toEqual(['unreachable']);
  expect(lines[0]).toBe('base: not reached');
  expect(JSON.parse(json).hosts[0]).toMatchObject({ reachable: false, error: 'timeout', unrouted: null });
});

test('a target that allows no more calls gets a finding, and doctor does not wait for it', async () => {
  const limited = { status: 429, headers: { 'retry-after': '30', 'ratelimit-limit': '5' }, body: {} };
  const { codes, findings } = await doctor(always(limited));
  expect(codes.slice(0, 3)).toEqual(['silent', 'sign-in-refused', 'rate-limited']);
  expect(findings[1]?.what).toContain('the login answers 429: it allows no more calls for now');
  expect(findings[2]?.what).toMatch(/^base: \d+ of \d+ calls were answered 429 \(ratelimit-limit: 5\)$/);
});

test('a clock that is an hour ahead is a finding', async () => {
  const date = new Date(Date.now() + 3_600_000).toUTCString();
  const { lines, codes } = await doctor(always({ ...notFound, headers: { date } }));
  expect(codes).toContain('clock-skew');
  expect(lines.join('\n')).toMatch(
    /- base: its clock is 3[56]\d\d s ahead of ours\n {2}→ set both by NTP: tokens may seem expired/,
  );
});

test('a login that refuses the token asks for another one', async () => {
  const refusing = signsInBy(always({ status: 403, body: { error: 'unknown issuer' } }), () => false);
  const { stops, findings } = await doctor(refusing);
  expect(stops).toEqual(['sign-in-refused']);
  expect(findings[0]?.remedy).toBe('the target has to trust the token: give one of its own');
});

test('a login that fails by itself is the one to mend, not the token', async () => {
  const { stops, findings } = await doctor(signsInBy(always({ status: 503, body: 'starting' }), () => false));
  expect(stops).toEqual(['sign-in-refused']);
  expect(findings[0]?.remedy).toBe(
    'mend the login, or wait until it is up; where only a token of yours is taken, set LOGIN_TOKEN',
  );
});

test("a session that is nowhere to be found is the profile's to say", async () => {
  const { findings } = await doctor(signsInBy(always({ body: { welcome: true } }), () => false));
  expect(findings[0]).toMatchObject({ code: 'sign-in-no-credential', weight: 'stops' });
  expect(findings[0]?.remedy).toContain('session.transport');
});

test("a credential that anybody could make up is the target's to refuse", async () => {
  const believing = signsInBy(always({ body: { session: { token } } }), (headers) =>
    Boolean(headers.authorization?.startsWith('Bearer ')),
  );
  expect((await doctor(believing)).stops).toEqual(['sign-in-any-credential']);
});

test('a target that serves the interface is ready, and the doctor names what else could be judged', async () => {
  const { ready, lines, codes } = await doctor(serving(catalog));
  expect(ready).toBe(true);
  expect(codes).toEqual([
    'host-not-given',
    'host-not-given',
    'no-profile',
    'version-pattern-unnamed',
    'resources-unnamed',
  ]);
  expect(lines).toContain('Ready: a run can judge enough of this target (npm start).');
});

const base = catalog.filter(({ host }) => host === 'base');
const needed = new Set(['auth.login', 'me.location']);
/** So many of a hundred operations, the same of every area, and what it takes to sign in. */
const part = (percent: number) => base.filter(({ id }, nth) => needed.has(id) || (nth * 37) % 100 < percent);

// One operation more or less that could not be told does not decide: the bound is 80 % judged.
test.each([
  [75, true],
  [45, false],
  [20, false],
])(
  'of a target that serves %i of a hundred operations, a run could judge enough: %s',
  async (percent, enough) => {
    const { ready, stops, json } = await doctor(serving(part(percent)), { all: true });
    const [{ share }] = JSON.parse(json).hosts;
    // That an operation is missing is judged too, unless its resource may be unknown.
    const there = part(percent).length / base.length;
    expect(share.judged).toBeGreaterThan(there * 0.98);
    expect(share.judged).toBeLessThan((1 + there) / 2 + 0.01);
    expect([ready, stops]).toEqual([enough, enough ? [] : ['too-little-judged']]);
  },
);

test('what the profile leaves out is neither missed nor counted', async () => {
  const served = part(45);
  const omittedIds = base.filter((operation) => !served.includes(operation)).map(({ id }) => id);
  const omitted = new Map(omittedIds.map((id) => [id, 'not built']));
  const { ready, lines, json } = await doctor(serving(served), { all: true, profile: { omitted } });
  expect(ready).toBe(true);
  const [{ share }] = JSON.parse(json).hosts;
  expect(share).toMatchObject({ operations: served.length, missing: [] });
  expect(share.judged).toBeGreaterThan(0.98);
  const text = lines.join('\n');
  expect(omittedIds.filter((id) => text.includes(`${id} `))).toEqual([]);
});

test('a word that no served path holds is a finding, and hides only its own operations', async () => {
  const { ready, findings } = await doctor(serving(withoutGame));
  expect(ready).toBe(true);
  expect(findings[0]).toMatchObject({ code: 'word-unknown', weight: 'hides' });
  expect(findings[0]?.what).toBe('no read whose path holds "game" is served, while its neighbours are');
});

test('one token is reported as too few for what several players do', async () => {
  const { codes } = await doctor(serving(catalog), { env: { LOGIN_TOKEN: 'only-one-token' } });
  expect(codes).toContain('few-players');
});

test('no output is longer than 40 lines, or holds a token or a session', async () => {
  const seen = [serving(catalog), always(notFound), always({ status: 401, body: {} })].map((behaviour) =>
    doctor(behaviour, { env: { LOGIN_TOKEN: 'secret-token-of-a-player' } }),
  );
  for (const { lines, json } of await Promise.all(seen)) {
    expect(lines.length).toBeLessThanOrEqual(40);
    expect(`${lines.join('\n')}${json}`).not.toMatch(/secret-token-of-a-player|c2Vzc2lvbi10b2tlbg/);
  }
});

const batches = ['/api/v1/gameDataAnalytics/v2/batch', '/api/v1/gameLogs/batch'];

/** A main API, and a logging API at the same address that lets in whom `knows` does. */
const withLogs =
  (knows: (authorization: string | undefined) => boolean): Behaviour =>
  (call) => {
    if (!batches.includes(call.path)) return serving(catalog)(call);
    if (call.method !== 'POST') return { status: 405, headers: { allow: 'POST' }, body: {} };
    return knows(call.headers.authorization) ? { body: { accepted: 0 } } : { status: 401, body: {} };
  };

async function ofLogs(behaviour: Behaviour) {
  const { target, client, calls } = await standIn(behaviour, {}, { timeoutMs: 5_000, waitBudgetMs: 0 });
  const hosts = { ...target.hosts, gamelogs: `${target.hosts.base}` };
  const examination = await examine({
    client,
    redactor: createRedactor(),
    concurrency: 32,
    withinMs: 15_000,
    planned: documented,
    target: { ...target, hosts },
    mostCalls: 0,
    now: stoppedClock(),
  });
  const findings = findingsOf(examination);
  const written = calls.filter(
    ({ path, method, body }) => batches.includes(path) && method === 'POST' && body,
  );
  return {
    findings,
    lines: linesOf(examination, findings),
    json: doctorJson(examination, findings),
    written,
  };
}

test('a logging API that wants the session gets it, and nothing is written there', async () => {
  const { findings, lines, json, written } = await ofLogs(withLogs((sent) => sent === `Bearer ${token}`));
  expect(lines).toContain(
    'gamelogs: wants the session too, and gets it (logs.logsBatch answers 200 with it, 401 without)',
  );
  expect(findings.filter(({ host }) => host === 'gamelogs')).toEqual([]);
  expect(json.hosts.find(({ host }) => host === 'gamelogs')).toMatchObject({ session: 'taken' });
  expect(written).toEqual([]);
});

test('where nobody signs in, that stands before the wall of another host, which may come of it', async () => {
  const { findings } = await ofLogs(always({ status: 401, body: {} }));
  const stops = findings.filter(({ weight }) => weight === 'stops');
  expect(stops.map(({ code, host = '' }) => `${code} ${host}`)).toEqual([
    'wall base',
    'sign-in-refused base',
    'wall gamelogs',
  ]);
});

test('one that refuses it as well stops a run, with what helps', async () => {
  const { findings, lines, json } = await ofLogs(withLogs(() => false));
  expect(findings.filter(({ host }) => host === 'gamelogs')).toEqual([
    {
      code: 'wall',
      weight: 'stops',
      host: 'gamelogs',
      what: 'gamelogs: logs.logsBatch answers 401; the session of the main API is refused there too',
      remedy:
        'let the logging API take calls without a sign-in or with the session of the main API, or put what it wants instead into headers of the profile',
    },
  ]);
  expect(lines).toContain('Not ready: a run could not judge enough of this target.');
  expect(json.hosts.find(({ host }) => host === 'gamelogs')).toMatchObject({ session: 'refused' });
});

test.each<[string, Answer]>([
  ['refuses every call', { status: 401, body: { error: 'sign in' } }],
  ['has no route', notFound],
  ['says yes to everything', { body: {} }],
  ['is broken', { status: 500, body: {} }],
])('a target that %s is not asked for every operation', async (_, answer) => {
  const { calls, ready } = await doctor(always(answer), { all: true });
  expect(ready).toBe(false);
  expect(calls).toBeLessThan(200);
});

test('what accept pins of attacks, and of steps that may record a behaviour, is no finding', async () => {
  const pins = pinProblems({ 'forged/cut': 'accepted', 'names/emoji': '404' }, await plannedChecks());
  expect(pins).toEqual([]);
});

test('a pin of the profile that matches nothing, or no open point, is a finding', async () => {
  const expects = { 'party.nothing#routed': '200', 'general.config#routed': 'served' };
  const { findings } = await doctor(always(notFound), { profile: { expects } });
  expect(findings.filter(({ code }) => code === 'expects-wrong').map(({ what }) => what)).toEqual([
    expect.stringContaining('expects: "party.nothing#routed" matches no check'),
    expect.stringContaining('expects: "general.config#routed" is no open point'),
  ]);
});
