import { expect, test } from 'vitest';
import type { Exchange } from '../http/exchange.ts';
import { take } from './session.ts';
import { candidates } from './session-token.ts';

const token = 'the.login.token-itself';

function login(body: unknown, headers: readonly (readonly [string, string])[] = []): Exchange {
  const bytes = new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));
  return {
    request: { method: 'POST', url: 'http://x/', headers: [] },
    response: { status: 200, headers, body: bytes, wire: { bytes: bytes.length } },
    startedAt: Date.UTC(2030, 0, 1),
    durationMs: 1,
    attempts: 1,
    waits: 0,
  };
}

const sent = (exchange: Exchange) =>
  candidates(exchange, token).usual.flatMap(({ credentials }) => credentials);

test('names that say token come first, and those of other things last', () => {
  const exchange = login({
    refreshToken: 'rrrrrrrrrrrrrrrr',
    device: { token: 'dddddddddddddddd' },
    name: 'nnnnnnnnnnnnnnnn',
    apiKeyish: 'kkkkkkkkkkkkkkkk',
    session: { accessToken: 'aaaaaaaaaaaaaaaa' },
  });
  expect(sent(exchange).map(([, value]) => value.at(-1))).toEqual(['a', 'k', 'n', 'r', 'd']);
});

test('what cannot be a token is not tried', () => {
  const exchange = login({
    token,
    at: '2030-01-01T00:00:00.000Z',
    day: '2030-01-01',
    home: 'https://example.org/abcdefgh',
    words: 'several words in a row',
    short: 'abc',
    number: 2 ** 80,
    long: 'x'.repeat(10_000),
    bearer: `Bearer ${token}`,
  });
  expect(sent(exchange)).toEqual([]);
});

test('a short value counts where its name says session', () => {
  expect(sent(login({ sessionId: 'abc123', colour: 'xyz789' }))).toEqual([
    ['authorization', 'Bearer abc123'],
  ]);
});

test('headers that every server sends are not tried', () => {
  const headers = [
    'date',
    'etag',
    'x-request-id',
    'traceparent',
    'server',
    'cf-ray',
    'content-security-policy',
  ].map((name) => [name, 'abcdefghijklmnopqrstuvwxyz'] as const);
  expect(sent(login({}, headers))).toEqual([]);
});

test('a header is sent back under its name, and as Bearer', () => {
  expect(sent(login({}, [['x-session-token', 'abcdefghijklmnop']]))).toEqual([
    ['x-session-token', 'abcdefghijklmnop'],
    ['authorization', 'Bearer abcdefghijklmnop'],
  ]);
});

test('all cookies are one candidate, without those that are deleted', () => {
  const cookies = [
    'a=1; Path=/',
    'b=2; Max-Age=0',
    'c=3; Expires=Thu, 01 Jan 1970 00:00:00 GMT',
    'a=4',
    'nonsense',
  ];
  const kept = [
    'd=5; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT',
    'e=6; Expires=Thu, 01 Jan 2099 00:00:00 GMT',
  ];
  const exchange = login(
    {},
    [...cookies, ...kept].map((each) => ['set-cookie', each] as const),
  );
  expect(sent(exchange)).toEqual([['cookie', 'a=4; d=5; e=6']]);
});

test('short cookie values are no secrets, where there are longer ones', () => {
  const exchange = login({}, [
    ['set-cookie', 'lang=en'],
    ['set-cookie', 'sid=abcdefghijkl'],
  ]);
  expect(candidates(exchange, token).usual[0]?.secrets).toEqual(['abcdefghijkl']);
});

test("the player's id is returned along with it", () => {
  const exchange = login({ id: 7, user: { playerId: 'p-1' }, token: 'abcdefghijklmnop' });
  expect(candidates(exchange, token).usual[0]).toMatchObject({ playerId: 'p-1' });
});

test('at most 24 are tried, and a body nested without end is left', () => {
  const many = Object.fromEntries(
    Array.from({ length: 5_000 }, (_, i) => [`n${i}`, `value-${i}-${'x'.repeat(16)}`]),
  );
  expect(candidates(login(many), token).usual).toHaveLength(24);
  const deep = `${'{"a":'.repeat(50)}"abcdefghijklmnop"${'}'.repeat(50)}`;
  expect(candidates(login(deep), token).usual).toEqual([]);
});

test('a transport that is known is taken from the next answer', () => {
  const transport = { kind: 'bearer', source: '/a/0/token' } as const;
  expect(take(transport, login({ a: [{ token: 'next-token' }] }))?.credentials).toEqual([
    ['authorization', 'Bearer next-token'],
  ]);
  expect(take(transport, login({ a: [] }))).toBeUndefined();
  expect(take({ kind: 'cookie', names: ['sid'] }, login({}))).toBeUndefined();
});

test('a value without a name of its own ranks by the name of what holds it', () => {
  const exchange = login({ player: { value: 'pppppppppppppppp' }, ticket: { value: 'tttttttttttttttt' } });
  expect(sent(exchange).map(([, value]) => value.at(-1))).toEqual(['t', 'p']);
});

test('the scheme of a challenge is tried before Bearer', () => {
  const exchange = login({ ticket: 'tttttttttttttttt' });
  const { usual } = candidates(exchange, token, undefined, [login({}, [['www-authenticate', 'Pass']])]);
  expect(usual.flatMap(({ credentials }) => credentials.map(([, value]) => value.split(' ')[0]))).toEqual([
    'Pass',
    'Bearer',
  ]);
});

test.each([
  ['Ticket realm="game"', ['Ticket']],
  ['Ticket', ['Ticket']],
  ['Bearer realm="a, Fake b", error="x", Ticket realm="y"', ['Ticket']],
  ['Basic realm="x", Negotiate, DPoP algs="ES256"', []],
  ['realm="x"', []],
])('reads the schemes of the challenge %s', (field, schemes) => {
  const { usual } = candidates(login({ ticket: 'tttttttttttttttt' }), token, undefined, [
    login({}, [['www-authenticate', field]]),
  ]);
  const sentIn = usual.flatMap(({ credentials }) => credentials.map(([, value]) => value.split(' ')[0]));
  expect(sentIn).toEqual([...schemes, 'Bearer']);
});

test.each<[string, Exchange, unknown, readonly string[]]>([
  [
    'a parameter of the challenge',
    login({}, [['www-authenticate', 'Session header="Game-Session"']]),
    {},
    ['game-session'],
  ],
  [
    'the text of a refusal',
    login({ errors: [{ title: 'The X-Game-Session header is missing' }] }),
    {},
    ['x-game-session'],
  ],
  ['the answer to the login', login({}), { header: 'X-Play-Key' }, ['x-play-key']],
  ['no field that every answer has', login({ error: 'no X-Request-Id' }), { via: 'X-Powered-By' }, []],
])('a header that the target names is tried before Bearer: %s', (_, refusal, more, names) => {
  const { usual } = candidates(login({ ticket: 'tttttttttttttttt', ...(more as object) }), token, undefined, [
    refusal,
  ]);
  const headers = usual.flatMap(({ credentials }) => credentials.map(([name]) => name));
  expect(headers.filter((name) => name !== 'authorization')).toEqual(names);
});
