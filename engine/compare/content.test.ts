import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import type { Exchange } from '../http/exchange.ts';
import { contentDifferences, outline, sameBytes, sameOutline } from './content.ts';

const answer = (body: string, headers: Record<string, string> = {}, status = 200): Exchange => ({
  request: { method: 'GET', url: `http://target.test${areas.general.config.path}`, headers: [] },
  response: {
    status,
    headers: Object.entries({ 'content-type': 'application/json', ...headers }),
    body: new TextEncoder().encode(body),
    wire: { bytes: body.length },
  },
  startedAt: 0,
  durationMs: 0,
  attempts: 1,
  waits: 0,
});

test.each([
  ['equal bytes', answer('{"a":1}'), answer('{"a":1}')],
  ['equal values in other words', answer('{"a":1,"b":2}'), answer('{ "b": 2, "a": 1.0 }')],
  ['other headers', answer('{"a": 1}'), answer('{"a":1}', { vary: 'accept-encoding' })],
])('%s are the same content', (_, a, b) => {
  expect(contentDifferences(a, b).size).toBe(0);
});

test.each([
  ['another value', answer('{"a":1}'), answer('{"a":2}'), ['body/a']],
  ['another status', answer('{"a":1}'), answer('{"a":1}', {}, 206), ['status']],
  ['a body that is cut', answer('{"a":1}'), answer('{"a"'), ['body', 'body word 0', 'body/a']],
])('%s is other content', (_, a, b, parts) => {
  expect([...contentDifferences(a, b)].sort()).toEqual(parts);
});

test('what was not answered has no bytes in common with anything', () => {
  const { response: _, ...unanswered } = answer('');
  expect([sameBytes(unanswered, answer('')), sameBytes(answer(''), unanswered)]).toEqual([false, false]);
});

const outlined = (status: number, body: string, type = 'application/json'): Exchange => ({
  request: { method: 'GET', url: 'http://target.test/', headers: [] },
  response: {
    status,
    headers: [['content-type', type]],
    body: new TextEncoder().encode(body),
    wire: { bytes: body.length },
  },
  startedAt: 0,
  durationMs: 1,
  attempts: 1,
  waits: 0,
});

test.each([
  [200, '{"b":[1],"a":"x","c":null}', '2xx, {a: string, b: list}'],
  [404, '[{"a":1}]', '4xx, list'],
  [200, '7', '2xx, number'],
  [200, 'null', '2xx, null'],
  [204, '', '2xx, empty'],
  [200, '<p>', '2xx, text/html'],
])('%i with %s looks like: %s', (status, body, expected) => {
  expect(outline(outlined(status, body, body === '<p>' ? 'text/html' : undefined))).toBe(expected);
});

test('an answer of no type, and none at all, look like that', () => {
  const { response, ...asked } = outlined(200, 'x');
  expect(outline({ ...asked, ...(response && { response: { ...response, headers: [] } }) })).toBe(
    '2xx, no type',
  );
  const error = { kind: 'reset', message: 'gone', reusedConnection: false } as const;
  expect(outline({ ...asked, error })).toBe('no answer (reset)');
});

test('values do not count, names and kinds at the top do', () => {
  expect(sameOutline(outlined(200, '{"at":1,"id":"a"}'), outlined(201, '{"id":"b","at":2}'))).toBe(true);
  expect(sameOutline(outlined(200, '{"id":"a"}'), outlined(200, '{"id":1}'))).toBe(false);
  expect(sameOutline(outlined(200, '{"id":"a"}'), outlined(200, '{"name":"a"}'))).toBe(false);
});

test('no answer has an outline of its own', () => {
  const { response: _, ...rest } = outlined(200, '');
  expect(outline({ ...rest, error: { kind: 'reset', message: '', reusedConnection: false } })).toBe(
    'no answer (reset)',
  );
});
