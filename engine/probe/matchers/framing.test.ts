import { expect, test } from 'vitest';
import type { Exchange, Headers, TransportError, TransportKind } from '../../http/exchange.ts';
import { breakage, brokenFraming, mayPass } from './framing.ts';

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
  expect(mayPass(exchange)).toBe(passes);
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
