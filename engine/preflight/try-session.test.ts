// The session on hosts besides the main API's: on targets that exist only here, so that none of them is this machine.
import { describe, expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import { brokenExchange, type ExchangeFields, exchangeOf } from '../../fixtures/kit/exchanges.ts';
import { requestOf } from '../http/ask.ts';
import type { Exchange, Request } from '../http/exchange.ts';
import type { Session } from '../players/session.ts';
import type { Discovery, Found } from '../players/sign-in-discovery.ts';
import { type SessionProfile, silentProfile } from '../target/profile.ts';
import {
  hostSessionLine,
  isWall,
  remedyFor,
  type SessionTransport,
  takesSession,
  wallPhrase,
} from '../target/session-transport.ts';
import { readTarget, type Target } from '../target/target.ts';
import { createSessionTrial } from './try-session.ts';

const { clientData, logs, me } = areas;
const real = 'real-session-1a2b3c4d';

const sessionBy = (transport: SessionTransport, field: readonly [string, string], value = real): Session => ({
  transport,
  credentials: [field],
  secrets: [value],
});
const bearer = sessionBy({ kind: 'bearer', source: '/token' }, ['authorization', `Bearer ${real}`]);
const cookie = sessionBy({ kind: 'cookie', names: ['sid'] }, ['cookie', `sid=${real}`]);
const inHeader = sessionBy({ kind: 'header', name: 'x-session', source: 'x-session' }, ['x-session', real]);

const foundWith = (session: Session, more: Partial<Found> = {}): Found => ({
  kind: 'found',
  token: 'jwt',
  from: 'test JWT',
  session,
  recipe: { body: 'empty object', transport: session.transport, rotates: false },
  evidence: { operation: me.location.id, without: 401, spoiled: 401, with: 200, differs: 'status' },
  ...more,
});

interface Trying {
  readonly discovery?: Discovery | undefined;
  readonly hosts?: Target['hosts'];
  readonly stated?: SessionProfile['hosts'];
  readonly readOnly?: boolean;
  readonly omitted?: readonly Operation[];
}

const far = { base: 'https://api.test', cdn: 'https://cdn.test', gamelogs: 'https://logs.test' };
const carries = ({ headers, url }: Request, value = real) =>
  url.includes(value) || headers.some(([, held]) => held.includes(value));

/** Looks at both other hosts of a target that answers so. */
async function trying(
  answer: (request: Request, nth: number) => ExchangeFields | Exchange,
  { discovery = foundWith(bearer), hosts = far, stated, readOnly = false, omitted = [] }: Trying = {},
) {
  const sent: Request[] = [];
  const client = {
    async send(request: Request) {
      sent.push(request);
      const reply = answer(request, sent.length);
      return { ...('request' in reply ? reply : exchangeOf({ status: 200, ...reply })), request };
    },
    close() {},
  };
  const read = readTarget({ BASE_URL: 'http://x.test' }, { cwd: '/', newRunId: () => 'run00000' });
  const profile = {
    ...silentProfile,
    ...(stated && { session: { hosts: stated } }),
    omitted: new Map(omitted.map(({ id }) => [id, 'not in this game'])),
  };
  const target: Target = { ...read, hosts, profile };
  const trial = createSessionTrial({ client, target, discovery, readOnly });
  for (const host of ['cdn', 'gamelogs'] as const)
    if (hosts[host] !== undefined) await trial.tryHost(host, target);
  const settled = { ...target, sessions: trial.sessions() };
  return {
    trial,
    sent,
    target: settled,
    sessions: settled.sessions,
    takes: (['cdn', 'gamelogs'] as const).filter((host) => takesSession(settled, host)),
    lines: Object.entries(settled.sessions).map(([host, found]) => hostSessionLine(host as 'cdn', found)),
  };
}

/** Lets in whoever carries this, and answers 401 to all others. */
const wants =
  (value: string, host = '.test', status = 401) =>
  (request: Request): ExchangeFields => {
    if (!request.url.includes(host)) return {};
    return request.headers.some(([, held]) => held === value) ? {} : { status };
  };

describe('a host that refuses calls without the session', () => {
  test.each([
    ['bearer', bearer],
    ['cookie', cookie],
    ['header', inHeader],
  ])('gets it, as the main API does: %s', async (_, session) => {
    const [[, value]] = session.credentials as [[string, string]];
    const found = await trying(wants(value), { discovery: foundWith(session) });
    expect(found.takes).toEqual(['cdn', 'gamelogs']);
    expect(found.lines).toEqual([
      'cdn: wants the session too, and gets it (clientData.contentMetadata answers 200 with it, 401 without)',
      'gamelogs: wants the session too, and gets it (logs.logsBatch answers 200 with it, 401 without)',
    ]);
  });

  test('gets it in a query, where that is how it travels', async () => {
    const session: Session = {
      transport: { kind: 'query', name: 'sid', source: '/sid' },
      credentials: [],
      secrets: [real],
      query: [['sid', real]],
    };
    const answer = ({ url }: Request): ExchangeFields => (url.includes(`sid=${real}`) ? {} : { status: 401 });
    expect((await trying(answer, { discovery: foundWith(session) })).takes).toEqual(['cdn', 'gamelogs']);
  });

  test('is distinguished from one whose guard is passed with it, whatever its body is then answered', async () => {
    const answer = (request: Request): ExchangeFields => ({ status: carries(request) ? 400 : 403 });
    const { takes, sent } = await trying(answer, { readOnly: true });
    expect(takes).toEqual(['cdn', 'gamelogs']);
    expect(sent.filter(({ method, body }) => method === 'POST' && body !== undefined)).toEqual([]);
  });

  test('is found by a batch, where it looks at the body first', async () => {
    const answer = (request: Request): ExchangeFields => {
      if (request.body === undefined) return { status: 400 };
      return { status: carries(request) ? 202 : 401 };
    };
    const hosts = { base: far.base, gamelogs: far.gamelogs };
    expect((await trying(answer, { hosts })).takes).toEqual(['gamelogs']);
    expect((await trying(answer, { hosts, readOnly: true })).takes).toEqual([]);
  });

  test('refuses it as well: the session is not sent there, and what helps is said', async () => {
    const { takes, sessions, target, lines } = await trying(({ url }) => ({
      status: url.includes('api.test') ? 200 : 401,
    }));
    expect(takes).toEqual([]);
    expect(sessions.gamelogs).toEqual({ kind: 'refused', operation: 'logs.logsBatch', status: 401 });
    expect(lines[1]).toBe(
      'gamelogs: logs.logsBatch answers 401; the session of the main API is refused there too; let the logging API take calls without a sign-in or with the session of the main API, or put what it wants instead into headers of the profile',
    );
    expect(wallPhrase(target, 'gamelogs', undefined)).toContain('is refused there too');
  });

  test('is not tried without end', async () => {
    const { sent, trial, target } = await trying(() => ({ status: 401 }), {
      discovery: foundWith(bearer, { otherWays: Array.from({ length: 40 }, () => cookie) }),
    });
    for (let nth = 0; nth < 30; nth += 1)
      await trial.send(logs.logsBatch, requestFor(logs.logsBatch, target));
    const signed = (host: string) => sent.filter((each) => each.url.includes(host) && carries(each));
    expect(signed('logs.test').length).toBeLessThan(15);
    expect(signed('cdn.test').length).toBeLessThan(15);
  });

  test.each<[string, boolean, (request: Request) => ExchangeFields | Exchange]>([
    ['asks for a later try', false, () => ({ status: 429 })],
    ['is away', false, () => ({ status: 503 })],
    ['says nothing', false, () => brokenExchange('timeout')],
    ['refuses that as well', true, () => ({ status: 403 })],
    ['sends elsewhere', true, () => ({ status: 302, headers: { location: 'https://elsewhere.test/login' } })],
  ])('does not take the session where it then %s', async (_, staysWall, answer) => {
    const found = await trying((request) => (carries(request) ? answer(request) : { status: 401 }));
    expect(found.takes).toEqual([]);
    expect(isWall(found.sessions.gamelogs)).toBe(staysWall);
    expect(found.sent.filter(({ url }) => url.includes('elsewhere'))).toEqual([]);
  });

  test('does not take it where any credential is answered so: a store knows no such one', async () => {
    const answer = ({ headers }: Request): ExchangeFields => ({
      status: headers.some(([name]) => name === 'authorization') ? 400 : 403,
    });
    expect((await trying(answer)).takes).toEqual([]);
  });

  test('does not take it where it changes its mind by itself', async () => {
    const found = await trying(({ url }, nth) => ({
      status: url.includes('api.test') || nth % 2 === 0 ? 200 : 401,
    }));
    expect(found.takes).toEqual([]);
  });
});

describe('nobody else can read it', () => {
  const plain = { base: 'http://api.test', cdn: 'http://cdn.test', gamelogs: 'http://logs.test' };

  test.each([
    ['tried', undefined],
    ['stated', { cdn: true, gamelogs: true }],
  ])('over plain http to another machine no credential is %s', async (_, stated) => {
    const found = await trying(() => ({ status: 401 }), { hosts: plain, ...(stated && { stated }) });
    expect(found.sent.filter((request) => carries(request))).toEqual([]);
    expect(found.takes).toEqual([]);
    expect(found.lines).toEqual([
      expect.stringMatching(
        /^cdn: clientData\.\w+ answers 401; .*; set CDN_URL to an https URL, or run Assay/,
      ),
      expect.stringMatching(
        /^gamelogs: logs\.logsBatch answers 401; .*; set GAMELOGS_URL to an https URL, or/,
      ),
    ]);
    for (const line of found.lines) expect(line).not.toContain('\n');
  });

  test('on this machine it may be plain http', async () => {
    const hosts = { base: plain.base, gamelogs: 'http://127.0.0.1:8082', cdn: 'http://[::1]:8081' };
    expect((await trying(wants(`Bearer ${real}`, 'http'), { hosts })).takes).toEqual(['cdn', 'gamelogs']);
  });

  test('a host that was not given gets nothing', async () => {
    const { sent, takes } = await trying(wants(`Bearer ${real}`), {
      hosts: { base: far.base, gamelogs: far.gamelogs },
    });
    expect(takes).toEqual(['gamelogs']);
    expect(
      sent.filter(({ url }) => !url.startsWith('https://logs.test/') && !url.startsWith(far.base)),
    ).toEqual([]);
  });

  test('a host that answers everybody gets nothing either', async () => {
    const { sent, sessions, takes } = await trying(() => ({}));
    expect([sessions, takes]).toEqual([{}, []]);
    expect(sent.filter((request) => carries(request))).toEqual([]);
  });
});

describe('what the profile says', () => {
  test('yes: it is sent at once', async () => {
    const found = await trying(() => ({ status: 401 }), { stated: { gamelogs: true, cdn: false } });
    const { trial, target } = found;
    expect(found.takes).toEqual(['gamelogs']);
    expect(found.lines[1]).toBe('gamelogs: the session is sent there too, as the profile says');
    const before = found.sent.length;
    await trial.send(logs.logsBatch, requestFor(logs.logsBatch, target));
    expect(found.sent.slice(before).map((request) => carries(request))).toEqual([true]);
    expect(wallPhrase(target, 'gamelogs', undefined)).toBe(
      'though the session of the main API is sent there',
    );
  });

  test('no: it is never sent, and what helps is said', async () => {
    const found = await trying(wants(`Bearer ${real}`), { stated: { gamelogs: false, cdn: false } });
    expect(found.takes).toEqual([]);
    expect(found.sent.filter((request) => carries(request))).toEqual([]);
    expect(found.sessions.gamelogs).toMatchObject({ kind: 'withheld', status: 401 });
    expect(found.lines[1]).toContain('the profile keeps the session from this host');
  });
});

test('where nobody is signed in there is none to try, and that is said', async () => {
  const { sessions, target } = await trying(() => ({ status: 401 }), {
    discovery: { kind: 'refused', status: 401, likeUnrouted: false, from: 'test JWT' },
  });
  const { gamelogs } = sessions;
  expect(gamelogs).toMatchObject({ kind: 'no-session' });
  expect(isWall(gamelogs) && remedyFor('gamelogs', gamelogs)).toMatch(/^let somebody sign in \(BASE_URL/);
  expect(wallPhrase(target, 'gamelogs', 'login answered 401')).toMatch(
    /no session .* there: login answered 401$/,
  );
});

describe('another way of carrying it', () => {
  const token = 'token-of-the-answer-9z';
  const asBearer = sessionBy(
    { kind: 'bearer', source: '/token' },
    ['authorization', `Bearer ${token}`],
    token,
  );
  const discovery = foundWith(cookie, { otherWays: [asBearer] });

  test('goes beside the first one, where the main API does not mind', async () => {
    const { takes, trial } = await trying(wants(`Bearer ${token}`, 'logs.test'), { discovery });
    expect(takes).toEqual(['gamelogs']);
    const made = trial.discovery() as Found;
    expect(made.session.credentials).toEqual([
      ['cookie', `sid=${real}`],
      ['authorization', `Bearer ${token}`],
    ]);
    expect(made.recipe.transport).toEqual({
      kind: 'combined',
      parts: [cookie.transport, asBearer.transport],
    });
  });

  test('is tried with the next file where the first is refused as one that is absent', async () => {
    const wanted = wants(`Bearer ${token}`, 'cdn.test', 403);
    const isThere = ({ url }: Request) => url.includes('dlcList');
    const { takes } = await trying(
      (request) =>
        request.url.includes('cdn.test') && !isThere(request) ? { status: 403 } : wanted(request),
      { discovery },
    );
    expect(takes).toEqual(['cdn']);
  });

  test('goes in no field that is taken: one request has one Authorization', async () => {
    const first = sessionBy({ kind: 'bearer', source: '/first' }, ['authorization', 'Bearer first'], 'first');
    const { sent } = await trying(() => ({ status: 401 }), {
      discovery: foundWith(first, { otherWays: [asBearer] }),
    });
    expect(sent.filter((request) => carries(request, token))).toEqual([]);
  });

  test.each(['api.test', 'logs.test'])(
    'is tried with the next call where %s says nothing at first',
    async (host) => {
      let wasBusy = false;
      const { takes } = await trying(
        (request) => {
          const isBusy = !wasBusy && request.url.includes(host) && carries(request, token);
          wasBusy ||= isBusy;
          return isBusy ? { status: 429 } : wants(`Bearer ${token}`, 'logs.test')(request);
        },
        { discovery },
      );
      expect(takes).toEqual(['gamelogs']);
    },
  );

  test('is left where the main API then refuses', async () => {
    const answer = (request: Request): ExchangeFields => {
      if (request.url.includes('api.test')) return { status: carries(request, token) ? 401 : 200 };
      return wants(`Bearer ${token}`, 'logs.test')(request);
    };
    const { takes, trial } = await trying(answer, { discovery });
    expect(takes).toEqual([]);
    expect((trial.discovery() as Found).session).toBe(cookie);
  });
});

test('a session that is new in every answer is followed', async () => {
  let current = 'turn-000000-of-the-session';
  const rotating = sessionBy(
    { kind: 'header', name: 'x-turn', source: 'x-turn' },
    ['x-turn', current],
    current,
  );
  const discovery = foundWith(rotating, {
    recipe: { body: 'empty object', transport: rotating.transport, rotates: true },
  });
  const { takes, trial } = await trying(
    (request) => {
      if (!carries(request, current)) return { status: 401 };
      current = `turn-${String(Number(current.slice(5, 11)) + 1).padStart(6, '0')}-of-the-session`;
      return { headers: { 'x-turn': current } };
    },
    { discovery },
  );
  expect(takes).toEqual(['cdn', 'gamelogs']);
  expect((trial.discovery() as Found).session.credentials).toEqual([['x-turn', current]]);
});

test('where the profile omits the files that tell most, others are tried', async () => {
  const { contentMetadata, dlcList, collections, eulaDefinition } = clientData;
  const omitted = [contentMetadata, dlcList, collections, eulaDefinition];
  const { takes, sent } = await trying(wants(`Bearer ${real}`), { omitted });
  expect(takes).toEqual(['cdn', 'gamelogs']);
  expect(sent.filter(({ url }) => /ContentMetadata|dlcList|collections\.|eulaDefinition/i.test(url))).toEqual(
    [],
  );
});

test('a 403 of a store that serves other files is about what it does not hold', async () => {
  const { sessions } = await trying(({ url }) => ({ status: url.includes('dlcList') ? 403 : 200 }));
  expect(sessions).toEqual({});
});

test('the reported walls do not depend on which answer came first', async () => {
  const { sessions } = await trying(({ url, method }) => ({
    status: url.includes('api.test') || (method === 'GET' && !url.includes('cdn')) ? 200 : 401,
  }));
  expect(sessions).toMatchObject({
    cdn: { operation: clientData.contentMetadata.id },
    gamelogs: { operation: logs.logsBatch.id },
  });
});

const requestFor = (operation: Operation, { hosts, ambient, headers }: Target) =>
  requestOf(
    operation,
    {},
    { host: hosts[operation.host] ?? '', ambient, headers, words: undefined, params: {} },
  );
