import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import type { Context } from '../../engine/probe/context.ts';
import { type Answer, rehearseCheck, type Script } from '../../fixtures/kit/rule-rehearsal.ts';
import { sentenceChecks } from './sentences.ts';

const say = (id: string, script: Script, facts?: Partial<Context>) =>
  rehearseCheck(sentenceChecks, id, script, facts);

test('ids are unique', () => {
  expect(new Set(sentenceChecks.map(({ id }) => id)).size).toBe(sentenceChecks.length);
});

test.each<[string, Answer, string]>([
  ['auth.publicKey#public-key', { body: { key: 'Zm9v'.repeat(20) } }, 'pass'],
  ['auth.publicKey#public-key', { body: {} }, 'violation'],
  ['auth.publicKey#public-key', { body: { kty: 'oct', k: 'c2VjcmV0' } }, 'violation'],
  ['auth.publicKey#public-key', { body: '-----BEGIN PUBLIC KEY-----' }, 'violation'],
  ['auth.publicKey#public-key', {}, 'violation'],
  ['auth.publicKey#public-key', { status: 404 }, 'inconclusive'],
  ['general.realTimeUrl#address', { body: { url: 'wss://rtm.example' } }, 'pass'],
  ['general.realTimeUrl#address', { body: { url: '' } }, 'violation'],
  ['general.realTimeUrl#address', {}, 'violation'],
  ['general.realTimeUrl#address', { status: 500 }, 'inconclusive'],
  ['general.version#version-report', { body: { version: '1.2.3' } }, 'pass'],
  ['general.version#version-report', { body: {} }, 'violation'],
  ['general.version#version-report', { body: { ok: true } }, 'violation'],
  ['general.checkClientVersion#version-report', { body: { ok: true } }, 'pass'],
  ['utils.contentVersion#version-report', { status: 204 }, 'violation'],
  ['utils.contentVersionOf#version-report', { body: [] }, 'violation'],
])('%s of %j: %s', async (id, answer, expected) => {
  const own: Script = (_, row) => (id.startsWith(`${row.id}#`) ? answer : {});
  expect((await say(id, own)).judgement.kind).toBe(expected);
});

test('an answer without a body, and one that is no key, are told apart', async () => {
  const actual = async (answer: Answer) => (await say('auth.publicKey#public-key', () => answer)).judgement;
  expect(await actual({})).toMatchObject({ actual: 'an empty body' });
  expect(await actual({ body: {} })).toMatchObject({ actual: 'nothing that could be a key' });
  expect(await actual({ body: '-----BEGIN PUBLIC KEY-----' })).toMatchObject({
    actual: 'a key that cannot be read (PEM)',
  });
});

test.each<[string, 'pass' | 'violation' | 'inconclusive', (boolean | undefined)[]]>([
  ['v3 alone', 'pass', [true, false]],
  ['v4 alone', 'pass', [false, true]],
  ['neither', 'violation', [false, false]],
  ['one of which cannot be told', 'inconclusive', [false, undefined]],
])('the privacy definition under %s: %s', async (_, told, [third, fourth]) => {
  const v3 = areas.clientData.privacyV3Definition;
  const found = (served: boolean | undefined) =>
    served === undefined
      ? { served, reason: 'timeout' as const, why: 'rehearsed' }
      : { served, kind: 'unrouted' as const, why: 'rehearsed' };
  const { judgement } = await say('clientData.privacyV4Definition#one-privacy-version', () => ({}), {
    routed: async ({ id }) => found(id === v3.id ? third : fourth) as never,
  });
  expect(judgement.kind).toBe(told);
});

test.each<[string, unknown, string]>([
  ['general.version#version-report', { status: 'OK' }, 'warning'],
  ['general.version#version-report', { requestId: '4bf92f3577b34da6a3ce929d0e0e4736' }, 'warning'],
  ['utils.contentVersion#version-report', { error: { code: 'NO_VERSION' } }, 'warning'],
  ['general.checkClientVersion#version-report', { status: 'OK' }, 'pass'],
  ['general.checkClientVersion#version-report', { error: 'which version?' }, 'needs-body'],
  ['general.checkClientVersion#version-report', {}, 'needs-body'],
  ['auth.publicKey#public-key', { traceId: '9f'.repeat(32) }, 'warning'],
])('nonsense does not pass: %s of %j: %s', async (id, body, told) => {
  expect((await say(id, () => ({ body }))).told).toBe(told);
});

test.each([
  ['general.version#version-report', (nth: number) => ({ build: `b${nth}` })],
  ['auth.publicKey#public-key', (nth: number) => ({ key: `${nth}f`.repeat(32) })],
])('%s: what is another each time is no report and no key', async (id, made) => {
  const own =
    (nthOf: (nth: number) => number): Script =>
    ({ nth = 1 }, row) =>
      id.startsWith(`${row.id}#`) ? { body: made(nthOf(nth)) } : {};
  expect(
    (
      await say(
        id,
        own((nth) => nth),
      )
    ).told,
  ).toBe('warning');
  const two = own((nth) => nth % 2);
  expect((await say(id, two)).told).toBe('pass');
});

test('what stands in other answers or in headers too is no key', async () => {
  const key = '9f'.repeat(32);
  const everywhere: Script = () => ({ body: { instance: key } });
  expect((await say('auth.publicKey#public-key', everywhere)).told).toBe('warning');
  const here: Script = (_, { id }) => ({ body: id === 'auth.publicKey' ? { instance: key } : {} });
  expect((await say('auth.publicKey#public-key', here)).told).toBe('pass');
  const inHeader: Script = (ask, row) => ({ ...here(ask, row), headers: { 'x-ray': `root=${key}` } });
  expect((await say('auth.publicKey#public-key', inHeader)).told).toBe('warning');
});

