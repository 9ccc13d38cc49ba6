// A result as it is kept for years: zstd, with a digest in front that `zstd -d` skips and `trend` reads instead of the whole.
import { createHash } from 'node:crypto';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { skippable } from '../../fixtures/check/decompressed.ts';
import type { RunResult } from '../../fixtures/check/result.ts';
import { resultText } from '../json.ts';
import type { RunSource } from './read-run.ts';
import { standingNumber } from './standing.ts';

type Words = readonly [level: string, outcome: string, reason: string, waived: 0 | 1];

interface Digest {
  readonly schema: 'assay.digest/1';
  /** SHA-256 of the frames behind it, hexadecimal: what it is a digest of. */
  readonly of: string;
  /** The result with an empty list of checks. */
  readonly rest: unknown;
  /** Ids of the checks, one a line. */
  readonly ids: string;
  /** Per check, a place in `words`. */
  readonly standings: readonly number[];
  readonly words: readonly Words[];
}

const frameHead = 8;
const largestDigest = 32 * 1024 * 1024;
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** The bytes of a kept result: a skippable frame (RFC 8878, 3.1.2) with the digest, and the result.json. */
export function keptBytes(result: RunResult): Buffer {
  const body = zstdCompressSync(Buffer.from(resultText(result)));
  const digest = zstdCompressSync(Buffer.from(JSON.stringify(digestOf(result, sha256(body)))));
  const head = Buffer.alloc(frameHead);
  head.writeUInt32LE(skippable, 0);
  head.writeUInt32LE(digest.length, 4);
  return Buffer.concat([head, digest, body]);
}

function digestOf(result: RunResult, of: string): Digest {
  const words = new Map<string, number>();
  const list: Words[] = [];
  const standings = result.checks.map(({ level, outcome, reason = '', waived }) => {
    const told: Words = [level, outcome, reason, waived ? 1 : 0];
    const key = told.join();
    const place = words.get(key) ?? list.push(told) - 1;
    words.set(key, place);
    return place;
  });
  const ids = result.checks.map(({ id }) => id).join('\n');
  return { schema: 'assay.digest/1', of, rest: { ...result, checks: [] }, ids, standings, words: list };
}

/** What the digest in front says; undefined where there is none that belongs to what is behind it. */
export function digestIn(raw: Buffer): RunSource | undefined {
  if (raw.length < frameHead || raw.readUInt32LE(0) !== skippable) return undefined;
  const end = frameHead + raw.readUInt32LE(4);
  const digest = end < raw.length ? read(raw.subarray(frameHead, end)) : undefined;
  if (digest === undefined || digest.of !== sha256(raw.subarray(end))) return undefined;
  const numbers = digest.words.map(([level, outcome, reason, waived]) =>
    standingNumber({ level, outcome, reason, waived: waived === 1 }),
  );
  const ids = digest.ids === '' ? [] : digest.ids.split('\n');
  if (ids.length !== digest.standings.length) return undefined;
  const checks = ids.map((id, index) => [id, numbers[digest.standings[index] ?? -1] ?? 0] as const);
  return checks.some(([, number]) => number === 0) ? undefined : { rest: digest.rest, checks };
}

function read(frame: Buffer): Digest | undefined {
  try {
    const value: Partial<Digest> = JSON.parse(
      zstdDecompressSync(frame, { maxOutputLength: largestDigest }).toString(),
    );
    const { schema, of, ids, standings, words } = value;
    const isSound =
      schema === 'assay.digest/1' &&
      typeof of === 'string' &&
      typeof ids === 'string' &&
      Array.isArray(standings) &&
      Array.isArray(words) &&
      words.every(Array.isArray);
    return isSound ? (value as Digest) : undefined;
  } catch {
    return undefined;
  }
}
