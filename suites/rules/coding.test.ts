import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import type { Ask } from '../../engine/http/ask.ts';
import type { Response, Wire } from '../../engine/http/exchange.ts';
import { type Answer, rehearse } from '../../fixtures/kit/rule-rehearsal.ts';
import { coding, undeclared, undecodable } from './coding.ts';

const { config } = areas.general;
const isCoded = ({ headers = [] }: Ask) => headers.some(([name]) => name === 'accept-encoding');
const gzip = { coding: 'gzip', bytes: 9 };
const put = (plain: Answer, coded: Answer) => (ask: Ask) => (isCoded(ask) ? coded : plain);

test.each([
  ['the same content', { body: { a: 1 } }, { body: { a: 1 }, wire: gzip }, 'pass'],
  ['no coding', { body: { a: 1 } }, { body: { a: 1 } }, 'not-triggered'],
  [
    'a file stored compressed, for every caller',
    { body: { a: 1 }, wire: gzip },
    { body: { a: 1 }, wire: gzip },
    'pass',
  ],
  ['other content', { body: { a: 1 } }, { body: { a: 2 }, wire: gzip }, 'violation'],
  ['content that is cut', { body: '{"a":1}' }, { body: '{"a"', wire: gzip }, 'violation'],
  [
    'bytes that do not decode',
    { body: {} },
    { body: 'x', wire: { ...gzip, codingError: 'broken gzip: x' } },
    'violation',
  ],
  [
    'a coding nobody knows',
    { body: {} },
    { body: {}, wire: { coding: 'aws-chunked', codingError: 'unknown coding "aws-chunked"' } },
    'warning',
  ],
  ['gzip that says nothing', { body: {} }, { body: Uint8Array.from([0x1f, 0x8b, 8]) }, 'violation'],
  ['a rate limit', { body: {} }, { status: 429 }, 'rate-limited'],
  ['a refused read', { status: 404 }, {}, 'prerequisite-failed'],
] as [string, Answer, Answer, string][])('returns $3 for $0', async (_, plain, coded, expected) => {
  expect((await rehearse(coding, config, put(plain, coded))).verdict).toBe(expected);
});

test('a clock, a lot drawn each time, and one change of the content accuse nobody', async () => {
  let now = 0;
  const clock = (ask: Ask) => ({ body: { at: now++, a: 1 }, ...(isCoded(ask) && { wire: gzip }) });
  expect((await rehearse(coding, config, clock)).verdict).toBe('pass');
  const lots = [1, 2, 1, 2, 2, 1, 2, 1];
  const lot = (ask: Ask) => ({ body: { lot: lots.shift() }, ...(isCoded(ask) && { wire: gzip }) });
  expect((await rehearse(coding, config, lot)).verdict).toBe('pass');
  let asked = 0;
  const changed = (ask: Ask) => ({ body: { a: asked++ > 0 }, ...(isCoded(ask) && { wire: gzip }) });
  expect((await rehearse(coding, config, changed)).verdict).toBe('pass');
});

test('where nothing differs two requests are enough', async () => {
  const { asked } = await rehearse(
    coding,
    areas.clientData.catalog,
    put({ body: {} }, { body: {}, wire: gzip }),
  );
  expect(asked.length).toBe(2);
});

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
