import { expect, test } from 'vitest';
import type { Response } from '../../http/exchange.ts';
import {
  byteOrderMark,
  holdsJson,
  jsonDialect,
  labelledJson,
  notJson,
  notUtf8,
  saysNothing,
} from './json.ts';

test.each([
  ['{"a":1,"a":2}', 'the name "a" stands twice'],
  ['{"a":1,"\\u0061":2}', 'the name "a" stands twice'],
  ['[{"b":{"a":[],"c":0,"a":{}}}]', 'the name "a" stands twice'],
  ['{"":1,"":2}', 'the name "" stands twice'],
  ['[9007199254740992]', '9007199254740992, which a client may read as 9007199254740992'],
  ['{"id":-9007199254740993}', '-9007199254740993, which a client may read as -9007199254740992'],
])('%s: %s', (text, actual) => {
  expect(jsonDialect(text)?.actual).toBe(actual);
});

test.each([
  '{"a":{"a":{"a":1}}}',
  '[{"a":1},{"a":2}]',
  '{"a":"a","b":"a"}',
  '{"a":["a","a"]}',
  '{"x":"{\\"a\\":1,\\"a\\":2}","a\\\\":1,"a":"9007199254740993"}',
  '[9007199254740991,-9007199254740991,1e30,0.1234567890123456789,12345678901234567890.5]',
  'null',
])('%s is read alike by every parser', (text) => {
  expect(jsonDialect(text)).toBeUndefined();
});

test('neither depth nor a long string overflows', () => {
  const deep = 200_000;
  expect(jsonDialect('['.repeat(deep) + ']'.repeat(deep))).toBeUndefined();
  expect(jsonDialect(`{"a":"${'\\n'.repeat(1_500_000)}","a":1}`)?.actual).toContain('twice');
});

function answer(body: string | number[], type?: string): Response {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : Uint8Array.from(body);
  const headers = type === undefined ? [] : [['content-type', type] as const];
  return { status: 200, headers, body: bytes, wire: { bytes: bytes.length } };
}

test.each([
  ['application/json', true],
  ['Application/JSON; charset=utf-8', true],
  ['application/problem+json', true],
  ['text/json', true],
  ['application/json-seq', false],
  ['application/x-ndjson', false],
  ['text/plain', false],
  [undefined, false],
])('%s is a label of JSON: %s', (type, labelled) => {
  expect(labelledJson(answer('{}', type))).toBe(labelled);
});

test.each(['{}', ' [1]\n', 'null', '"text"', '\uFEFF{}'])('%j is one JSON text', (body) => {
  expect(notJson(answer(body))).toBeUndefined();
});

test.each(['', ' ', '{"a":', '{} {}', ")]}',\n{}", 'callback({})', "{'a':1}", '<html>'])(
  '%j is none',
  (body) => {
    expect(notJson(answer(body))).toBeDefined();
  },
);

test('what is not JSON is shown by how it begins, not in full', () => {
  expect(notJson(answer('x'.repeat(500)))?.actual).toContain(`${'x'.repeat(60)}…`);
});

test('JSON is known by its label or by its bytes', () => {
  expect(holdsJson(answer('<html>', 'application/json'))).toBe(true);
  expect(holdsJson(answer('{}', 'application/octet-stream'))).toBe(true);
  expect(holdsJson(answer('<html>', 'text/html'))).toBe(false);
});

test('a byte order mark is found at the start only', () => {
  expect(byteOrderMark(answer([0xef, 0xbb, 0xbf, 0x7b, 0x7d]))).toBeDefined();
  expect(byteOrderMark(answer('{"a":"\uFEFF"}'))).toBeUndefined();
});

test.each([
  ['latin1', [0x22, 0xfc, 0x22]],
  ['a surrogate in three bytes', [0x22, 0xed, 0xa0, 0x80, 0x22]],
  ['an overlong form', [0x22, 0xc0, 0xaf, 0x22]],
])('%s is not UTF-8', (_, bytes) => {
  expect(notUtf8(answer(bytes))).toBeDefined();
});

test('any well-formed UTF-8 is, replacement characters too', () => {
  expect(notUtf8(answer('"grün \uFFFD 🎮"'))).toBeUndefined();
});

test.each<[unknown, boolean]>([
  [null, true],
  ['', true],
  [{}, true],
  [[], true],
  [{ items: [], next: null, meta: { cursor: '' } }, true],
  [0, false],
  [false, false],
  [{ items: [{ id: 'x' }] }, false],
])('%j says nothing: %s', (value, says) => {
  expect(saysNothing(value)).toBe(says);
});

test('counts a list of many nulls as content', () => {
  expect(saysNothing(Array(1_000_000).fill(null))).toBe(false);
});
