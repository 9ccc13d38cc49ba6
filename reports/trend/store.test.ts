import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { storedBytes } from '../../engine/run/stored-result.ts';
import { sampleResult, sampleRun } from '../../fixtures/kit/sample-run.ts';
import { resultText } from '../write.ts';
import { gather } from './read.ts';
import { keptName, openKeep } from './store.ts';
import { trendJson } from './text.ts';
import { trendOf } from './trend.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay kept '));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const run = sampleRun(
  [sampleResult({ id: 'a.b#c', outcome: 'fail' }), sampleResult({ id: 'a.b#d', outcome: 'observed' })],
  { ledger: { 'a.b#d': '401' } },
);

function stored(name: string, bytes: Uint8Array | string): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

const trendOfFile = (path: string) => {
  const { runs, broken } = JSON.parse(trendJson(trendOf(gather([{ path, isNamed: true }]))));
  return { runs: runs.map((run: object) => ({ ...run, file: '' })), broken };
};

describe('a kept result', () => {
  const kept = openKeep(folder);

  test('is the result for any zstd reader', () => {
    expect(zstdDecompressSync(readFileSync(kept(run))).toString()).toBe(resultText(run));
  });

  test('makes the same trend as the plain one, however it is compressed', () => {
    const plain = trendOfFile(stored('plain.json', resultText(run)));
    expect(trendOfFile(kept(run))).toEqual(plain);
    expect(trendOfFile(stored('other.gz', gzipSync(resultText(run))))).toEqual(plain);
    expect(trendOfFile(stored('other.zst', zstdCompressSync(resultText(run))))).toEqual(plain);
  });

  test('of an older Assay, which put a frame in front, makes the same trend too', () => {
    const frame = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]);
    const older = stored('older.zst', Buffer.concat([frame, zstdCompressSync(resultText(run))]));
    expect(trendOfFile(older)).toEqual(trendOfFile(kept(run)));
  });

  test('is named by the time and the run, and nothing else that a run says', () => {
    const name = keptName({ startedAt: '2026-01-02T03:04:05.678Z', runId: '../k3 v9' });
    expect(name).toBe('2026-01-02T03-04-05.678Z-k3v9-result.json.zst');
  });

  test('is stored where --keep says, in a folder that is made', () => {
    const path = openKeep(join(folder, 'nights', '2026'))(run);
    expect(path).toBe(join(folder, 'nights', '2026', keptName(run)));
    expect(trendOfFile(path).runs).toHaveLength(1);
  });
});

test('--keep below a file is a mistake of one line', () => {
  expect(() => openKeep(join(stored('file', ''), 'below'))).toThrow(
    /^--keep: ".*" cannot be written \(ENOTDIR\)/,
  );
});

describe('a stored file', () => {
  const refused = (bytes: Uint8Array | string, limit?: number) => () => {
    storedBytes(stored('refused', bytes), limit);
  };

  test('larger than agreed is refused unread, and once decompressed too', () => {
    expect(refused('x'.repeat(11), 10)).toThrow('holds 11 bytes, more than the 10 Assay reads');
    expect(refused(gzipSync('x'.repeat(1000)), 100)).toThrow('more than 100 bytes once decompressed');
    expect(refused(zstdCompressSync(Buffer.alloc(1000)), 100)).toThrow(
      'more than 100 bytes once decompressed',
    );
  });

  test('that is cut off cannot be decompressed, and says so', () => {
    expect(refused(gzipSync('x'.repeat(1000)).subarray(0, 15))).toThrow('it may have been cut off');
    expect(refused(zstdCompressSync(Buffer.from('x')).subarray(0, 8))).toThrow('it may have been cut off');
  });

  test('that is none is refused without a wait', () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    expect(() => storedBytes(pipe)).toThrow('is not a file');
    expect(() => storedBytes(join(folder, 'none'))).toThrow('does not exist');
  });
});
