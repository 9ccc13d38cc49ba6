import { expect, test } from 'vitest';
import { brokenExchange, exchangeOf } from '../../fixtures/kit/exchanges.ts';
import { silenceOf } from './no-answer.ts';

test.each([200, 404, 500, 503])('an answer with %i is one', (status) => {
  expect(silenceOf(exchangeOf({ status }))).toBeUndefined();
});

test.each([
  ['timeout', 'timeout'],
  ['reset', 'reset'],
  ['protocol', 'reset'],
  ['refused', 'unreachable'],
  ['too-large', 'too-large'],
] as const)('%s is silence for the reason %s', (kind, reason) => {
  expect(silenceOf(brokenExchange(kind))).toEqual({ reason, why: `GET http://a.test/: ${kind}` });
});

test('a rate limit and an announced outage are silence', () => {
  expect(silenceOf(exchangeOf({ status: 429 }))?.why).toContain('answered 429');
  const outage = exchangeOf({ status: 503, headers: { 'retry-after': '5' } });
  expect(silenceOf(outage)).toMatchObject({
    reason: 'rate-limited',
    why: expect.stringContaining('answered 503 with Retry-After'),
  });
});

test('a call that was not sent gives its own reason for the missing answer', () => {
  expect(silenceOf({ ...exchangeOf(), unsigned: true })).toMatchObject({ reason: 'no-session' });
  expect(silenceOf({ ...brokenExchange(), held: true })).toMatchObject({ reason: 'prerequisite-failed' });
});
