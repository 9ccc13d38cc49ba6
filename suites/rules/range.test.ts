import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import type { Ask } from '../../engine/http/ask.ts';
import { type Answer, rehearse, type Script } from '../../fixtures/kit/rule-rehearsal.ts';
import { range, wrongRange } from './range.ts';

const { catalog } = areas.clientData;
const file = Buffer.from('0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ');

const askedFor = ({ headers = [] }: Ask) =>
  /^bytes=(\d+)-(\d+)$/.exec(headers.find(([name]) => name === 'range')?.[1] ?? '');
const part = (start: number, end: number, of: Uint8Array): Answer => ({
  status: 206,
  headers: { 'content-range': `bytes ${start}-${end}/${of.length}` },
  body: of.slice(start, end + 1),
});
const ranged =
  (answer: (start: number, end: number) => Answer, whole: Uint8Array = file): Script =>
  (ask) => {
    const [, start, end] = askedFor(ask) ?? [];
    return start === undefined ? { body: whole } : answer(Number(start), Number(end));
  };

test.each([
  ['the parts', (start, end) => part(start, end, file), 'pass'],
  ['the whole file', () => ({ body: file }), 'not-triggered'],
  [
    'the first bytes whatever was asked',
    (start, end) => ({ ...part(start, end, file), body: file.slice(0, 16) }),
    'violation',
  ],
  ['a length that is wrong', (start, end) => part(start, end, file.subarray(0, 50)), 'violation'],
  ['all but the last byte of each', (start, end) => part(start, end - 1, file), 'warning'],
  ['a few of the bytes', (start) => part(start, start + 7, file), 'pass'],
  ['416', () => ({ status: 416 }), 'violation'],
  ['a server error', () => ({ status: 500 }), 'violation'],
  ['a firewall that dislikes it', () => ({ status: 403 }), 'unstable-answers'],
  ['a rate limit', () => ({ status: 429 }), 'rate-limited'],
  [
    'a part that is compressed',
    (start, end) => ({ ...part(start, end, file), wire: { coding: 'gzip' } }),
    'not-triggered',
  ],
] as [string, (start: number, end: number) => Answer, string][])(
  'returns $2 for $0',
  async (_, answer, expected) => {
    expect((await rehearse(range, catalog, ranged(answer))).verdict).toBe(expected);
  },
);

test.each([
  ['the last bytes', (count: number) => part(file.length - count, file.length - 1, file), 'pass'],
  ['the first bytes', (count: number) => part(0, count, file), 'violation'],
])(
  'every second file is asked for its last bytes by their number, and answers with %s',
  async (_, answer, expected) => {
    const asked: string[] = [];
    const script: Script = ({ headers = [] }) => {
      const value = headers.find(([name]) => name === 'range')?.[1];
      if (value === undefined) return { body: file };
      asked.push(value);
      const [, count] = /^bytes=-(\d+)$/.exec(value) ?? [];
      return count === undefined ? part(0, 15, file) : answer(Number(count));
    };
    expect((await rehearse(range, areas.clientData.storyJournals, script)).verdict).toBe(expected);
    expect(asked).toEqual(['bytes=0-15', 'bytes=-16']);
  },
);

test('a short file is asked for what it has', async () => {
  const short = file.subarray(0, 3);
  expect(
    (
      await rehearse(
        range,
        catalog,
        ranged((start, end) => part(start, end, short), short),
      )
    ).verdict,
  ).toBe('pass');
});

test('an empty file, and one stored compressed, have no parts to compare', async () => {
  expect((await rehearse(range, catalog, () => ({ body: '' }))).verdict).toBe('not-triggered');
  expect((await rehearse(range, catalog, () => ({ status: 203, body: file }))).verdict).toBe('not-triggered');
  expect((await rehearse(range, catalog, () => ({ body: file, wire: { coding: 'gzip' } }))).verdict).toBe(
    'not-triggered',
  );
});

test('a file that is replaced in the meantime accuses nobody', async () => {
  const other = Buffer.from('x'.repeat(40));
  const replaced: Script = (ask) =>
    ask.nth ? { body: other } : ranged((start, end) => part(start, end, other))(ask, catalog);
  expect((await rehearse(range, catalog, replaced)).verdict).toBe('unstable-answers');
});

const letters = Buffer.from('0123456789abcdefghijklmnopqrstuvwxyz');
const asked = { start: 10, end: 13 };

const answer = (status: number, body: string, contentRange?: string, type = 'application/json') => ({
  status,
  headers: [
    ['content-type', type] as const,
    ...(contentRange === undefined ? [] : [['content-range', contentRange] as const]),
  ],
  body: Buffer.from(body),
  wire: { bytes: body.length },
});

test.each([
  ['the part', answer(206, 'abcd', 'bytes 10-13/36')],
  ['the part of a file of unknown length', answer(206, 'abcd', 'bytes 10-13/*')],
  ['less than was asked for', answer(206, 'ab', 'bytes 10-11/36')],
  ['the whole file', answer(200, letters.toString())],
  ['a shorter file that has replaced it', answer(200, 'zzzz')],
])('%s is right', (_, response) => {
  expect(wrongRange(response, asked, letters)).toBeUndefined();
});

test.each([
  ['other bytes', answer(206, '0123', 'bytes 10-13/36'), 'other bytes than the whole file holds there'],
  ['a wrong total', answer(206, 'abcd', 'bytes 10-13/4'), 'bytes 10-13/4'],
  ['an end that is off by one', answer(206, 'abcd', 'bytes 10-14/36'), 'bytes 10-14/36'],
  ['another part', answer(206, '0123', 'bytes 0-3/36'), 'bytes 0-3/36'],
  ['more bytes than it says', answer(206, 'abcde', 'bytes 10-13/36'), '5 bytes'],
  ['no Content-Range', answer(206, 'abcd'), '206 without Content-Range'],
  ['a Content-Range that cannot be read', answer(206, 'abcd', '10-13'), '10-13'],
  [
    'several parts',
    answer(206, '--x', undefined, 'multipart/byteranges; boundary=x'),
    'multipart/byteranges',
  ],
  ['a part as the whole', answer(200, 'abcd'), '200 with the part alone'],
  ['416', answer(416, '', 'bytes */36'), '416, though the range is satisfiable'],
  ['a server error', answer(500, ''), '500'],
])('%s is wrong', (_, response, actual) => {
  expect(wrongRange(response, asked, letters)?.actual).toBe(actual);
});
