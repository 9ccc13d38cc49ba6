import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { areas } from '../catalog/catalog.ts';
import type { Ask } from '../engine/http/ask.ts';
import type { Headers, Request } from '../engine/http/exchange.ts';
import { type Answer, rehearseCheck, type Script } from '../fixtures/kit/rule-rehearsal.ts';
import auth, { grantedBy, keyIn, usesOf } from './authentication.ts';

const token = 'abcdefghijklmnopqrstuvwx';
const refusedLogins = ['refuses-empty-token', 'refuses-malformed-token', 'refuses-missing-token'];

/** A login that answers bad tokens thus, and whether what it grants works. */
const login =
  (bad: Answer, works: boolean): Script =>
  ({ as, path, params, headers }, operation) => {
    if (operation === areas.auth.login)
      return path !== undefined || params !== undefined
        ? bad
        : { body: { token: 'a-good-token-of-somebody' } };
    return as === '(nobody)' && !(headers !== undefined && works)
      ? { status: 401 }
      : { body: { country: 'DE' } };
  };

test.each(refusedLogins)('%s', async (rule) => {
  expect((await rehearseCheck(auth.checks, rule, login({ status: 401 }, false))).judgement.kind).toBe('pass');
  expect((await rehearseCheck(auth.checks, rule, login({ body: { token } }, true))).judgement).toMatchObject({
    kind: 'violation',
    actual: 'answered 200 with a credential that works',
  });
  expect((await rehearseCheck(auth.checks, rule, login({ body: { token } }, false))).judgement.kind).toBe(
    'pass',
  );
  expect(
    (await rehearseCheck(auth.checks, rule, login({ body: { error: 'no' } }, true))).judgement.kind,
  ).toBe('pass');
  expect(
    (await rehearseCheck(auth.checks, rule, login({ status: 401 }, false), { noSession: () => 'nobody' }))
      .judgement,
  ).toMatchObject({ reason: 'no-session' });
});

test.each(refusedLogins)('%s warns of a refusal that is a server error, unless it passes', async (rule) => {
  const judged = async (...statuses: readonly number[]) => {
    const left = [...statuses];
    const isBad = ({ path, params }: Ask) => path !== undefined || params !== undefined;
    const script: Script = (ask) => ({
      status: isBad(ask) ? (left.shift() ?? 400) : 200,
      ...(!isBad(ask) && { body: { token } }),
    });
    return (await rehearseCheck(auth.checks, rule, script)).judgement;
  };
  expect(await judged(500)).toMatchObject({ kind: 'violation', onlyWarns: true, actual: 'answered 500' });
  expect(await judged(503, 503)).toMatchObject({ kind: 'violation', actual: 'answered 503' });
  expect((await judged(503)).kind).toBe('pass');
});

test('the missing token is missing, not empty', async () => {
  const { judgement } = await rehearseCheck(
    auth.checks,
    'refuses-missing-token',
    login({ status: 400 }, false),
  );
  expect(judgement.kind === 'pass' && judgement.evidence?.request.url).toBe(
    'http://target.test/api/v1/auth/provider/storefront/login',
  );
});

test('where a bad login is taken and nothing tells a session from none, nobody is accused', async () => {
  const open: Script = (_, operation) => ({
    body: operation === areas.auth.login ? { token } : { country: 'DE' },
  });
  expect((await rehearseCheck(auth.checks, 'refuses-empty-token', open)).judgement.kind).toBe('inconclusive');
});

const judgedKey = (script: Script) => rehearseCheck(auth.checks, 'public-key', script);

test.each<[Answer, string]>([
  [{ body: { key: 'Zm9v'.repeat(20) } }, 'pass'],
  [{ body: {} }, 'violation'],
  [{ body: { kty: 'oct', k: 'c2VjcmV0' } }, 'violation'],
  [{ body: '-----BEGIN PUBLIC KEY-----' }, 'violation'],
  [{}, 'violation'],
  [{ status: 404 }, 'prerequisite-failed'],
  [{ body: { traceId: '9f'.repeat(32) } }, 'warning'],
])('a public key of %j: %s', async (answer, expected) => {
  const own: Script = (_, { id }) => (id === 'auth.publicKey' ? answer : {});
  expect((await judgedKey(own)).verdict).toBe(expected);
});

