import { expect, test } from 'vitest';
import type { Exchange, Headers, TransportError, TransportKind } from '../../http/exchange.ts';
import {
  breakage,
  brokenFraming,
  etagOf,
  isServerError,
  mayBeTemporary,
  redirectOf,
  strongEtagOf,
} from './http-fields.ts';

const retry: Headers = [['retry-after', '1']];

test.each([
  [500, [], true],
  [502, [], true],
  [503, [], true],
  [503, retry, false],
  [500, retry, true],
  [501, [], false],
  [499, [], false],
  [200, [], false],
] as const)('%d with %j blames the server: %s', (status, headers, blamed) => {
  expect(isServerError({ status, headers, body: new Uint8Array(), wire: { bytes: 0 } })).toBe(blamed);
});

const about = {
  request: { method: 'POST', url: 'http://target.test/', headers: [] },
  startedAt: 0,
  durationMs: 1,
  attempts: 1,
  waits: 0,
} as const;
const wire = { bytes: 0 };
const answer = (status: number, headers: Headers = []): Exchange => ({
  ...about,
  response: { status, headers, body: new Uint8Array(), wire },
});
const error = (kind: TransportKind, partial?: number): Exchange => ({
  ...about,
  error: {
    kind,
    message: kind,
    reusedConnection: false,
    ...(partial !== undefined && { partial: { status: partial, headers: [], bytes: 0 } }),
  },
});

test.each<[string, Exchange, string | undefined, boolean]>([
  ['200', answer(200), undefined, false],
  ['400', answer(400), undefined, false],
  ['414', answer(414), undefined, false],
  ['500', answer(500), 'answered 500', false],
  ['501 not implemented', answer(501), undefined, false],
  ['502', answer(502), 'answered 502', true],
  ['503', answer(503), 'answered 503', true],
  ['503 with Retry-After', answer(503, [['retry-after', '1']]), undefined, false],
  ['a reset', error('reset'), 'the connection was broken off before an answer', true],
  ['413, then a reset', error('reset', 413), undefined, false],
  ['500, then a reset', error('reset', 500), 'answered 500', false],
  ['a timeout', error('timeout'), undefined, false],
  ['nothing listening', error('refused'), undefined, false],
])('after bad input %s is distinguished', (_, exchange, expected, passes) => {
  expect(breakage(exchange)).toBe(expected);
  expect(mayBeTemporary(exchange)).toBe(passes);
});

const broken = (error: Omit<TransportError, 'message' | 'reusedConnection'>) =>
  brokenFraming({
    request: { method: 'GET', url: 'http://target.test/a', headers: [] },
    error: { message: 'GET http://target.test/a: invalid chunk size', reusedConnection: false, ...error },
    startedAt: 0,
    durationMs: 0,
    attempts: 1,
    waits: 0,
  });

const partial = (bytes: number, length?: string) => ({
  status: 200,
  headers: length === undefined ? [] : [['content-length', length] as const],
  bytes,
});

test('a message that names no request is reported whole', () => {
  expect(broken({ kind: 'protocol', message: 'cut' } as never)?.actual).toBe('cut');
});

test.each([
  ['an unreadable message', { kind: 'protocol' }, 'invalid chunk size'],
  [
    'a cut body of known length',
    { kind: 'reset', partial: partial(5, '10') },
    'the connection broke after 5 of 10 bytes of the body',
  ],
  [
    'a cut body of unknown length',
    { kind: 'reset', partial: partial(5) },
    'the connection broke after 5 bytes of the body',
  ],
  [
    'a cut body of a length that is no number',
    { kind: 'reset', partial: partial(5, 'x') },
    'the connection broke after 5 bytes of the body',
  ],
  [
    'a body that is owed bytes',
    { kind: 'timeout', partial: partial(5, '10') },
    'nothing came after 5 of 10 bytes of the body',
  ],
] as const)('%s is reported', (_, error, actual) => {
  expect(broken(error)?.actual).toBe(actual);
});

test.each([
  ['no answer at all', { kind: 'reset' }],
  ['a slow answer of unknown length', { kind: 'timeout', partial: partial(5) }],
  ['a slow answer that announced nothing sensible', { kind: 'timeout', partial: partial(5, 'x') }],
  ['a body larger than the client takes', { kind: 'too-large', partial: partial(5, '10') }],
  ['a body that came in full, and late', { kind: 'timeout', partial: partial(10, '10') }],
  ['a host that is not there', { kind: 'refused' }],
] as const)('%s says nothing about framing', (_, error) => {
  expect(broken(error)).toBeUndefined();
});

const tagged = (etag?: string) => ({
  status: 200,
  headers: etag === undefined ? [] : [['etag', etag] as const],
  body: new Uint8Array(),
  wire: { bytes: 0 },
});

test.each([
  ['"a"', '"a"', '"a"'],
  [' "a-gzip" ', '"a-gzip"', '"a-gzip"'],
  ['W/"a"', 'W/"a"', undefined],
  ['""', '""', '""'],
  ['a', undefined, undefined],
  ['w/"a"', undefined, undefined],
  ['"a""b"', undefined, undefined],
  [undefined, undefined, undefined],
])('%s is the ETag %s, and the strong one %s', (sent, etag, strong) => {
  expect(etagOf(tagged(sent))).toBe(etag);
  expect(strongEtagOf(tagged(sent))).toBe(strong);
});

const redirecting = (status: number, location?: string) => ({
  request: { method: 'GET', url: 'http://target.test/api/v1/config', headers: [] } as const,
  response: {
    status,
    headers: location === undefined ? [] : [['location', location] as const],
    body: new Uint8Array(),
    wire: { bytes: 0 },
  },
  startedAt: 0,
  durationMs: 0,
  attempts: 1,
  waits: 0,
});

test.each([
  [301, '/api/v1/config/', false],
  [307, 'http://target.test/elsewhere', false],
  [302, 'https://target.test/api/v1/config', true],
  [302, 'http://other.test/api/v1/config', true],
  [303, '/account/login?next=%2F', true],
  [302, '/sso', true],
  [302, '/api/v1/catalogue/loginless', false],
])('%d to %s leads away: %s', (status, location, away) => {
  expect(redirectOf(redirecting(status, location))).toEqual({ to: location, away });
});

test.each([
  [200, '/elsewhere'],
  [302, undefined],
  [302, 'http://['],
])('%d with Location %s is no redirect', (status, location) => {
  expect(redirectOf(redirecting(status, location))).toBeUndefined();
});
