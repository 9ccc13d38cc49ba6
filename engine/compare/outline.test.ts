import { expect, test } from 'vitest';
import type { Exchange } from '../http/exchange.ts';
import { outline, sameOutline } from './outline.ts';

const answer = (status: number, body: string, type = 'application/json'): Exchange => ({
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
  expect(outline(answer(status, body, body === '<p>' ? 'text/html' : undefined))).toBe(expected);
});

test('an answer of no type, and none at all, look like that', () => {
  const { response, ...asked } = answer(200, 'x');
  expect(outline({ ...asked, ...(response && { response: { ...response, headers: [] } }) })).toBe(
    '2xx, no type',
  );
  const error = { kind: 'reset', message: 'gone', reusedConnection: false } as const;
  expect(outline({ ...asked, error })).toBe('no answer (reset)');
});

test('values do not count, names and kinds at the top do', () => {
  expect(sameOutline(answer(200, '{"at":1,"id":"a"}'), answer(201, '{"id":"b","at":2}'))).toBe(true);
  expect(sameOutline(answer(200, '{"id":"a"}'), answer(200, '{"id":1}'))).toBe(false);
  expect(sameOutline(answer(200, '{"id":"a"}'), answer(200, '{"name":"a"}'))).toBe(false);
});

test('no answer has an outline of its own', () => {
  const { response: _, ...rest } = answer(200, '');
  expect(outline({ ...rest, error: { kind: 'reset', message: '', reusedConnection: false } })).toBe(
    'no answer (reset)',
  );
});