test('distinguishes an answer without a body from one that is no key', async () => {
  const actual = async (answer: Answer) => (await judgedKey(() => answer)).judgement;
  expect(await actual({})).toMatchObject({ actual: 'an empty body' });
  expect(await actual({ body: {} })).toMatchObject({ actual: 'nothing that could be a key' });
  expect(await actual({ body: '-----BEGIN PUBLIC KEY-----' })).toMatchObject({
    actual: 'a key that cannot be read (PEM): no END line ends what BEGIN began',
  });
});

test('says why a key cannot be read', async () => {
  const { publicKey } = generateKeyPairSync('ed25519');
  const whole = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const why = async (body: unknown) => {
    const { judgement } = await judgedKey((_, { id }) => (id === 'auth.publicKey' ? { body } : {}));
    return judgement.kind === 'violation' ? judgement.actual.replace(/^.*\): /, '') : judgement.kind;
  };
  expect(await why({ key: whole })).toBe('pass');
  expect(await why({ key: whole.replace(/.{8}\n-----END/, '\n-----END') })).toBe(
    'it has 39 bytes where its DER begins with 44',
  );
  expect(await why({ key: whole.replace('MCow', 'AAAA') })).toBe(
    'what stands between its lines is no DER in base64',
  );
  expect(await why({ keys: [{ kty: 'RSA', e: 'AQAB' }] })).toBe('it lacks n');
});

test('a value that differs in each answer is no key', async () => {
  const own =
    (nthOf: (nth: number) => number): Script =>
    ({ nth = 1 }, { id }) =>
      id === 'auth.publicKey' ? { body: { key: `${nthOf(nth)}f`.repeat(32) } } : {};
  expect((await judgedKey(own((nth) => nth))).verdict).toBe('warning');
  expect((await judgedKey(own((nth) => nth % 2))).verdict).toBe('pass');
});

test('a value that stands in other answers or in headers as well is no key', async () => {
  const key = '9f'.repeat(32);
  const everywhere: Script = () => ({ body: { instance: key } });
  expect((await judgedKey(everywhere)).verdict).toBe('warning');
  const here: Script = (_, { id }) => ({ body: id === 'auth.publicKey' ? { instance: key } : {} });
  expect((await judgedKey(here)).verdict).toBe('pass');
  const inHeader: Script = (ask, operation) => ({
    ...here(ask, operation),
    headers: { 'x-ray': `root=${key}` },
  });
  expect((await judgedKey(inHeader)).verdict).toBe('warning');
});

const answer = (headers: Headers, body: unknown = {}) => ({
  status: 200,
  headers,
  body: new TextEncoder().encode(JSON.stringify(body)),
  wire: { bytes: 0 },
});
const request = (...credentials: Headers): Request => ({
  method: 'GET',
  url: 'http://target.test/',
  headers: [['accept', '*/*'], ...credentials],
});
const now = Date.UTC(2026, 0, 1);

test('cookies that are set count, cookies that are taken away do not', () => {
  const { cookies } = grantedBy(
    answer([
      ['set-cookie', 'session=abc; Path=/'],
      ['set-cookie', 'old=x; Max-Age=0'],
      ['set-cookie', 'gone=; Path=/'],
      ['set-cookie', 'over=x; Expires=Thu, 01 Jan 1970 00:00:00 GMT'],
    ]),
    now,
  );
  expect([...cookies]).toEqual([['session', 'abc']]);
});

test('what is no cookie, and a body that is no JSON, grant nothing', () => {
  expect(grantedBy(answer([['set-cookie', 'no-value; Path=/']]), now).cookies.size).toBe(0);
  const text = { ...answer([]), body: new TextEncoder().encode(`token=${token}`) };
  expect(grantedBy(text, now).tokens).toEqual([]);
});

test('tokens are found in headers and at any depth of the body, ids of requests are not', () => {
  const { tokens } = grantedBy(
    answer(
      [
        ['x-session-token', `Bearer ${token}`],
        ['x-request-id', token.toUpperCase()],
      ],
      { data: { token: `${token}2` }, requestId: `${token}3` },
    ),
    now,
  );
  expect(tokens).toEqual([token, `${token}2`]);
});

