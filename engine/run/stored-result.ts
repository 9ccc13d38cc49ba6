// Reads the stored result of an earlier run: bounded in size, checked, and brought to the present schema.

import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { readRegularFile, UnfitFile } from '../files.ts';
import { ConfigurationError } from '../values/configuration-error.ts';
import { isObject } from '../values/json-walk.ts';
import { quoted } from '../values/text.ts';
import { behavioursOf } from './compare-runs.ts';
import type { RunResult } from './result.ts';
import { schemaProblem } from './validate-result.ts';

const zstd = 0xfd2fb528;
/** The first of the sixteen magic numbers of skippable frames (RFC 8878, 3.1.2): `--keep` used to put one in front. */
const skippable = 0x184d2a50;
const gzip = 0x8b1f;

/** Bytes; a run of 3,000 checks, each with an exchange of 64 KiB, stays below. */
const largestResult = 256 * 1024 * 1024;

/** Why a stored file cannot be used, in words that follow its name. */
export class Unfit extends Error {}

/**
 * The bytes of a stored file, decompressed where they are gzip or zstd.
 * @param limit bytes of the file and of its decompressed content; a larger file is refused unread
 * @throws Unfit where it is no file, cannot be read, or holds more
 */
export function storedBytes(path: string, limit = largestResult): Buffer {
  let raw: Buffer;
  try {
    raw = readRegularFile(path, limit);
  } catch (error) {
    throw new Unfit(whyUnread(error, limit));
  }
  return decompressed(raw, limit);
}

function whyUnread(error: unknown, limit: number): string {
  if (error instanceof UnfitFile)
    return error.size === undefined
      ? 'is not a file; give the result.json of a run'
      : `holds ${error.size} bytes, more than the ${limit} Assay reads`;
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT'
    ? 'does not exist; a run writes result.json into its --out folder'
    : `cannot be read (${code})`;
}

/**
 * The bytes, decompressed where they are gzip or zstd by their first bytes.
 * @param limit bytes once decompressed
 * @throws Unfit where there are more, or they cannot be decompressed
 */
export function decompressed(raw: Buffer, limit: number): Buffer {
  const magic = raw.length >= 4 ? raw.readUInt32LE(0) : 0;
  try {
    if (magic === zstd || magic === skippable) return zstdDecompressSync(raw, { maxOutputLength: limit });
    if ((magic & 0xffff) === gzip) return gunzipSync(raw, { maxOutputLength: limit });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw new Unfit(`holds more than ${limit} bytes once decompressed`);
    throw new Unfit('cannot be decompressed; it may have been cut off');
  }
  return raw;
}

// Results of older versions lack the fields that `assay.result/1` got later; they get the values that held before.
type Since = 'leftBehind' | 'ledger' | 'waivers';
/** A result as any version wrote it. */
type Stored = Omit<RunResult, Since | 'options'> &
  Partial<Pick<RunResult, Since>> & {
    readonly options: Omit<RunResult['options'], 'rerun'> & Partial<Pick<RunResult['options'], 'rerun'>>;
  };

/** Returns the result with the fields that later versions added. */
export function withLaterMembers(stored: Stored): RunResult {
  return {
    ...stored,
    options: { ...stored.options, rerun: stored.options.rerun ?? false },
    leftBehind: stored.leftBehind ?? [],
    waivers: stored.waivers ?? [],
    ledger: stored.ledger ?? behavioursOf(stored.checks, stored),
  };
}

const give = 'give a result.json that a run wrote';

const measured: Readonly<Record<string, string>> = {
  load: 'the load.json of a load',
  capacity: 'the capacity.json of a capacity search',
  diff: 'what diff --json printed',
  trend: 'the trend.json of many runs',
  doctor: 'what doctor --json printed',
  proof: 'the proof.json of prove',
};

/** Other JSON files that lie near results, recognised by their fields. */
const neighbours: readonly (readonly [members: readonly string[], what: string])[] = [
  [['name', 'version'], 'a package.json'],
  [['log'], 'a HAR capture, which learn --har reads'],
  [['runs', '$schema'], 'a SARIF report'],
  [['results', 'reportFormat'], 'a CTRF report'],
  ...['operations', 'session', 'parameters', 'words', 'expects', 'waivers'].map(
    (member) => [[member], 'a profile'] as const,
  ),
];

/** Says what a file is that is no result, in words that follow its name; undefined where it may be a faulty result. */
export function otherFile(value: unknown): string | undefined {
  if (!isObject(value)) return undefined;
  const { schema } = value;
  if (schema === 'assay.result/1')
    return value.checks === undefined && value.headline !== undefined
      ? 'is a run.json, which lacks the checks; give the result.json beside it'
      : undefined;
  const [, kind = ''] = /^assay\.(\w+)\/\d+$/.exec(String(schema)) ?? [];
  if (measured[kind] !== undefined) return `is ${measured[kind]}; ${give}`;
  if (schema !== undefined) return undefined;
  const [, what] =
    neighbours.find(([members]) => members.every((member) => Object.hasOwn(value, member))) ?? [];
  return what === undefined ? `is no result: it is JSON without a "schema"; ${give}` : `is ${what}; ${give}`;
}

/** Why a file is not JSON, in words that follow its name, with what to give instead. */
export function whyNoJson(path: string, bytes: Buffer): string {
  if (bytes.length === 0) return `is empty; ${give}`;
  if (path.endsWith('.jsonl')) return 'is not JSON; give the result.json beside it';
  const isBegun = /^\s*\{/.test(bytes.subarray(0, 64).toString());
  const isEnded = /\}\s*$/.test(bytes.subarray(-64).toString());
  return isBegun && !isEnded ? 'is not JSON; it may have been cut off' : `is not JSON; ${give}`;
}

/**
 * Reads a result, of an older version or compressed (gzip, zstd) too, and checks its shape.
 * @param askedBy the option that named the file (`--baseline`), for the message
 * @param limit bytes, decompressed too; larger files are refused unread
 * @throws ConfigurationError with one line: what is wrong, where, and what to give instead
 */
export function readStoredResult(path: string, askedBy: string, limit?: number): RunResult {
  const wrong = (problem: string) => new ConfigurationError([`${askedBy}: ${quoted(path)} ${problem}`]);
  let bytes: Buffer | undefined;
  let value: unknown;
  try {
    bytes = storedBytes(path, limit);
    value = JSON.parse(bytes.toString());
  } catch (error) {
    throw wrong(error instanceof Unfit ? error.message : whyNoJson(path, bytes ?? Buffer.alloc(0)));
  }
  const other = otherFile(value);
  if (other !== undefined) throw wrong(other);
  const problem = schemaProblem(value, 'lenient');
  if (problem !== undefined) throw wrong(`is no result of this version of Assay: ${problem}`);
  return withLaterMembers(value as Stored);
}
