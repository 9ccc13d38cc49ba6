// The tables of docs/results.md, docs/ci.md and docs/load.md hold every word that `npm run explain` knows of their kind.
import { expect, test } from 'vitest';
import { codeOf, rowsBelow } from '../fixtures/kit/markdown.ts';
import { verdictWords } from '../reports/explain/glossaries.ts';
import { formats, reportFiles } from '../reports/files.ts';

const results = 'docs/results.md';

/** All words of the kind that one of them is of. */
const likeOf = (word: string) => [...(verdictWords.find((words) => words.has(word))?.keys() ?? [])].sort();
const firstCells = (page: string, heading: string) => rowsBelow(page, heading).map(([first = '']) => first);
const firstCodes = (page: string, heading: string) => firstCells(page, heading).flatMap(codeOf);

test('every outcome, level and exit code is described', () => {
  expect(firstCodes(results, '## What is the outcome of a check?').sort()).toEqual(likeOf('pass'));
  expect(firstCodes(results, '## Which rules fail, and which warn?').sort()).toEqual(likeOf('documented'));
  expect(firstCells(results, '## When is a run green?').sort()).toEqual(likeOf('130'));
});

test('every verdict of a load and of a capacity is described', () => {
  expect(firstCodes('docs/load.md', '## What does the verdict mean?').sort()).toEqual(likeOf('FOUND'));
});

test('the reasons that the triage names are reasons', () => {
  const named = firstCodes(results, '## 200 inconclusive: what first?');
  expect(named.length).toBeGreaterThan(8);
  expect(likeOf('needs-body')).toEqual(expect.arrayContaining(named));
});

test('every file of a run is described', () => {
  const names = [...reportFiles, ...Object.values(formats)].map(({ name }) => name);
  const described = firstCodes(results, '# How do I read a result?').filter((code) => !code.startsWith('--'));
  expect(described.sort()).toEqual([...names, 'results.jsonl', 'run.json'].sort());
});
