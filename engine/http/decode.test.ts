import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { decode, outsize } from './decode.ts';

const cap = 1000;
const plain = Buffer.from('{"a":"ä"}');

for (const [coding, bytes] of [
  ['gzip', gzipSync(plain)],
  ['X-GZip', gzipSync(plain)],
  ['deflate', deflateSync(plain)],
  ['deflate', deflateRawSync(plain)],
  ['br', brotliCompressSync(plain)],
  ['zstd', zstdCompressSync(plain)],
  ['identity', plain],
  ['br, gzip', gzipSync(brotliCompressSync(plain))],
] as const) {
  test(`${coding} of ${bytes.length} bytes is undone`, () => {
    const decoded = decode(bytes, coding, cap);

    expect('body' in decoded && Buffer.from(decoded.body).toString()).toBe(plain.toString());
  });
}

for (const [what, coding, bytes, why] of [
  ['an unknown coding', 'snappy', plain, 'unknown coding "snappy"'],
  ['a name of Object.prototype', 'constructor', plain, 'unknown coding'],
  ['what is no gzip', 'gzip', plain, 'broken gzip'],
  ['a broken outer coding', 'gzip, br', gzipSync(plain), 'broken br'],
  ['four codings', 'gzip,gzip,gzip,gzip', plain, 'more than 3 codings'],
] as const) {
  test(`${what} leaves the bytes and says why`, () => {
    expect(decode(bytes, coding, cap)).toMatchObject({
      body: bytes,
      codingError: expect.stringContaining(why),
    });
  });
}

test('an empty body is empty in any coding', () => {
  expect(decode(Buffer.alloc(0), 'gzip', cap)).toEqual({ body: Buffer.alloc(0), coding: 'gzip' });
});

for (const [coding, compress] of [
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
  ['zstd', zstdCompressSync],
] as const) {
  test(`a ${coding} bomb stops at the cap`, () => {
    expect(decode(compress(Buffer.alloc(10 * cap)), coding, cap)).toEqual({ tooLarge: true, coding });
  });
}

const of = (text: string) => outsize(new TextEncoder().encode(text));

test.each([
  ['a long list', JSON.stringify(Array.from({ length: 10_000 }, (_, nth) => nth))],
  ['brackets and commas inside a text', JSON.stringify(['[,'.repeat(1_600_000)])],
  ['a text with escaped quotes and brackets', JSON.stringify(['"['.repeat(1_000)])],
  ['a text that ends in backslashes', JSON.stringify([`${'['.repeat(600)}\\\\`])],
  ['a text without its closing quote', `["${'['.repeat(600)}`],
  ['what is no JSON', '<['.repeat(1_000)],
  ['500 levels', '['.repeat(500) + ']'.repeat(500)],
])('%s is not too much', (_, text) => {
  expect(of(text)).toBeUndefined();
});

test('more than 500 levels are, after a byte order mark as well', () => {
  expect(of('['.repeat(501))).toBe('its JSON is nested more than 500 levels deep');
  expect(of(`\ufeff ${'{"a":'.repeat(501)}`)).toBe('its JSON is nested more than 500 levels deep');
});

test('more than a million and a half values are', () => {
  expect(of(`[${'1,'.repeat(1_500_001)}1]`)).toBe('its JSON holds more than 1500000 values');
});

test('more than a quarter of a million different names are, however often others stand there', () => {
  const named = (count: number) => Array.from({ length: count }, (_, nth) => `{"n${nth}":1,"id":"a:b"}`);
  expect(of(`[${named(255_000).join()}]`)).toBe('its JSON holds more than 250000 different names');
  expect(of(`[${[...named(100_000), ...named(100_000), ...named(100_000)].join()}]`)).toBeUndefined();
});
