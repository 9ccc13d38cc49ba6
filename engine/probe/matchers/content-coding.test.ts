import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { Response, Wire } from '../../http/exchange.ts';
import { undeclared, undecodable } from './content-coding.ts';

const answer = (body: Uint8Array, wire: Partial<Wire> = {}): Response => ({
  status: 200,
  headers: [],
  body,
  wire: { bytes: body.length, ...wire },
});
const plain = answer(Buffer.from('{"a":1}'));
const zipped = gzipSync('{"a":1}');

test('bytes that do not decode are reported, and distinguished from an unknown name', () => {
  expect(undecodable(answer(zipped, { coding: 'br', codingError: 'broken br: x' }))).toMatchObject({
    unknown: false,
  });
  expect(
    undecodable(answer(zipped, { coding: 'aws-chunked', codingError: 'unknown coding "aws-chunked"' })),
  ).toMatchObject({ unknown: true });
  expect(undecodable(answer(zipped, { coding: 'gzip' }))).toBeUndefined();
});

test('gzip without a Content-Encoding is reported', () => {
  expect(undeclared(plain, answer(zipped))).toBeDefined();
});

test.each([
  ['declared', plain, answer(zipped, { coding: 'gzip' })],
  ['a file that is gzip itself', answer(zipped), answer(zipped)],
  ['no coding', plain, plain],
  ['bytes that begin almost like gzip', plain, answer(Uint8Array.from([0x1f, 0x8b, 0]))],
  ['bytes that hold gzip later on', plain, answer(Uint8Array.from([0, 0x8b, 8]))],
])('%s is fine', (_, uncoded, coded) => {
  expect(undeclared(uncoded, coded)).toBeUndefined();
});
