import { expect, test } from 'vitest';
import type { Exchange } from '../../engine/http/exchange.ts';
import { describeContent, findBytes } from './profile.ts';

const answered = (body: Uint8Array | string, status = 200): Exchange => ({
  request: { method: 'GET', url: 'http://127.0.0.1/', headers: [] },
  response: { status, headers: [], body: Buffer.from(body), wire: { bytes: 0 } },
  startedAt: 0,
  durationMs: 0,
  attempts: 1,
  waits: 0,
});
const bytes = Uint8Array.of(0, 65, 0xfb, 0xff, 66, 0xc3);

test('bytes are found as they are', () => {
  expect(findBytes(answered(bytes), bytes)).toBe('bytes');
});

test.each(['base64', 'base64url'] as const)('bytes are found as %s within a text', (coding) => {
  expect(findBytes(answered(JSON.stringify({ data: Buffer.from(bytes).toString(coding) })), bytes)).toBe(
    'base64',
  );
});

test('bytes are not found as base64 in what is labelled as bytes', () => {
  const coded = answered(Buffer.from(bytes).toString('base64'));
  const labelled = (type: string): Exchange => ({
    ...coded,
    ...(coded.response && { response: { ...coded.response, headers: [['content-type', type]] } }),
  });
  expect(findBytes(labelled('application/octet-stream'), bytes)).toBeUndefined();
  expect(findBytes(labelled('text/plain'), bytes)).toBe('base64');
});

test('bytes are not found in an answer that holds more, or that is an error', () => {
  expect(findBytes(answered(Uint8Array.of(...bytes, 1)), bytes)).toBeUndefined();
  expect(findBytes(answered(bytes, 404), bytes)).toBeUndefined();
});

test('no bytes are found in an empty body alone', () => {
  expect(findBytes(answered(''), new Uint8Array())).toBe('bytes');
  expect(findBytes(answered('{}'), new Uint8Array())).toBeUndefined();
});

test.each([
  [answered(Buffer.from(Buffer.from(bytes).toString('utf8'))), /^200 with 12 bytes: .* decoded as text$/],
  [answered(bytes.subarray(0, 3)), /^200 with 3 bytes, other from byte 3 on$/],
  [answered(Uint8Array.of(...bytes, 1)), /^200 with 7 bytes, which begin with them$/],
  [answered('', 404), /^404$/],
])('what an answer holds instead is described: case %#', (exchange, expected) => {
  expect(describeContent(exchange, bytes)).toMatch(expected);
});
