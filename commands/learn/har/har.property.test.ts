import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { ConfigurationError } from '../../../engine/values/configuration-error.ts';
import { createEntrySplitter } from './json-entries.ts';
import { observedCallIn, readHar } from './read-har.ts';

const folder = mkdtempSync(join(tmpdir(), 'har-property-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Entries of a HAR, or the one line that says why it is none. */
async function read(content: string | Uint8Array): Promise<unknown[] | string> {
  const path = join(folder, 'some.har');
  writeFileSync(path, content);
  const entries: unknown[] = [];
  try {
    await readHar(path, (entry) => void entries.push(entry));
    return entries;
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError);
    const { lines } = error as ConfigurationError;
    expect(lines).toHaveLength(1);
    return lines[0] ?? '';
  }
}

const space = fc.constantFrom('', ' ', '\n\t', '\r\n');
const entry = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 })),
);

test('any bytes are a HAR, or one line that says why they are none', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 120 }), async (bytes) => {
      await read(bytes);
    }),
    { numRuns: 150 },
  );
});

/** As of a call: what is looked at, and values beside. */
const call = fc.record({
  request: entry,
  time: fc.oneof(fc.double({ noDefaultInfinity: true, noNaN: true }), fc.constant(null)),
  comment: fc.string({ unit: 'binary' }),
  response: entry,
});

test('whatever a call holds, and however it is written, it is read as JSON reads it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(call, { maxLength: 5 }), space, space, async (entries, a, b) => {
      const before = JSON.stringify({ version: '1.2', creator: { entries: ['not these'] } }).slice(0, -1);
      const list = entries.map((each) => JSON.stringify(each)).join(`${a},${b}`);
      const text = `${a}{"log":${b}${before},"entries"${a}:[${b}${list}${a}],"comment":"]}"}${b}}`;
      expect(await read(text)).toEqual(JSON.parse(text).log.entries);
    }),
    { numRuns: 150 },
  );
});

test('a HAR that ends too early never yields an entry that was not whole', async () => {
  const whole = JSON.stringify({ log: { entries: [{ a: '"]}\\' }, { b: [1, { c: '漢' }] }, 'd'] } });
  const bytes = Buffer.from(whole);
  await fc.assert(
    fc.asyncProperty(fc.nat(bytes.length - 1), async (at) => {
      expect(await read(bytes.subarray(0, at))).toBeTypeOf('string');
    }),
    { numRuns: 80 },
  );
});

test('where a chunk ends makes no difference', () => {
  const entries = [
    { request: { a: 'é"\\u0041' } },
    { pageref: 'x', response: [[]] },
    { _other: {}, time: 1 },
  ];
  const bytes = Buffer.from(JSON.stringify({ log: { entries } }));
  fc.assert(
    fc.property(fc.array(fc.nat(bytes.length), { maxLength: 6 }), (cuts) => {
      const found: unknown[] = [];
      const splitter = createEntrySplitter(
        (each) => void found.push(JSON.parse(Buffer.from(each).toString())),
      );
      const ends = [0, ...cuts.sort((a, b) => a - b), bytes.length];
      for (const [nth, end] of ends.entries()) splitter.write(bytes.subarray(ends[nth - 1] ?? 0, end));
      expect(found).toEqual(entries);
    }),
  );
});

test('an entry of any shape is a call, or none', () => {
  const shape = fc.record(
    {
      request: fc.oneof(
        entry,
        fc.record({
          method: fc.string(),
          url: fc.webUrl(),
          headers: fc.jsonValue(),
          postData: fc.jsonValue(),
        }),
      ),
      response: fc.oneof(
        entry,
        fc.record({ status: fc.jsonValue(), headers: fc.jsonValue(), content: fc.jsonValue() }),
      ),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.oneof(shape, entry), (given) => {
      const observedCall = observedCallIn(JSON.parse(JSON.stringify(given)), 'a.har');
      expect(() => [observedCall?.request.body, observedCall?.answer.body]).not.toThrow();
    }),
    { numRuns: 300 },
  );
});
