import { expect, test } from 'vitest';
import type { Headers, Request } from '../../http/exchange.ts';
import { grantedBy, usesOf } from './granted.ts';

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
const token = 'abcdefghijklmnopqrstuvwx';

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
