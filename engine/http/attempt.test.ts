import { expect, test } from 'vitest';
import { Attempt, failureOf, line } from './attempt.ts';
import { createInFlight } from './body-limits.ts';
import type { Connection } from './connection.ts';

type Controller = Parameters<Attempt['onResponseData']>[0];
const controller = { pause() {}, resume() {} } as Controller;

test('a body that comes in a hundred thousand pieces is held in a few, and is what came', () => {
  const attempt = new Attempt({} as Connection, 0, createInFlight({ connections: 1 }), () => {});
  const sent: Buffer[] = [];
  for (let nth = 0; nth < 100_000; nth += 1) {
    // Now and then a piece that is large enough to be kept by itself.
    const piece = Buffer.alloc(nth % 10_000 === 9_999 ? 5_000 : 1 + (nth % 3), nth % 251);
    sent.push(piece);
    attempt.onResponseData(controller, piece);
  }
  expect(attempt.chunks.length).toBeLessThan(200);
  expect(Buffer.concat(attempt.chunks).equals(Buffer.concat(sent))).toBe(true);
});

const coded = (code: string, message = 'it broke') => Object.assign(new Error(message), { code });

for (const [code, kind] of [
  ['ECONNREFUSED', 'refused'],
  ['EHOSTUNREACH', 'refused'],
  ['ENOTFOUND', 'dns'],
  ['EAI_AGAIN', 'dns'],
  ['ECONNRESET', 'reset'],
  ['EPIPE', 'reset'],
  ['ETIMEDOUT', 'timeout'],
  ['UND_ERR_HEADERS_OVERFLOW', 'too-large'],
  ['UND_ERR_ABORTED', 'aborted'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls'],
  ['CERT_HAS_EXPIRED', 'tls'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'tls'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls'],
  ['HPE_INVALID_CONSTANT', 'protocol'],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'protocol'],
] as const) {
  test(`${code} is ${kind}`, () => {
    expect(failureOf(coded(code))).toEqual({ kind, why: `it broke (${code})` });
  });
}

test('reports an answer without a request in words of its own', () => {
  expect(failureOf(coded('UND_ERR_SOCKET', 'bad upgrade'))).toEqual({
    kind: 'protocol',
    why: 'answered 101 to a request for no upgrade',
  });
  expect(failureOf(coded('UND_ERR_SOCKET', 'bad response'))).toEqual({
    kind: 'protocol',
    why: 'sent an answer nobody asked for',
  });
});

test('when several addresses were tried the first error speaks', () => {
  const tried = new AggregateError([coded('ECONNREFUSED', 'connect ECONNREFUSED ::1:9'), coded('ETIMEDOUT')]);

  expect(failureOf(tried)).toEqual({ kind: 'refused', why: 'connect ECONNREFUSED ::1:9' });
});

test('an end of the stream is a reset before an answer, and a broken promise within one', () => {
  const closed = coded('UND_ERR_SOCKET', 'other side closed');

  expect(failureOf(closed, false).kind).toBe('reset');
  expect(failureOf(closed, true).kind).toBe('protocol');
});

test('what is no Error at all is still reported', () => {
  expect(failureOf('odd')).toEqual({ kind: 'protocol', why: 'odd' });
});

test('a message is one printable line of bounded length', () => {
  const text = line('GET', 'http://127.0.0.1/\u001b[31m', `two\r\nlines ${'x'.repeat(9999)}`);

  expect(text).toMatch(/^GET http:\/\/127\.0\.0\.1\/\\u001b\[31m: two\\u000d\\u000alines x+…$/);
  expect(text.length).toBe(600);
});
