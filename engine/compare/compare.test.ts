import { describe, expect, test } from 'vitest';
import { brokenExchange, type ExchangeFields, exchangeOf } from '../../fixtures/kit/exchanges.ts';
import { differences, echoes, maskEchoes } from './compare.ts';

const differing = (a: ExchangeFields, b: ExchangeFields) =>
  [...differences(exchangeOf(a), exchangeOf(b))].sort();

describe('two answers are the same', () => {
  test.each<readonly [string, ExchangeFields, ExchangeFields]>([
    [
      'with equal JSON in another order of members',
      { body: { a: 1, b: { c: 2 } } },
      { body: { b: { c: 2 }, a: 1 } },
    ],
    [
      'with another charset parameter',
      { headers: { 'content-type': 'application/json' } },
      { headers: { 'content-type': 'Application/JSON; charset=utf-8' } },
    ],
    ['with other cookies', { headers: { 'set-cookie': 'a=1' } }, { headers: { 'set-cookie': 'a=2' } }],
    ['with other values of a header', { headers: { 'x-node': '1' } }, { headers: { 'x-node': '2' } }],
    [
      'with another challenge',
      { headers: { 'www-authenticate': 'Bearer nonce=1' } },
      { headers: { 'www-authenticate': 'Bearer nonce=2' } },
    ],
    ['with other white space in HTML', { body: '<p>no  such\npage</p>' }, { body: '<p>no such page</p>' }],
    [
      'where each echoes its own path',
      { url: 'http://a.test/api/v1/queue', body: { at: '/api/v1/queue' } },
      { url: 'http://a.test/api/v1/xyzzy', body: { at: '/api/v1/xyzzy' } },
    ],
    [
      'where a word of the answer is a segment of one request',
      { url: 'http://a.test/api/v1/queue', body: { of: 'queue' } },
      { url: 'http://a.test/api/v1/xyzzy', body: { of: 'queue' } },
    ],
    [
      'where a member is named like a segment',
      { url: 'http://a.test/api/v1/version', body: { version: 1 } },
      { url: 'http://a.test/api/v1/xyzzyxy', body: { version: 1 } },
    ],
    [
      'where a member is named by the path',
      { url: 'http://a.test/api/queue', body: { '/api/queue': 1 } },
      { url: 'http://a.test/api/xyzzy', body: { '/api/xyzzy': 1 } },
    ],
  ])('%s', (_, a, b) => {
    expect(differing(a, b)).toEqual([]);
  });

  test.each([
    'date',
    'age',
    'etag',
    'x-request-id',
    'x-b3-traceid',
    'x-correlation-id',
    'ratelimit-remaining',
    'x-ratelimit-reset',
    'retry-after',
    'server-timing',
    'cf-ray',
  ])('where only one has %s', (name) => {
    expect(differing({ headers: { [name]: 'x' } }, {})).toEqual([]);
  });
});

describe('two answers differ', () => {
  test.each<readonly [string, ExchangeFields, ExchangeFields, string[]]>([
    ['in status', { status: 404 }, { status: 400 }, ['status']],
    ['in media type', { headers: { 'content-type': 'text/plain' } }, {}, ['type']],
    ['in Allow', { headers: { allow: 'GET' } }, { headers: { allow: 'PUT' } }, ['allow']],
    [
      'in where a redirect leads',
      { headers: { location: '/a' } },
      { headers: { location: '/b' } },
      ['location'],
    ],
    [
      'in that one is a challenge',
      { headers: { 'www-authenticate': 'Bearer' } },
      {},
      ['challenge', 'header www-authenticate'],
    ],
    ['in that one carries a header', { headers: { 'x-powered-by': 'y' } }, {}, ['header x-powered-by']],
    ['in a leaf', { body: { a: { b: 1 } } }, { body: { a: { b: 2 } } }, ['body/a/b']],
    ['in a kind of leaf', { body: { a: 1 } }, { body: { a: '1' } }, ['body/a']],
    ['in null and nothing', { body: { a: null } }, { body: {} }, ['body/a']],
    ['in the order of a list', { body: [1, 2] }, { body: [2, 1] }, ['body/0', 'body/1']],
    ['in the length of a list', { body: { l: [1] } }, { body: { l: [1, 2] } }, ['body/l/1']],
    ['in object and list', { body: {} }, { body: [] }, ['body']],
    ['in a word', { body: 'no such page' }, { body: 'no such file' }, ['body word 2']],
  ])('%s', (_, a, b, parts) => {
    expect(differing(a, b)).toEqual(parts);
  });

  test('in that one is no answer', () => {
    expect(differences(brokenExchange('timeout'), exchangeOf()).has('transport')).toBe(true);
    expect([...differences(brokenExchange('timeout'), brokenExchange('reset'))]).toEqual(['transport']);
  });
});

const request = {
  method: 'GET' as const,
  url: "http://a.test:1/api/v1/Players/J%C3%BCrgen%20O'Neill?playerName=a%26b%3Cc&limit=10",
  headers: [],
};
const path = "/api/v1/Players/J%C3%BCrgen%20O'Neill";

describe('what a request sent is masked in each form that an answer may give it', () => {
  test.each([
    ['the URL', request.url, '‹url›'],
    ['path and query', `${path}?playerName=a%26b%3Cc&limit=10`, '‹target›'],
    ['the path', path, '‹path›'],
    ['the path, decoded', "/api/v1/Players/Jürgen O'Neill", '‹path›'],
    ['the path, encoded', encodeURIComponent(path), '‹path›'],
    ['the path, in lower case', path.toLowerCase(), '‹path›'],
    ['the path, in HTML', '/api/v1/Players/J%C3%BCrgen%20O&#39;Neill', '‹path›'],
    ['the path, decoded and in HTML', '/api/v1/Players/Jürgen O&#39;Neill', '‹path›'],
    ['a segment', 'Players', '‹segment›'],
    ['a segment, in lower case', 'players', '‹segment›'],
    ['a value of the query', 'a%26b%3Cc', '‹value›'],
    ['a value of the query, decoded', 'a&b<c', '‹value›'],
    ['a value of the query, in HTML', 'a&amp;b&lt;c', '‹value›'],
    ['the method', 'GET', '‹method›'],
  ])('$0 is replaced by $2', (_, echoed, placeholder) => {
    expect(maskEchoes(`no "${echoed}" here`, request)).toBe(`no "${placeholder}" here`);
  });
});

test('the longest form goes first: a path is one echo, not its segments', () => {
  const lengths = echoes(request).map(([form]) => form.length);
  expect(lengths).toEqual([...lengths].sort((a, b) => b - a));
});

test('what is too short to be distinguished from words stays', () => {
  expect(maskEchoes('api v1 10', request)).toBe('api v1 10');
});

test('every occurrence goes', () => {
  expect(maskEchoes('Players, Players', request)).toBe('‹segment›, ‹segment›');
});

test('a broken percent-encoding is taken as it stands', () => {
  const odd = { ...request, url: 'http://a.test/api/%E0%A4%A' };
  expect(maskEchoes('no %E0%A4%A', odd)).toBe('no ‹segment›');
});
