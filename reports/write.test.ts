import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readStoredResult } from '../engine/run/stored-result.ts';
import { sampleResult, sampleRun } from '../fixtures/kit/sample-run.ts';
import { scratchFolder } from '../fixtures/kit/scratch.ts';
import { junit } from './ci/junit.ts';
import { filesOf, reportFiles } from './files.ts';
import { portableJson, writeReports, writeResult } from './write.ts';

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

const sound = sampleRun([sampleResult({ outcome: 'fail' }), sampleResult({ id: 'me.logout#routed' })]);

test('a result is read back as it was written, hostile characters included', () => {
  const path = join(scratchFolder(), 'deep', 'er', 'result.json');
  const hostile = sampleRun([sampleResult({ outcome: 'fail', actual: '\0\x1b[2J\u202E\uD800]]>🦊' })]);
  writeResult(hostile, path);
  expect(readStoredResult(path, 'report')).toEqual(hostile);
});

test.each([0, 1, 300])('a result of %i checks is written as JSON with an indentation of one', (count) => {
  const path = join(scratchFolder(), 'result.json');
  const checks = Array.from({ length: count }, (_, nth) =>
    sampleResult({ id: `me.logout#${nth}`, outcome: 'fail', actual: ' "checks": [\n]' }),
  );
  const run = sampleRun(checks);
  writeResult(run, path);
  expect(readFileSync(path, 'utf8')).toBe(`${JSON.stringify(run, null, 1)}\n`);
});

test('writing leaves no unfinished file behind, and replaces the result before', () => {
  const out = scratchFolder();
  writeResult(sampleRun([]), join(out, 'result.json'));
  writeResult(sound, join(out, 'result.json'));
  expect(readdirSync(out)).toEqual(['result.json']);
  expect(readStoredResult(join(out, 'result.json'), 'report').checks).toHaveLength(2);
});

test('a result that cannot be put in place leaves nothing half written', () => {
  const out = scratchFolder();
  mkdirSync(join(out, 'result.json', 'occupied'), { recursive: true });
  expect(() => writeResult(sound, join(out, 'result.json'))).toThrow();
  expect(readdirSync(out)).toEqual(['result.json']);
});

test('the file is JSON that other tools read', () => {
  const path = join(scratchFolder(), 'result.json');
  writeResult(sound, path);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ schema: 'assay.result/1', exitCode: 1 });
});

test('half a surrogate pair is replaced, all else is kept', () => {
  const value = { a: '\uD800x\uDC00', b: '🦊\u{10FFFF}', c: '\\ud800 \\\\ud800', d: '\u0000\n' };
  expect(JSON.parse(portableJson(value))).toEqual({ ...value, a: '\uFFFDx\uFFFD' });
});
