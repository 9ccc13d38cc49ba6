import { expect, test } from 'vitest';
import { areas } from '../catalog/catalog.ts';
import { type Answer, rehearseCheck, type Script } from '../fixtures/kit/rule-rehearsal.ts';
import auth from './authentication.ts';

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
    actual: 'a key that cannot be read (PEM)',
  });
});

test('what is another each time is no key', async () => {
  const own =
    (nthOf: (nth: number) => number): Script =>
    ({ nth = 1 }, { id }) =>
      id === 'auth.publicKey' ? { body: { key: `${nthOf(nth)}f`.repeat(32) } } : {};
  expect((await judgedKey(own((nth) => nth))).verdict).toBe('warning');
  expect((await judgedKey(own((nth) => nth % 2))).verdict).toBe('pass');
});

test('what stands in other answers or in headers too is no key', async () => {
  const key = '9f'.repeat(32);
  const everywhere: Script = () => ({ body: { instance: key } });
  expect((await judgedKey(everywhere)).verdict).toBe('warning');
  const here: Script = (_, { id }) => ({ body: id === 'auth.publicKey' ? { instance: key } : {} });
  expect((await judgedKey(here)).verdict).toBe('pass');
  const inHeader: Script = (ask, row) => ({ ...here(ask, row), headers: { 'x-ray': `root=${key}` } });
  expect((await judgedKey(inHeader)).verdict).toBe('warning');
});
