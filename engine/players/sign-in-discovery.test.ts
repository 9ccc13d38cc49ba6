import type { IncomingHttpHeaders } from 'node:http';
import { expect, test } from 'vitest';
import type { Answer, Call } from '../../fixtures/kit/loopback.ts';
import { discovered, loginPath, signsInBy } from '../../fixtures/kit/sign-in-server.ts';
import { startServer } from '../../fixtures/reference/server.ts';
import { createClient } from '../http/client.ts';
import { readTarget } from '../target/target.ts';
import { type Discovery, discover, loginFault, whyNoSession } from './sign-in-discovery.ts';
import { createPlayerTokens } from './tokens.ts';

const secret = 'c2Vzc2lvbi1vZi10aGUtcGxheWVy';
/** What a query has to encode. */
const withSigns = 'c2Vzc2lvbi+vZi/0aGU=';
const other = '6f1d0f4e-55b0-4f0e-9d0a-0c4f7c3b9a11';
const decoys = {
  refreshToken: 'ZGVjb3ktcmVmcmVzaC10b2tlbg',
  trackingId: 'd1f7c2aa-0000-4000-8000-0123456789ab',
  expiresAt: '2031-01-01T00:00:00.000Z',
};

interface Way {
  readonly way: string;
  readonly login: (call: Call) => Answer;
  readonly knows: (headers: IncomingHttpHeaders, query: URLSearchParams) => boolean;
  readonly transport: unknown;
}

