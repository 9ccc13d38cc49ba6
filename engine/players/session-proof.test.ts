import { hash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { exchangeOf } from '../../fixtures/kit/exchanges.ts';
import type { Answer, Call } from '../../fixtures/kit/loopback.ts';
import { type Behaviour, discovered, loginPath } from '../../fixtures/kit/sign-in-server.ts';
import { type Exchange, text } from '../http/exchange.ts';
import type { Session } from './session.ts';
import { type Ask, proveSession, withoutEcho } from './session-proof.ts';

const answered = (body: string): Exchange => {
  const bytes = Buffer.from(body);
  return {
    request: { method: 'GET', url: 'http://127.0.0.1:1/', headers: [] },
    response: { status: 200, headers: [], body: bytes, wire: { bytes: bytes.length } },
    startedAt: 0,
    durationMs: 1,
    attempts: 1,
    waits: 0,
  };
};
const masked = (body: string, secret: string) => {
  const session = { credentials: [['authorization', secret]], secrets: [secret] } as unknown as Session;
  const { response } = withoutEcho(answered(body), session);
  return response && text(response);
};

test.each([
  ['a short token', 'abc-123'],
  ['a long token', 'x'.repeat(40) + 'y'.repeat(40)],
  ['a long token that repeats itself', 'ab'.repeat(60)],
])('every echo of %s is masked', (_, token) => {
  expect(masked(`you sent ${token}, and ${token}${token}.`, token)).toBe(
    'you sent ‹credential›, and ‹credential›‹credential›.',
  );
});

test('an answer without the credential stays as it is, also where it begins like one', () => {
  const token = `${'a'.repeat(90)}b`;
  expect(masked('a'.repeat(500), token)).toBe('a'.repeat(500));
  expect(masked(`${'a'.repeat(100)}b!`, token)).toBe(`${'a'.repeat(10)}‹credential›!`);
});

// A target that answers 200 to all: two machines in turn must not be taken for two answers to two people.
const operation = areas.me.location;
const session: Session = {
  transport: { kind: 'bearer', source: '/token' },
  credentials: [['authorization', 'Bearer s3ss10n']],
  secrets: ['s3ss10n'],
};
const answer = (machine: number) => exchangeOf({ status: 200, body: { machine } });

/** Proves the session on a target whose answers to the calls of each round come from these machines, in order. */
async function proved(...machines: readonly number[]) {
  // Statuses are looked at first, with one call.
  const answering = [1, ...machines];
  let asked = 0;
  const ask: Ask = async () => {
    asked += 1;
    return answer(answering.shift() ?? 1);
  };
  const candidates = { usual: [session], rarer: [], derived: [], besideCookies: [], elsewhere: [] };
  const proof = await proveSession(ask, [{ operation, without: answer(1) }], candidates);
  return { proof, rounds: Math.floor((asked - 1) / 5) };
}

/** Control, call, spoiled call, call, control. */
const differs = [1, 2, 1, 2, 1];
const alike = [1, 1, 1, 1, 1];

test('what differs in four rounds is a session', async () => {
  const { proof, rounds } = await proved(...differs, ...differs, ...differs, ...differs);
  expect(proof).toMatchObject({ kind: 'proven', session, evidence: { without: 200, differs: 'content' } });
  expect(rounds).toBe(4);
});

test('what differs with every value that is sent is no session', async () => {
  const hashed: Ask = async (_, sent) =>
    exchangeOf({ status: 200, body: { value: hash('sha256', JSON.stringify(sent ?? '')) } });
  const candidates = { usual: [session], rarer: [], derived: [], besideCookies: [], elsewhere: [] };
  expect(
    await proveSession(hashed, [{ operation, without: await hashed(operation) }], candidates),
  ).toBeUndefined();
});

test('a difference in only three rounds, by chance of two machines, proves nothing', async () => {
  const { proof, rounds } = await proved(...differs, ...differs, ...differs, ...alike);
  expect([proof, rounds]).toEqual([undefined, 4]);
});

test('a round without a difference ends it', async () => {
  const { proof, rounds } = await proved(...differs, ...alike, ...differs, ...differs, ...differs);
  expect([proof, rounds]).toEqual([undefined, 2]);
});

test('proves nothing by a call that changes by itself, or that accepts a spoiled credential', async () => {
  for (const round of [
    [1, 2, 1, 3, 1],
    [1, 2, 1, 2, 2],
    [1, 2, 2, 2, 1],
  ])
    expect((await proved(...round, ...round, ...round, ...round)).proof).toBeUndefined();
});

// Cookies that need a header beside them, and sessions that change with every answer.
const sid = '6f1d0f4e-55b0-4f0e-9d0a-0c4f7c3b9a11';
const proof = 'cHJvb2Ytb2Ytb3JpZ2lu';
const reads = new Set(['/api/v1/me/location', '/api/v1/wallet/currencies']);
const posts = new Set(['/api/v1/extensions/wallet/needMigration']);

describe('a cookie that needs a header beside it on all but reads', () => {
  /** Reads want the cookie alone; calls by another method want `proof` in `x-csrf-token` or its like as well. */
  const guarding =
    (login: Answer, hasProof: (call: Call) => boolean): Behaviour =>
    (call) => {
      if (call.path === loginPath && call.method === 'POST') return login;
      const isKnown = call.headers.cookie?.split('; ').includes(`sid=${sid}`) ?? false;
      if (reads.has(call.path)) return isKnown ? { body: { of: 'the player' } } : { status: 401 };
      if (!posts.has(call.path) || call.method === 'GET') return { status: 404, body: { error: 'no path' } };
      if (!isKnown) return { status: 401 };
      return hasProof(call) ? { body: { needed: false } } : { status: 403, body: { error: 'forgery?' } };
    };
  const cookie = { kind: 'cookie', names: ['sid'] };
  const inHeader = (name: string) => (call: Call) => call.headers[name] === proof;

  test.each([
    [
      'the body',
      guarding(
        { headers: { 'set-cookie': `sid=${sid}; HttpOnly` }, body: { csrf: { csrfToken: proof } } },
        inHeader('x-csrf-token'),
      ),
      [cookie, { kind: 'header', name: 'x-csrf-token', source: '/csrf/csrfToken' }],
    ],
    [
      'the body, which names the header as well',
      guarding(
        {
          headers: { 'set-cookie': `sid=${sid}` },
          body: { csrf: { headerName: 'X-Our-CSRF', token: proof } },
        },
        inHeader('x-our-csrf'),
      ),
      [cookie, { kind: 'header', name: 'x-our-csrf', source: '/csrf/token' }],
    ],
    [
      'a header',
      guarding({ headers: { 'set-cookie': `sid=${sid}`, 'x-xsrf': proof } }, inHeader('x-xsrf')),
      [cookie, { kind: 'header', name: 'x-xsrf', source: 'x-xsrf' }],
    ],
    [
      'a readable cookie',
      guarding(
        { headers: { 'set-cookie': [`sid=${sid}; HttpOnly`, `XSRF-TOKEN=${proof}`] } },
        inHeader('x-xsrf-token'),
      ),
      [
        { kind: 'cookie', names: ['sid', 'XSRF-TOKEN'] },
        { kind: 'header', name: 'x-xsrf-token', source: 'cookie:XSRF-TOKEN' },
      ],
    ],
  ])('is found with what stands in %s', async (_, behaviour, parts) => {
    const { found } = await discovered(behaviour);
    expect(found).toMatchObject({ kind: 'found', recipe: { transport: { kind: 'combined', parts } } });
  });

  test('needs no header when a spoiled header works as well', async () => {
    const { found } = await discovered(
      guarding(
        { headers: { 'set-cookie': `sid=${sid}` }, body: { csrfToken: proof } },
        ({ headers }) => headers['x-csrf-token'] !== undefined,
      ),
    );
    expect(found).toMatchObject({ kind: 'found', recipe: { transport: cookie } });
  });

  test('is not looked for where the cookie alone is taken', async () => {
    const { found, calls } = await discovered(
      guarding({ headers: { 'set-cookie': `sid=${sid}` }, body: { csrfToken: proof } }, () => true),
    );
    expect(found).toMatchObject({ recipe: { transport: cookie } });
    expect(calls.filter(({ headers }) => headers['x-csrf-token'] !== undefined)).toEqual([]);
  });
});

describe('a session that changes with every answer', () => {
  const rotating = (
    handOut: (value: string) => Answer,
    held: (call: Call) => string | undefined,
    keepsOld = false,
  ): Behaviour => {
    let count = 0;
    const valid = new Set<string>();
    const next = (): Answer => {
      count += 1;
      if (!keepsOld) valid.clear();
      valid.add(`session-number-${count}-of-many`);
      return handOut(`session-number-${count}-of-many`);
    };
    return (call) => {
      if (call.path === loginPath && call.method === 'POST') return next();
      if (!reads.has(call.path)) return { status: 404 };
      return valid.has(held(call) ?? '') ? next() : { status: 401 };
    };
  };
  const bearer = ({ headers }: Call) => headers.authorization?.replace('Bearer ', '');

  test.each<[string, Behaviour, unknown]>([
    [
      'a header',
      rotating(
        (value) => ({ headers: { 'x-session': value } }),
        ({ headers }) => headers['x-session'] as string | undefined,
      ),
      { kind: 'header', name: 'x-session', source: 'x-session' },
    ],
    [
      'a cookie',
      rotating(
        (value) => ({ headers: { 'set-cookie': `sid=${value}; Path=/` } }),
        ({ headers }) => headers.cookie?.replace('sid=', ''),
      ),
      { kind: 'cookie', names: ['sid'] },
    ],
    [
      'the body',
      rotating((value) => ({ body: { auth: { token: value } } }), bearer),
      { kind: 'bearer', source: '/auth/token' },
    ],
  ])('is found in %s, and the newest of it is kept', async (_, behaviour, transport) => {
    const { found, calls } = await discovered(behaviour);
    expect(found).toMatchObject({ kind: 'found', recipe: { transport, rotates: true } });
    if (found.kind !== 'found') return;
    const used = calls.filter(({ path }) => reads.has(path)).map((call) => JSON.stringify(call.headers));
    expect(used.some((headers) => headers.includes(found.session.secrets[0] ?? '?'))).toBe(false);
  });

  test('does not rotate where the one before still works', async () => {
    const { found } = await discovered(rotating((value) => ({ body: { token: value } }), bearer, true));
    expect(found).toMatchObject({ kind: 'found', recipe: { rotates: false } });
  });
});