test('what a body of ours is answered is no warning, and one that the profile states is', async () => {
  const facts = { stated: () => ({ body: { version: '1' } }) };
  const script: Script = () => ({ body: { error: 'outdated' } });
  expect((await say('general.checkClientVersion#version-report', script, facts)).told).toBe('warning');
});

test('a version pattern that nobody gave may be answered with anything', async () => {
  const ambientGiven = new Set(['gameVersion']);
  for (const body of [{}, { status: 'OK' }, { error: 'no such pattern' }])
    expect(
      (await say('utils.contentVersionOf#version-report', () => ({ body }), { ambientGiven })).told,
    ).toBe('unknown-resource');
});

test('a pattern that nobody knows may honestly have no version', async () => {
  const { judgement } = await say('utils.contentVersionOf#version-report', () => ({ body: [] }), {
    unknownIds: async () => ['versionPattern'],
  });
  expect(judgement).toMatchObject({ reason: 'unknown-resource' });
});

test('a batch is accepted in whichever form the server takes', async () => {
  const onlyLists: Script = ({ body }) => ({
    status: typeof body === 'string' && body.startsWith('[') ? 202 : 400,
  });
  const { judgement, asked } = await say('logs.logsBatch#accepts-batch', onlyLists);
  expect(judgement.kind).toBe('pass');
  expect(asked).toHaveLength(3);
});

test.each<[Answer, object]>([
  [{ status: 400 }, { kind: 'inconclusive', reason: 'needs-body' }],
  [{ status: 403 }, { kind: 'inconclusive', reason: 'auth-wall' }],
  [{ status: 429 }, { kind: 'inconclusive', reason: 'rate-limited' }],
  [{ status: 500 }, { kind: 'violation' }],
])('no batch accepted but %j', async (answer, expected) => {
  const { judgement } = await say('logs.analyticsBatch#accepts-batch', ({ body }) =>
    body === undefined ? { status: 400 } : answer,
  );
  expect(judgement).toMatchObject(expected);
});

test.each<[number, readonly number[] | undefined, object]>([
  [202, undefined, { kind: 'pass' }],
  [422, [422], { kind: 'pass' }],
  [400, undefined, { kind: 'violation', actual: "the profile's is answered 400" }],
  [403, undefined, { kind: 'inconclusive', reason: 'auth-wall' }],
])("the profile's batch is the one that is judged: %i", async (status, accepts, expected) => {
  const flows = { accepts: () => accepts } as unknown as Context['flows'];
  const { judgement, asked } = await say('logs.logsBatch#accepts-batch', () => ({ status }), {
    stated: () => ({ body: { lines: [] } }),
    flows,
  });
  expect(judgement).toMatchObject(expected);
  expect(asked).toEqual([{}]);
});

const token = 'abcdefghijklmnopqrstuvwx';
const refusedLogins = [
  'auth.login#refuses-empty-token',
  'auth.login#refuses-malformed-token',
  'auth.login#refuses-missing-token',
];

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

test.each(refusedLogins)('%s', async (id) => {
  expect((await say(id, login({ status: 401 }, false))).judgement.kind).toBe('pass');
  expect((await say(id, login({ body: { token } }, true))).judgement).toMatchObject({
    kind: 'violation',
    actual: 'answered 200 with a credential that works',
  });
  expect((await say(id, login({ body: { token } }, false))).judgement.kind).toBe('pass');
  expect((await say(id, login({ body: { error: 'no' } }, true))).judgement.kind).toBe('pass');
  expect(
    (await say(id, login({ status: 401 }, false), { noSession: () => 'nobody' })).judgement,
  ).toMatchObject({ reason: 'no-session' });
});

test('the missing token is missing, not empty', async () => {
  const { judgement } = await say('auth.login#refuses-missing-token', login({ status: 400 }, false));
  expect(judgement.kind === 'pass' && judgement.evidence?.request.url).toBe(
    'http://target.test/api/v1/auth/provider/storefront/login',
  );
});

test('where a bad login is taken and nothing tells a session from none, nobody is accused', async () => {
  const open: Script = (_, operation) => ({
    body: operation === areas.auth.login ? { token } : { country: 'DE' },
  });
  expect((await say('auth.login#refuses-empty-token', open)).judgement.kind).toBe('inconclusive');
});

const logout =
  (deads: Answer, distinct: Operation = areas.me.location): Script =>
  ({ as }, operation) =>
    as === '(dead)'
      ? deads
      : as === '(nobody)' && operation === distinct
        ? { status: 401 }
        : { body: { a: 1 } };

test('logout ends the session', async () => {
  expect((await say('me.logout#ends-session', logout({ status: 401 }))).judgement.kind).toBe('pass');
  expect((await say('me.logout#ends-session', logout({ body: { a: 1 } }))).judgement.kind).toBe('violation');
});

test('where the first call does not tell, another one may', async () => {
  expect(
    (await say('me.logout#ends-session', logout({ status: 401 }, areas.general.currencies))).judgement.kind,
  ).toBe('pass');
  expect(
    (await say('me.logout#ends-session', logout({ status: 401 }, areas.auth.login))).judgement,
  ).toMatchObject({ kind: 'inconclusive' });
});
