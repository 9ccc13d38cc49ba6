import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { sampleResult, sampleRun } from '../../fixtures/kit/sample-run.ts';
import { resultText } from '../files.ts';
import { fileReader, gather } from './read.ts';
import { digestIn, keptBytes, keptName, openKeep } from './store.ts';
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
  return { runs: runs.map((told: object) => ({ ...told, file: '' })), broken };
};

describe('a kept result', () => {
  test('is the result for any zstd reader', () => {
    expect(zstdDecompressSync(keptBytes(run)).toString()).toBe(resultText(run));
  });

  test('carries a digest that makes the same trend as the whole', () => {
    const plain = trendOfFile(stored('plain.json', resultText(run)));
    expect(trendOfFile(stored('kept.zst', keptBytes(run)))).toEqual(plain);
    expect(trendOfFile(stored('other.gz', gzipSync(resultText(run))))).toEqual(plain);
    expect(trendOfFile(stored('other.zst', zstdCompressSync(resultText(run))))).toEqual(plain);
  });

  test('whose digest is of another result is read as a whole', () => {
    const other = keptBytes(sampleRun([sampleResult({ id: 'a.b#c' })]));
    const kept = keptBytes(run);
    const mixed = Buffer.concat([
      other.subarray(0, 8 + other.readUInt32LE(4)),
      kept.subarray(8 + kept.readUInt32LE(4)),
    ]);
    expect(digestIn(mixed)).toBeUndefined();
    expect(trendOfFile(stored('mixed.zst', mixed))).toEqual(trendOfFile(stored('kept.zst', kept)));
  });

  test.each([
    ['a digest that is no JSON', Buffer.from('nothing')],
    ['a digest that is cut off', keptBytes(run).subarray(8, 40)],
  ])('with %s is read as a whole', (_, digest) => {
    const kept = keptBytes(run);
    const head = Buffer.from(kept.subarray(0, 8));
    head.writeUInt32LE(digest.length, 4);
    const bytes = Buffer.concat([head, digest, kept.subarray(8 + kept.readUInt32LE(4))]);
    expect(trendOfFile(stored('odd.zst', bytes))).toEqual(trendOfFile(stored('kept.zst', kept)));
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
    fileReader(limit)(stored('refused', bytes)).plain();
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
    expect(() => fileReader()(pipe)).toThrow('is not a file');
    expect(() => fileReader()(join(folder, 'none'))).toThrow('does not exist');
  });
});