const ways: readonly Way[] = [
  {
    way: 'one cookie, beside a deleted and a tracking one',
    login: () => ({ headers: { 'set-cookie': ['sid=; Max-Age=0', `sid=${secret}; HttpOnly`, 'track=1'] } }),
    knows: ({ cookie }) => cookie?.includes(`sid=${secret}`) ?? false,
    transport: { kind: 'cookie', names: ['sid', 'track'] },
  },
  {
    way: 'two cookies that count only together',
    login: () => ({ headers: { 'set-cookie': [`a=${secret}`, `b=${other}`] } }),
    knows: ({ cookie }) => cookie === `a=${secret}; b=${other}`,
    transport: { kind: 'cookie', names: ['a', 'b'] },
  },
  {
    way: 'a token deep in the body',
    login: ({ token }) => ({ body: { ...decoys, echo: token, user: { auth: [{ accessToken: secret }] } } }),
    knows: ({ authorization }) => authorization === `Bearer ${secret}`,
    transport: { kind: 'bearer', source: '/user/auth/0/accessToken' },
  },
  {
    way: 'a token in the body under a name that says nothing',
    login: () => ({ body: { ...decoys, 'a/b': { x: secret } } }),
    knows: ({ authorization }) => authorization === `Bearer ${secret}`,
    transport: { kind: 'bearer', source: '/a~1b/x' },
  },
  {
    way: 'a body that is nothing but the token',
    login: () => ({ headers: { 'content-type': 'application/json' }, body: JSON.stringify(secret) }),
    knows: ({ authorization }) => authorization === `Bearer ${secret}`,
    transport: { kind: 'bearer', source: '' },
  },
  {
    way: 'a header, sent back under its name',
    login: () => ({ headers: { 'x-game-token': secret, 'x-request-id': other }, body: decoys }),
    knows: (headers) => headers['x-game-token'] === secret,
    transport: { kind: 'header', name: 'x-game-token', source: 'x-game-token' },
  },
  {
    way: 'a header, sent back as Bearer',
    login: () => ({ headers: { 'x-key': secret }, body: decoys }),
    knows: ({ authorization }) => authorization === `Bearer ${secret}`,
    transport: { kind: 'bearer', source: 'x-key' },
  },
  {
    way: 'an Authorization header with its scheme',
    login: () => ({ headers: { authorization: `Bearer ${secret}` } }),
    knows: ({ authorization }) => authorization === `Bearer ${secret}`,
    transport: { kind: 'header', name: 'authorization', source: 'authorization' },
  },
  {
    way: 'a cookie together with a token',
    login: () => ({ headers: { 'set-cookie': `sid=${other}` }, body: { ...decoys, token: secret } }),
    knows: ({ cookie, authorization }) => cookie === `sid=${other}` && authorization === `Bearer ${secret}`,
    transport: {
      kind: 'combined',
      parts: [
        { kind: 'cookie', names: ['sid'] },
        { kind: 'bearer', source: '/token' },
      ],
    },
  },
  {
    way: 'a token in the body, sent back as a bare Authorization value',
    login: () => ({ body: { ...decoys, auth: { ticket: secret } } }),
    knows: ({ authorization }) => authorization === secret,
    transport: { kind: 'header', name: 'authorization', source: '/auth/ticket' },
  },
  {
    way: 'a header, sent back as a bare Authorization value',
    login: () => ({ headers: { 'x-game-token': secret }, body: decoys }),
    knows: ({ authorization }) => authorization === secret,
    transport: { kind: 'header', name: 'authorization', source: 'x-game-token' },
  },
  {
    way: 'a token in the body, sent back as a header of its name',
    login: () => ({ body: { ...decoys, sessionKey: secret } }),
    knows: (headers) => headers.sessionkey === secret,
    transport: { kind: 'header', name: 'sessionKey', source: '/sessionKey' },
  },
  {
    way: 'a token in the body, sent back as a header made of its name',
    login: () => ({ body: { ...decoys, player: { sessionKey: secret } } }),
    knows: (headers) => headers['x-session-key'] === secret,
    transport: { kind: 'header', name: 'x-session-key', source: '/player/sessionKey' },
  },
  {
    way: 'a token in the body, sent back as a query value of its name',
    login: () => ({ body: { ...decoys, sessionKey: withSigns } }),
    knows: (_, query) => query.get('sessionKey') === withSigns,
    transport: { kind: 'query', name: 'sessionKey', source: '/sessionKey' },
  },
  ...['x-session', 'session', 'session-key', 'x-auth-token'].map((name) => ({
    way: `a token in the body, sent back as ${name}`,
    login: () => ({ body: { ...decoys, sessionKey: secret } }),
    knows: (headers: IncomingHttpHeaders) => headers[name] === secret,
    transport: { kind: 'header', name, source: '/sessionKey' },
  })),
  {
    way: 'a key, sent back under the name of what holds it',
    login: () => ({ body: { ...decoys, auth: { key: secret } } }),
    knows: (headers) => headers['x-auth-key'] === secret,
    transport: { kind: 'header', name: 'x-auth-key', source: '/auth/key' },
  },
  ...['Session', 'Token', 'Game'].map((scheme) => ({
    way: `a token in the body, sent as Authorization: ${scheme}`,
    login: () => ({ body: { ...decoys, sessionKey: secret, tokenType: 'Game' } }),
    knows: ({ authorization }: IncomingHttpHeaders) => authorization === `${scheme} ${secret}`,
    transport: { kind: 'bearer', source: '/sessionKey', scheme },
  })),
  {
    way: 'a cookie together with a value of the body in a header, on every call',
    login: () => ({ headers: { 'set-cookie': `sid=${other}` }, body: { ...decoys, csrfToken: secret } }),
    knows: (headers) => headers.cookie === `sid=${other}` && headers['x-csrf-token'] === secret,
    transport: {
      kind: 'combined',
      parts: [
        { kind: 'cookie', names: ['sid'] },
        { kind: 'header', name: 'x-csrf-token', source: '/csrfToken' },
      ],
    },
  },
];

test.each(ways)('the session is found where it is $way', async ({ login, knows, transport }) => {
  const { found, learned } = await discovered(signsInBy(login, knows));
  expect(found).toMatchObject({
    kind: 'found',
    recipe: { body: 'empty object', transport },
    evidence: { operation: 'me.location', without: 401, spoiled: 401, with: 200, differs: 'status' },
  });
  expect(learned.some((each) => each === secret || each === withSigns)).toBe(true);
});

