import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { ran } from '../../fixtures/kit/assembled.ts';
import { scratchFolder } from '../../fixtures/kit/scratch.ts';
import { ConfigurationError } from '../values/configuration-error.ts';
import { decompressed, readStoredResult, withLaterMembers } from './stored-result.ts';

const plain = Buffer.from('{"schema":"assay.result/1"}');
const frame = zstdCompressSync(plain);
const skipped = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]);

test.each([
  ['plain bytes', plain],
  ['gzip', gzipSync(plain)],
  ['zstd', frame],
  ['zstd behind a frame that is skipped', Buffer.concat([skipped, frame])],
])('%s are read', (_, raw) => {
  expect(decompressed(raw, 1_000)).toEqual(plain);
});

test('nothing is too short to be distinguished from compressed bytes', () => {
  expect(decompressed(Buffer.from([0x1f]), 1_000)).toEqual(Buffer.from([0x1f]));
});

test.each([
  ['gzip', gzipSync],
  ['zstd', zstdCompressSync],
])('what %s would blow up is refused', (_, compress) => {
  expect(() => decompressed(compress(Buffer.alloc(1e6)), 1_000)).toThrow(
    'holds more than 1000 bytes once decompressed',
  );
});

test.each([
  ['gzip', gzipSync(plain).subarray(0, -9)],
  ['zstd', frame.subarray(0, -3)],
])('%s that was cut off is refused', (_, raw) => {
  expect(() => decompressed(raw, 1_000)).toThrow('cannot be decompressed; it may have been cut off');
});

test('a result of today is left as it is', () => {
  const today = { ...ran(['pass', 'fail']), leftBehind: ['a party'], ledger: { 'a#b': '401' } };
  expect(withLaterMembers(today)).toEqual(today);
});

test('what an older one lacks is what it would have held', () => {
  const { leftBehind: _, waivers: __, ledger: ___, options, ...old } = ran(['observed', 'pass']);
  const { rerun: ____, ...asked } = options;
  const checks = old.checks.map((check) =>
    check.outcome === 'observed' ? { ...check, behaviour: '401' } : check,
  );
  expect(withLaterMembers({ ...old, checks, options: asked })).toMatchObject({
    leftBehind: [],
    waivers: [],
    ledger: { 'area.op0#routed': '401' },
    options: { rerun: false },
  });
});

/** What reading this file complains about, its name left out. */
function complaint(path: string, limit?: number): string {
  try {
    readStoredResult(path, '--baseline', limit);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError);
    return (error as Error).message.replace(`--baseline: "${path}" `, '');
  }
  return 'none';
}

function complaintOf(text: string, limit?: number): string {
  const path = join(scratchFolder(), 'r.json');
  writeFileSync(path, text);
  return complaint(path, limit);
}

const sound = ran(['pass', 'fail']);
const first = sound.checks[0];
const broken = (over: object) => complaintOf(JSON.stringify({ ...sound, ...over }));

test('a sound result is read', () => {
  const path = join(scratchFolder(), 'r.json');
  writeFileSync(path, JSON.stringify(sound));
  expect(readStoredResult(path, '--baseline')).toEqual(sound);
});

test('what a later Assay adds is let pass', () => {
  expect(broken({ weather: 'fine' })).toBe('none');
});

test('an operation may be one id or several', () => {
  expect(broken({ checks: [{ ...first, operation: ['party.create', 'party.get'] }] })).toBe('none');
});

test.each([
  [{ schema: 'assay.result/2' }, 'schema is "assay.result/2", expected "assay.result/1"'],
  [{ target: 'http://h' }, 'target is "http://h": it must be object'],
  [{ target: { embedded: 'no' } }, 'target.embedded is "no": it must be boolean'],
  [{ startedAt: 'yesterday' }, 'startedAt is "yesterday": it must match format "date-time"'],
  [{ durationMs: -1 }, 'durationMs is -1: it must be >= 0'],
  [{ summary: {} }, 'summary has no "fail"'],
  [{ judgedShare: { base: 7 } }, 'judgedShare.base is 7: it must be <= 1'],
  [{ options: { ...sound.options, only: 'x' } }, 'options.only is "x": it must be array'],
  [{ waivers: [{}] }, 'waivers[0] has no "reason"'],
  [{ baseline: { startedAt: 'x' } }, 'baseline has no "runId"'],
  [{ checks: {} }, 'checks is an object: it must be array'],
  [{ checks: [first, null] }, 'checks[1] is null: it must be object'],
  [
    { checks: [first, { ...first, level: 'strict' }] },
    'checks[1].level is "strict", expected one of documented, profile, standard, inferred, open',
  ],
  [{ checks: [{ ...first, curl: 7 }] }, 'checks[0].curl is 7: it must be string'],
  [{ checks: [{ ...first, waived: true }] }, 'checks[0].waived is true: it must be object'],
  [{ checks: [{ ...first, operation: [7] }] }, 'checks[0].operation is a list: it must be string'],
])('%j is reported with its place', (over, said) => {
  expect(broken(over)).toBe(`is no result of this version of Assay: ${said}`);
});

test.each([
  [{ name: 'x', version: '1' }, 'is a package.json; give a result.json that a run wrote'],
  [{ schema: 'assay.load/1' }, 'is the load.json of a load; give a result.json that a run wrote'],
  [
    { log: { entries: [] } },
    'is a HAR capture, which learn --har reads; give a result.json that a run wrote',
  ],
  [{ operations: {} }, 'is a profile; give a result.json that a run wrote'],
  [{ a: 1 }, 'is no result: it is JSON without a "schema"; give a result.json that a run wrote'],
])('%j is called what it is, with what to give instead', (file, said) => {
  expect(complaintOf(JSON.stringify(file))).toBe(said);
});

test('the part of a result that lies beside it is called by its name', () => {
  const { checks: _, ...head } = sound;
  expect(complaintOf(JSON.stringify(head))).toBe(
    'is a run.json, which lacks the checks; give the result.json beside it',
  );
});

test('another file than a result is reported in one printable line', () => {
  expect(complaintOf('[]')).toMatch(/^is no result .*: the whole file is a list: it must be object$/);
  const noJson = 'is not JSON; give a result.json that a run wrote';
  expect(complaintOf('')).toBe('is empty; give a result.json that a run wrote');
  expect(complaintOf('{\n"a":\n\x1b[31m}')).toBe(noJson);
  expect(broken({ schema: '\x1b[2J\u202e\n'.repeat(50) })).toMatch(/^is no [^\n\x1b\u202e]{20,250}$/);
});

test('a file past the limit is refused unread', () => {
  expect(complaintOf(JSON.stringify(sound), 100)).toMatch(/^holds \d+ bytes, more than the 100 Assay reads$/);
});

test('a file that is not there, a folder and a device are reported', () => {
  const out = scratchFolder();
  expect(complaint(join(out, 'none.json'))).toBe(
    'does not exist; a run writes result.json into its --out folder',
  );
  expect(complaint(out)).toBe('is not a file; give the result.json of a run');
  expect(complaint('/dev/zero')).toBe('is not a file; give the result.json of a run');
});

test('a path that steers the terminal is shown safely', () => {
  expect(() => readStoredResult('\x1b[2J', '--rerun')).toThrow('--rerun: "\\u001b[2J" does not exist');
});