test.each<[string, Headers, Headers[]]>([
  ['Bearer', [['authorization', 'Bearer own']], [[['authorization', `Bearer ${token}`]]]],
  ['a header', [['x-session', 'own']], [[['x-session', token]]]],
  ['the cookie that was granted', [['cookie', 'session=own']], [[['cookie', 'session=abc']]]],
  ['a cookie that was not granted', [['cookie', 'other=own']], []],
  ['no credential at all', [], []],
])('what was granted is used as %s', (_, credentials, expected) => {
  const granted = { cookies: new Map([['session', 'abc']]), tokens: [token] };
  expect(usesOf(granted, request(...credentials), request())).toEqual(expected);
});

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
const der = publicKey.export({ type: 'spki', format: 'der' });
const jwk = publicKey.export({ format: 'jwk' });

const keyAnswer = (body: unknown) => ({
  status: 200,
  headers: [],
  body:
    body instanceof Uint8Array
      ? body
      : new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body)),
  wire: { bytes: 0 },
});

test.each<[string, unknown, string]>([
  ['PEM as text', pem, 'public'],
  ['PEM in JSON', { data: { key: pem } }, 'public'],
  ['PEM without line breaks', { key: pem.replaceAll('\n', '') }, 'public'],
  ['PEM with line breaks escaped twice', { key: pem.replaceAll('\n', '\\n') }, 'public'],
  ['DER as bytes', der, 'public'],
  ['DER in base64', der.toString('base64'), 'public'],
  ['DER in hex', { key: der.toString('hex') }, 'public'],
  ['JWK', jwk, 'public'],
  ['JWKS', { keys: [{ ...jwk, kid: '1' }] }, 'public'],
  ['a JWK of a kind not known here', { kty: 'AKP', pub: 'x'.repeat(50) }, 'public'],
  ['OpenSSH', 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI', 'public'],
  ['modulus and exponent', { Modulus: 'sXch', Exponent: 'AQAB' }, 'public'],
  ['XML', '<RSAKeyValue><Modulus>sXch</Modulus><Exponent>AQAB</Exponent></RSAKeyValue>', 'public'],
  ['something opaque', { key: 'Zm9v'.repeat(20) }, 'perhaps'],
  ['a private key as PEM', privateKey.export({ type: 'pkcs8', format: 'pem' }), 'private'],
  ['a private key as JWK beside the public one', [jwk, privateKey.export({ format: 'jwk' })], 'private'],
  ['a private key as DER', privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'), 'private'],
  ['a private exponent beside the modulus', { modulus: 'sXch', exponent: 'AQAB', D: 'X4cT' }, 'private'],
  ['a private exponent in XML', '<RSAKeyValue><Modulus>sXch</Modulus><D>X4cT</D></RSAKeyValue>', 'private'],
  ['a shared secret', { kty: 'oct', k: 'c2VjcmV0' }, 'private'],
  ['a PEM cut off', pem.slice(0, 60), 'damaged'],
  [
    'a PEM of something else',
    '-----BEGIN PUBLIC KEY-----\nbm90IGEga2V5\n-----END PUBLIC KEY-----',
    'damaged',
  ],
  ['a PEM of nothing', '-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----', 'damaged'],
  ['a sequence of bytes that is no key', Buffer.from([0x30, 0x0e, ...Array(14).fill(5)]), 'none'],
  ['a JWK without its numbers', { kty: 'EC', crv: 'P-256' }, 'damaged'],
  ['32 bytes in hex', { key: '9f'.repeat(32) }, 'perhaps'],
  ['a trace id', { traceId: '9f'.repeat(32) }, 'named otherwise'],
  ['a token', { access_token: 'Zm9v'.repeat(20) }, 'named otherwise'],
  ['a key beside a trace id', { requestId: '9f'.repeat(32), k1: 'Zm9v'.repeat(20) }, 'perhaps'],
  ['a trace context', { key: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' }, 'none'],
  ['a hash of 20 bytes', { key: '9fceb02d0ae598e95dc970b74767f19372d61af8' }, 'none'],
  ['nothing', '', 'none'],
  ['an empty object', {}, 'none'],
  ['words', { message: 'no key today' }, 'none'],
])('%s: %s', (_, body, expected) => {
  expect(keyIn(keyAnswer(body)).kind).toBe(expected);
});
