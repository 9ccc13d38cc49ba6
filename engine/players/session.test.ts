import { execFile, spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { exchangeOf } from '../../fixtures/kit/exchanges.ts';
import { standIn } from '../../fixtures/kit/sign-in-server.ts';
import { curl } from '../http/curl.ts';
import type { Request } from '../http/exchange.ts';
import { sessionVariable } from '../http/redact.ts';
import type { SessionTransport } from '../target/session-transport.ts';
import {
  combined,
  described,
  next,
  type Session,
  secretsIn,
  secretsOf,
  signed,
  spoiled,
  take,
  withSession,
} from './session.ts';

const session = (
  credentials: Session['credentials'],
  transport: SessionTransport = { kind: 'bearer', source: '' },
) => ({
  transport,
  credentials,
  secrets: [],
});

test('a credential takes the place of a header of its name, in any case', () => {
  const headers = withSession(
    [
      ['Accept', '*/*'],
      ['Authorization', 'Basic abc'],
    ],
    session([['authorization', 'Bearer xyz']]),
  );
  expect(headers).toEqual([
    ['Accept', '*/*'],
    ['authorization', 'Bearer xyz'],
  ]);
});

test('cookies join those that are sent anyway', () => {
  const headers = withSession([['Cookie', 'a=1']], session([['cookie', 'sid=2']]));
  expect(headers).toEqual([['cookie', 'a=1; sid=2']]);
});

test.each([
  ['authorization', 'Bearer abc'],
  ['x-session-token', 'A1b2-C3d4_E5f6.g7h8'],
  ['cookie', 'sid=0123456789; lang=en'],
  ['x-session-id', '6f1d0f4e-55b0-4f0e-9d0a-0c4f7c3b9a11'],
  ['x-hex', 'deadbeefdeadbeefdeadbeef'],
  ['x-punctuation', 'a..........b'],
  ['x-short', 'x'],
])('a spoiled %s keeps form and length and says something else: %s', (name, value) => {
  const [[, wrong = ''] = []] = spoiled(session([[name, value]])).credentials;
  const shape = (text: string) => text.replace(/[a-z]/g, 'a').replace(/[A-Z]/g, 'A').replace(/\d/g, '0');
  expect(wrong).not.toBe(value);
  expect(shape(wrong)).toBe(shape(value));
  expect(wrong.startsWith('Bearer ')).toBe(value.startsWith('Bearer '));
});

test('spoiled hex is still hex, and a spoiled UUID keeps its version', () => {
  const uuid = '6f1d0f4e-55b0-4f0e-9d0a-0c4f7c3b9a11';
  const [[, wrong = ''] = []] = spoiled(session([['x', uuid]])).credentials;
  expect(wrong).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-9[0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('every cookie of several is spoiled', () => {
  const [[, wrong] = []] = spoiled(session([['cookie', 'a=11111111; b=22222222']])).credentials;
  expect(wrong).toBe('a=11666111; b=22777222');
});

test('a transport is reported in words', () => {
  expect(described({ kind: 'cookie', names: ['a', 'b'] })).toBe('the cookies a, b');
  expect(described({ kind: 'bearer', source: '/session/token' })).toBe(
    'the token at /session/token of the login answer, sent as Authorization: Bearer',
  );
  expect(
    described({
      kind: 'combined',
      parts: [
        { kind: 'cookie', names: ['sid'] },
        { kind: 'header', name: 'x-csrf', source: 'x-csrf' },
      ],
    }),
  ).toBe('the cookie sid, together with the header x-csrf of the login answer, sent back as x-csrf');
});

// A curl line names a session's secrets by variable, and works with what `npm run -s session` exports.
const here = spawnSync('curl', ['--version']).status === 0;
const tried = test.skipIf(!here);

const cookies: Session = {
  transport: { kind: 'cookie', names: ['sid', 'XSRF-TOKEN'] },
  credentials: [['cookie', 'sid=c2Vzc2lvbg; XSRF-TOKEN=cHJvb2Ytb2Y']],
  secrets: ['c2Vzc2lvbg', 'cHJvb2Ytb2Y'],
};
const header: Session = {
  transport: { kind: 'header', name: 'x-xsrf-token', source: 'cookie:XSRF-TOKEN' },
  credentials: [['x-xsrf-token', 'cHJvb2Ytb2Y']],
  secrets: ['cHJvb2Ytb2Y'],
};
const query: Session = {
  transport: { kind: 'query', name: 'sessionKey', source: '/sessionKey' },
  credentials: [],
  query: [['sessionKey', 'a+b/c==d e']],
  secrets: ['a+b/c==d e'],
};

const sessions: readonly (readonly [string, Session, number])[] = [
  ['several cookies', cookies, 1],
  ['a query value that has to be encoded', query, 1],
  ['cookies, and one of them in a header as well', combined(cookies, header), 2],
  ['cookies and a query value', combined(cookies, query), 2],
];

tried.each(sessions)('%s: shown as variables, and sent as they were', async (_, session, variables) => {
  const { target, calls } = await standIn(() => ({}));
  const request: Request = signed(
    { method: 'GET', url: `${target.hosts.base}/api/v1/me/location?a=b`, headers: [] },
    session,
  );
  const command = curl(request, secretsIn(request, [], [session]));
  for (const secret of [...session.secrets, ...session.secrets.map(encodeURIComponent)])
    expect(command).not.toContain(secret);
  const exported = Object.fromEntries(
    secretsOf(session).map(({ value }, nth) => [sessionVariable(nth), value]),
  );
  expect(Object.keys(exported)).toEqual(['ASSAY_SESSION', 'ASSAY_SESSION_2'].slice(0, variables));
  const env = { ...process.env, ...exported };
  await new Promise((done) => execFile('sh', ['-c', command], { env, timeout: 10_000 }, done));
  const [sent] = calls;
  for (const [name, value] of session.credentials) expect(sent?.headers[name]).toBe(value);
  for (const [name, value] of session.query ?? []) expect(sent?.query.get(name)).toBe(value);
  expect(sent?.query.get('a')).toBe('b');
});

test('a session is known by all of what it sends', () => {
  const request: Request = { method: 'GET', url: 'http://x/', headers: cookies.credentials };
  expect(secretsIn(request, [], [combined(cookies, header), cookies])).toEqual({
    session: [{ value: cookies.credentials[0]?.[1], cookies: cookies.secrets }],
  });
});

const bearer: SessionTransport = { kind: 'bearer', source: '/token' };
const csrf: SessionTransport = { kind: 'header', source: 'X-Csrf', name: 'x-csrf' };
const cookie: SessionTransport = { kind: 'cookie', names: ['sid'] };
const both: SessionTransport = { kind: 'combined', parts: [cookie, csrf] };
const answer = (body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  exchangeOf({ status: 200, body, headers });
const login = answer({}, { 'set-cookie': 'sid=session-0001', 'x-csrf': 'csrf-0001' });

test('a session of two parts needs both', () => {
  expect(take(both, login)?.credentials).toEqual([
    ['cookie', 'sid=session-0001'],
    ['x-csrf', 'csrf-0001'],
  ]);
  expect(take(both, answer({}, { 'set-cookie': 'sid=session-0001' }))).toBeUndefined();
  expect(take(both, answer({}, { 'x-csrf': 'csrf-0001' }))).toBeUndefined();
});

test('a member whose name is spelled with escapes is the same member', () => {
  const session = take(bearer, answer({ token: 'a' })) as Session;
  const escaped = exchangeOf({ status: 200, body: '{"tok\\u0065n":"b"}' });
  expect(next(session, escaped)?.credentials).toEqual([['authorization', 'Bearer b']]);
  expect(next(session, answer({ note: 'token' }))).toBeUndefined();
});

test('keeps the part of a two-part session that an answer does not renew', () => {
  const session = take(both, login) as Session;
  expect(next(session, answer({}, { 'x-csrf': 'csrf-0002' }))?.credentials).toEqual([
    ['cookie', 'sid=session-0001'],
    ['x-csrf', 'csrf-0002'],
  ]);
  expect(next(session, answer({}))).toBeUndefined();
});

test("the player's id is taken from where the profile says, and kept with what follows", () => {
  const first = take(bearer, answer({ token: 'a', me: { nr: 7 } }), '/me/nr') as Session;
  expect(first.playerId).toBe('7');
  expect(next(first, answer({ token: 'b' }))).toMatchObject({ playerId: '7', secrets: ['b'] });
  expect(take(bearer, answer({ token: 'a' }), '/me/nr')).not.toHaveProperty('playerId');
});

test.each<[string, unknown, string | undefined]>([
  ['of a player beside a session', { session: { id: 's-1' }, player: { id: 'p-1' } }, 'p-1'],
  ['of the answer itself, before that of a region', { region: { id: 'eu' }, id: 'p-1' }, 'p-1'],
  ['of an account, in capitals', { Account: { ID: 7 } }, '7'],
  ['under another name', { device: { id: 'd-1' }, Player_ID: 'p-1' }, 'p-1'],
  ['of the one thing that has any', { hero: { id: 'p-1' } }, 'p-1'],
  ['of a session alone', { session: { id: 's-1' } }, undefined],
  ['of several things, none of which is the player', { region: { id: 'eu' }, pod: { id: 'x' } }, undefined],
])('takes the id %s', (_, body, id) => {
  expect(take(bearer, answer({ token: 'a', ...(body as object) }))?.playerId).toBe(id);
});

test('takes no credential for the id of a player', () => {
  const transport: SessionTransport = { kind: 'header', name: 'x-session', source: '/id' };
  expect(take(transport, answer({ id: 'session-0001' }))).not.toHaveProperty('playerId');
  expect(take(transport, answer({ id: 'session-0001' }), '/id')).toHaveProperty('playerId', 'session-0001');
});

test.each<[string, SessionTransport, ReturnType<typeof answer>]>([
  ['an answer that is no JSON', bearer, answer('token=a')],
  ['an empty token', bearer, answer({ token: '' })],
  ['a token that is a number', bearer, answer({ token: 7 })],
  ['a cookie of another name', cookie, answer({}, { 'set-cookie': 'other=session-0001' })],
])('%s holds no session', (_, transport, from) => {
  expect(take(transport, from)).toBeUndefined();
});

test('counts a short cookie as a secret only when the session has no other', () => {
  const two: SessionTransport = { kind: 'cookie', names: ['sid', 'lang'] };
  const from = exchangeOf({ status: 200 });
  const set = [
    ['set-cookie', 'sid=session-0001'],
    ['set-cookie', 'lang=en'],
  ] as const;
  const of = (headers: typeof set | (typeof set)[1][]) => ({
    ...from,
    ...(from.response && { response: { ...from.response, headers } }),
  });
  expect(take(two, of(set))?.secrets).toEqual(['session-0001']);
  expect(take({ kind: 'cookie', names: ['lang'] }, of([set[1]]))?.secrets).toEqual(['en']);
});

test('a cookie of the login may be sent back otherwise', () => {
  const transport: SessionTransport = { kind: 'query', source: 'cookie:sid', name: 'session' };
  expect(take(transport, login)).toMatchObject({ credentials: [], query: [['session', 'session-0001']] });
  expect(described(transport)).toBe('the cookie sid of the login answer, sent back as ?session=');
});

test('a login answer may be the token itself', () => {
  const transport: SessionTransport = { kind: 'bearer', source: '' };
  const text = exchangeOf({ status: 200, body: '"abc"', headers: { 'content-type': 'application/json' } });
  expect(take(transport, text)?.secrets).toEqual(['abc']);
  expect(described(transport)).toContain('the string that is the login answer');
});
