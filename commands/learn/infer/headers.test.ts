import { expect, test } from 'vitest';
import { addHeaders, clientHeadersOf, newClientHeaders } from './headers.ts';

function headersFrom(...calls: readonly Readonly<Record<string, string>>[]) {
  const found = newClientHeaders();
  for (const headers of calls)
    addHeaders(found, { headers: Object.entries(headers), type: '', body: { kind: 'none' } });
  return clientHeadersOf(found, (value) => value === 'Rowan');
}
const twice = (headers: Readonly<Record<string, string>>) => headersFrom(headers, headers);

test('what every call carries alike is the client’s, by name', () => {
  expect(
    headersFrom(
      { 'x-version': '7.2.0', 'x-build': 'release', 'x-n': '1' },
      { 'x-build': 'release', 'x-version': '7.2.0', 'x-n': '2' },
    ),
  ).toEqual({
    'x-build': 'release',
    'x-version': '7.2.0',
  });
});

test('one call shows nothing', () => {
  expect(headersFrom({ 'x-version': '7.2.0' })).toEqual({});
});

test('fields of the connection, the content, the session and the browser are none', () => {
  const ordinary = {
    host: 'a',
    accept: '*/*',
    cookie: 'a=b',
    authorization: 'Bearer x',
    'sec-fetch-mode': 'cors',
  };
  expect(
    twice({
      ...ordinary,
      'user-agent': 'Mozilla/5.0 (X11)',
      'content-type': 'text/plain',
      origin: 'http://a',
    }),
  ).toEqual({});
});

test('a client’s own user agent stays', () => {
  expect(twice({ 'user-agent': 'Client/7.2.0' })).toEqual({ 'user-agent': 'Client/7.2.0' });
});

test.each([
  ['x-api-key', 'short'],
  ['x-auth', 'word'],
  ['x-build', 'f81d4fae7dec11d0'],
  ['x-host', '203.0.113.9'],
  ['x-nickname', 'Rowan'],
])('%s: %s could be a secret or somebody’s, so the environment is to give it', (name, value) => {
  expect(twice({ [name]: value })).toEqual({ [name]: { env: name.toUpperCase().replaceAll('-', '_') } });
});
