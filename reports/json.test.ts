import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readResult, UnreadableResult, writeResult } from './json.ts';
import { sampleResult, sampleRun } from './sample.ts';

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'assay json '));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

/** What reading a file with this text complains about, its path left out. */
function complaint(text: string, limit?: number): string {
  const path = join(folder(), 'result.json');
  writeFileSync(path, text);
  try {
    readResult(path, limit);
  } catch (error) {
    expect(error).toBeInstanceOf(UnreadableResult);
    return (error as Error).message.replace(`${path}: `, '');
  }
  return 'none';
}

const sound = sampleRun([sampleResult({ outcome: 'fail' }), sampleResult({ id: 'me.logout#routed' })]);
const broken = (over: object) => complaint(JSON.stringify({ ...sound, ...over }));

test('a result is read back as it was written, hostile characters included', () => {
  const path = join(folder(), 'deep', 'er', 'result.json');
  const hostile = sampleRun([sampleResult({ outcome: 'fail', actual: '\0\x1b[2J\u202E\uD800]]>🦊' })]);
  writeResult(hostile, path);
  expect(readResult(path)).toEqual(hostile);
});

test('writing leaves no unfinished file behind, and replaces the result before', () => {
  const out = folder();
  writeResult(sampleRun([]), join(out, 'result.json'));
  writeResult(sound, join(out, 'result.json'));
  expect(readdirSync(out)).toEqual(['result.json']);
  expect(readResult(join(out, 'result.json')).checks).toHaveLength(2);
});

test('a result that cannot be put in place leaves nothing half written', () => {
  const out = folder();
  mkdirSync(join(out, 'result.json', 'occupied'), { recursive: true });
  expect(() => writeResult(sound, join(out, 'result.json'))).toThrow();
  expect(readdirSync(out)).toEqual(['result.json']);
});

test('an operation may be one id or several', () => {
  expect(broken({ checks: [sampleResult({ operation: ['party.create', 'party.get'] })] })).toBe('none');
});

test.each([
  [{ schema: 'assay.result/2' }, 'schema is "assay.result/2", expected "assay.result/1"'],
  [{ target: 'http://h' }, 'target is "http://h", expected an object'],
  [{ target: { embedded: 'no' } }, 'target.embedded is "no", expected true or false'],
  [{ startedAt: 'yesterday' }, 'startedAt is "yesterday", expected a time (ISO 8601)'],
  [{ durationMs: -1 }, 'durationMs is -1, expected a number from 0'],
  [{ summary: {} }, 'summary.fail is missing, expected a number from 0'],
  [{ judgedShare: { base: 7 } }, 'judgedShare is {"base":7}, expected a number from 0 to 1 for each host'],
  [{ checks: {} }, 'checks is {}, expected a list'],
  [{ checks: [sampleResult(), null] }, 'checks[1] is null, expected an object'],
  [
    { checks: [sampleResult(), { ...sampleResult(), level: 'strict' }] },
    'checks[1].level is "strict", expected "documented" or "profile" or "standard" or "inferred" or "open"',
  ],
  [{ checks: [{ ...sampleResult(), curl: 7 }] }, 'checks[0].curl is 7, expected a string, or nothing'],
  [
    { checks: [{ ...sampleResult(), operation: [7] }] },
    'checks[0].operation is [7], expected an operation id or a list of them',
  ],
])('%j is told with its place', (over, said) => {
  expect(broken(over)).toBe(said);
});

test('another file than a result is told in one line', () => {
  expect(complaint('[]')).toBe('the whole file is [], expected an object');
  expect(complaint('')).toMatch(/^is not JSON: /);
  expect(complaint('{\n"a":\n\x1b[31m}')).toMatch(/^is not JSON: [^\n\x1b]+$/);
});

test('a file past the limit is refused unread', () => {
  expect(complaint(JSON.stringify(sound), 100)).toMatch(/^holds \d+ bytes, more than the 100 Assay reads$/);
});

test('a file that is not there, and a folder, are told', () => {
  const out = folder();
  expect(() => readResult(join(out, 'none.json'))).toThrow('none.json: does not exist; a run writes it into');
  expect(() => readResult(out)).toThrow('is not a file; give the result.json of a run');
});

test('the file is JSON that other tools read', () => {
  const path = join(folder(), 'result.json');
  writeResult(sound, path);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ schema: 'assay.result/1', exitCode: 1 });
});
