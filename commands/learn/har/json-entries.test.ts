import { expect, test } from 'vitest';
import { createEntrySplitter } from './json-entries.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);

function split(text: string, { chunk = 1 << 20, largestEntry = 1 << 20 } = {}) {
  const entries: unknown[] = [];
  const take = (bytes: Uint8Array) => entries.push(JSON.parse(new TextDecoder().decode(bytes)));
  const splitter = createEntrySplitter(take, largestEntry);
  const bytes = bytesOf(text);
  let mistake: string | undefined;
  for (let at = 0; at < bytes.length && !mistake; at += chunk)
    mistake = splitter.write(bytes.subarray(at, at + chunk));
  const { whole, skipped } = splitter.seen();
  return { entries, mistake, whole, skipped };
}

const har = (...entries: readonly unknown[]) => JSON.stringify({ log: { version: '1.2', entries } });
const call = (url: string, text = '{}') => ({ request: { url }, response: { content: { text } } });

test('hands over every entry, wherever the chunks end', () => {
  const entries = [call('a'), call('b "{[', '{"quoted": "\\"}]"}'), call('ü € 𝄞')];
  for (const chunk of [1, 2, 3, 7, 64, 4096]) {
    const found = split(`\uFEFF \n${har(...entries)}\n`, { chunk });
    expect(found, `chunks of ${chunk}`).toEqual({ entries, mistake: undefined, whole: true, skipped: 0 });
  }
});

test('what is called entries elsewhere is none of them', () => {
  const text = JSON.stringify({
    entries: [call('outside')],
    log: { creator: { entries: [call('too deep')] }, pages: [{ entries: [1] }], entries: [call('a')] },
    other: { entries: [call('not of the log')] },
  });
  expect(split(text).entries).toEqual([call('a')]);
});

test('members after the list, and members of an entry in any order, change nothing', () => {
  const entry = '{"response":{"status":200},"cache":{},"request":{"url":"a"},"time":1}';
  const { entries } = split(`{"log":{"entries":[${entry},${entry}],"comment":"]}"}}`);
  expect(entries).toEqual(
    Array(2).fill({ response: { status: 200 }, cache: {}, request: { url: 'a' }, time: 1 }),
  );
});

test('an entry beyond the bound is skipped and counted, the next one is not', () => {
  const found = split(har(call('a', 'x'.repeat(5_000)), call('b')), { chunk: 100, largestEntry: 1_000 });
  expect(found).toMatchObject({ entries: [call('b')], skipped: 1 });
});

test('recognises what is no JSON, and JSON that can be no HAR, from the first byte', () => {
  expect(split('hello').mistake).toBe('not JSON');
  expect(split('<html>').mistake).toBe('not JSON');
  expect(split('\uFFFD\u0000').mistake).toBe('not JSON');
  expect(split('[]').mistake).toBe('no HAR');
  expect(split('{} {}').mistake).toBe('not JSON');
});

test('a text that ends in the middle is not whole; one without the list has no entries', () => {
  expect(split(har(call('a')).slice(0, -3)).whole).toBe(false);
  const none = createEntrySplitter(() => {});
  none.write(bytesOf('{"log":{"pages":[]}}'));
  expect(none.seen()).toEqual({ entries: false, whole: true, skipped: 0 });
});
