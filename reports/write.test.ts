import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readStoredResult } from '../fixtures/check/stored-result.ts';
import { reportFiles } from './files.ts';
import { junit } from './junit.ts';
import { sampleResult, sampleRun } from './sample.ts';
import { writeReports } from './write.ts';

test('the reports are written into a folder that need not be there, and their paths returned', () => {
  const root = mkdtempSync(join(tmpdir(), 'assay reports '));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const run = sampleRun([sampleResult({ outcome: 'fail' })]);
  const out = join(root, 'some', 'out');

  const paths = writeReports(run, out);

  expect(paths).toEqual(reportFiles.map(({ name }) => join(out, name)));
  expect(readdirSync(out).sort()).toEqual(['junit.xml', 'result.json']);
  expect(readStoredResult(join(out, 'result.json'), 'report')).toEqual(run);
  expect(readFileSync(join(out, 'junit.xml'), 'utf8')).toBe(junit(run));
});