test('a login that takes no body is signed in to without one', async () => {
  const login = ({ body }: Call) => (body === '' ? { body: { token: secret } } : { status: 415 });
  const { found } = await discovered(
    signsInBy(login, ({ authorization }) => authorization === `Bearer ${secret}`),
  );
  expect(found).toMatchObject({ kind: 'found', recipe: { body: 'none' } });
});

test('finds the session of a target that answers 200 to everybody by the content of answers', async () => {
  let counter = 0;
  const { found } = await discovered(({ path, headers }) => {
    if (path === loginPath) return { body: { ...decoys, ticket: secret } };
    const name = headers.authorization === `Bearer ${secret}` ? 'Rowan' : 'a guest';
    return { body: { name, at: ++counter } };
  });
  expect(found).toMatchObject({ kind: 'found', evidence: { without: 200, with: 200, differs: 'content' } });
  expect(found).toHaveProperty('session.credentials', [['authorization', `Bearer ${secret}`]]);
});

test.each(['cookie', 'bearer', 'header'] as const)(
  'the embedded server is signed in to by %s',
  async (session) => {
    const server = await startServer({ session });
    const client = createClient();
    const target = { ...readTarget({}, { cwd: '/' }), hosts: { base: server.baseUrl } };
    const redactor = { learn: () => {} };
    const found = await discover(client, target, createPlayerTokens(target, redactor), redactor);
    client.close();
    await server.close();
    expect(found).toMatchObject({
      kind: 'found',
      session: { transport: { kind: session }, playerId: expect.any(String) },
      evidence: { operation: 'me.location', without: 401, spoiled: 401, with: 200 },
    });
  },
);

const evidence = {
  operation: 'me.location',
  without: 401,
  spoiled: 200,
  with: 200,
  differs: 'status',
} as const;
const refused = { kind: 'refused', likeUnrouted: false, from: 'test JWT' } as const;

test.each<[string, Discovery | undefined, RegExp]>([
  ['no base host', undefined, /^no base host was given/],
  ['a refusal', { ...refused, status: 403 }, /^login answered 403 to our test JWT: set LOGIN_TOKEN/],
  ['haste', { ...refused, status: 429 }, /^login answered 429: it allows no more calls for now$/],
  [
    'no credential',
    { kind: 'no-credential', status: 200, tried: 3 },
    /nothing in its answer changes another/,
  ],
  [
    'a credential that is not where the profile says',
    { kind: 'no-credential', status: 200, tried: 0, missingWhereStated: true },
    /holds no credential where the profile says/,
  ],
  [
    'a stated credential without effect',
    { kind: 'no-difference', status: 200, transport: { kind: 'bearer', source: '/t' } },
    /the profile states \(.*\/t.*\) changes no other answer/,
  ],
  [
    'credulity',
    { kind: 'any-credential', status: 200, evidence },
    /spoiled credential is believed .*me\.location/,
  ],
  ['no login', { kind: 'unrouted', status: 404 }, /as a path that does not exist/],
  ['silence', { kind: 'unreachable', error: 'timeout', message: 'POST x: no answer' }, /no answer: POST x/],
  [
    'no token',
    { kind: 'no-token', why: 'LOGIN_TOKEN_COMMAND: ended with 1' },
    /^LOGIN_TOKEN_COMMAND: ended with 1$/,
  ],
])('nobody is signed in because of %s, which is said', (_, discovery, why) => {
  expect(whyNoSession(discovery)).toMatch(why);
});

test('blames the login only when the profile states where its credential stands', () => {
  const silent = { kind: 'no-credential', status: 200, tried: 0 } as const;
  expect(loginFault({ ...silent, missingWhereStated: true })).toMatchObject({
    actual: '200 without it',
    level: 'profile',
  });
  expect([loginFault(silent), loginFault(undefined)]).toEqual([undefined, undefined]);
});

test('a login whose credential is no better than a made-up one is at fault', () => {
  expect(loginFault({ kind: 'any-credential', status: 200, evidence })).toMatchObject({
    actual:
      'me.location answers 200 with a made-up credential as with that of the login, and 401 without one',
    level: 'inferred',
  });
});
