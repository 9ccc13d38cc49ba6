import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readStoredResult } from '../engine/run/stored-result.ts';
import { sampleResult, sampleRun } from '../fixtures/kit/sample-run.ts';
import { scratchFolder } from '../fixtures/kit/scratch.ts';
import { junit } from './ci/junit.ts';
import { filesOf, reportFiles } from './files.ts';
import { writeReports } from './write.ts';

test('the reports are written into a folder that need not be there, and their paths returned', () => {
  const root = scratchFolder();
  const run = sampleRun([sampleResult({ outcome: 'fail' })]);
  const out = join(root, 'some', 'out');

  const paths = writeReports(run, out);

  expect(paths).toEqual(reportFiles.map(({ name }) => join(out, name)));
  expect(readdirSync(out).sort()).toEqual(
    [...reportFiles.map(({ name }) => name), 'results.jsonl', 'run.json'].sort(),
  );
  expect(readStoredResult(join(out, 'result.json'), 'report')).toEqual(run);
  expect(readFileSync(join(out, 'junit.xml'), 'utf8')).toBe(junit(run));
});

test('run.json holds the run, and results.jsonl its checks, a line each', () => {
  const out = scratchFolder();
  const run = sampleRun([
    sampleResult({ outcome: 'fail', actual: 'one\ntwo' }),
    sampleResult({ id: 'a.b#d' }),
  ]);
  writeReports(run, out);
  const head = JSON.parse(readFileSync(join(out, 'run.json'), 'utf8'));
  const lines = readFileSync(join(out, 'results.jsonl'), 'utf8').trimEnd().split('\n');
  expect({ ...head, checks: lines.map((line) => JSON.parse(line)) }).toEqual(run);
});

test('formats that were asked for are written beside the usual files', () => {
  const out = scratchFolder();
  const paths = writeReports(sampleRun([sampleResult({ outcome: 'fail' })]), out, ['ctrf', 'har', 'gitlab']);
  expect(paths).toEqual(filesOf(['ctrf', 'har', 'gitlab']).map(({ name }) => join(out, name)));
  for (const name of ['ctrf.json', 'failures.har', 'gl-code-quality.json', 'results.sarif'])
    expect(JSON.parse(readFileSync(join(out, name), 'utf8'))).toBeTypeOf('object');
});
