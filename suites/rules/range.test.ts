import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import type { Ask } from '../../engine/http/ask.ts';
import { type Answer, rehearse, type Script } from '../../fixtures/kit/rule-rehearsal.ts';
import { range } from './range.ts';

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
  ['416', () => ({ status: 416 }), 'violation'],
  ['a server error', () => ({ status: 500 }), 'violation'],
  ['a firewall that dislikes it', () => ({ status: 403 }), 'unstable-answers'],
  ['a rate limit', () => ({ status: 429 }), 'rate-limited'],
  [
    'a part that is compressed',
    (start, end) => ({ ...part(start, end, file), wire: { coding: 'gzip' } }),
    'not-triggered',
  ],
] as [string, (start: number, end: number) => Answer, string][])('%s', async (_, answer, expected) => {
  expect((await rehearse(range, catalog, ranged(answer))).verdict).toBe(expected);
});

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
