import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../fixtures/kit/scratch.ts';
import { openJournal, readJournal } from './journal.ts';
import type { Result } from './result.ts';

function fileOf(text = ''): string {
  const folder = scratchFolder();
  const path = join(folder, 'results.jsonl');
  writeFileSync(path, text);
  return path;
}

const result = (id: string, detail = 'ü'): Result => ({
  id,
  title: 't',
  operation: 'a.b',
  host: 'base',
  clause: 'c',
  level: 'documented',
  outcome: 'pass',
  detail,
  rerun: 'r',
  startedAt: 's',
  durationMs: 1,
});

test('a result is on disk the moment it is written', async () => {
  const path = fileOf();
  const journal = openJournal(path);
  journal.write(result('a'));
  await new Promise(setImmediate);
  expect(readFileSync(path, 'utf8')).toBe(`${JSON.stringify(result('a'))}\n`);
  journal.write(result('b'));
  journal.close();
  expect([...readJournal(path)]).toEqual([
    ['a', result('a')],
    ['b', result('b')],
  ]);
});

test('a last line that was cut off is left out', () => {
  const path = fileOf();
  const journal = openJournal(path);
  journal.write(result('a'));
  journal.close();
  appendFileSync(path, JSON.stringify(result('b')).slice(0, -9));
  expect([...readJournal(path).keys()]).toEqual(['a']);
});

test('a line cut off inside a character is left out', () => {
  const line = Buffer.from(JSON.stringify(result('b')));
  const path = fileOf(`${JSON.stringify(result('a'))}\n`);
  appendFileSync(path, line.subarray(0, line.indexOf(0xc3) + 1));
  expect([...readJournal(path).keys()]).toEqual(['a']);
});

test('what follows half a line is read', () => {
  const path = fileOf(`{"id":"a","ti\n${JSON.stringify(result('b'))}\n`);
  expect([...readJournal(path).keys()]).toEqual(['b']);
});

test('the last word on a check counts', () => {
  const path = fileOf(`${JSON.stringify(result('a', 'first'))}\n${JSON.stringify(result('a', 'last'))}\n`);
  expect(readJournal(path).get('a')?.detail).toBe('last');
});

test('a line break inside a text stays inside its line', () => {
  const path = fileOf();
  const journal = openJournal(path);
  journal.write(result('a', 'one\ntwo\u2028three'));
  journal.close();
  expect(readJournal(path).get('a')?.detail).toBe('one\ntwo\u2028three');
});

test('an empty journal holds nothing', () => {
  expect(readJournal(fileOf()).size).toBe(0);
});
