// Reads the stored result of an earlier run: bounded in size, checked, and brought to the present schema.

import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { allHosts } from '../../catalog/operation.ts';
import { readRegularFile, UnfitFile } from '../files.ts';
import { outcomes } from '../judgement.ts';
import { ConfigurationError } from '../values/configuration-error.ts';
import { isObject } from '../values/json-walk.ts';
import { quoted } from '../values/text.ts';
import { gates } from './baseline.ts';
import { behavioursOf } from './compare-runs.ts';
import type { RunResult } from './result.ts';

const zstd = 0xfd2fb528;
/** The first of the sixteen frames that a zstd reader skips (RFC 8878, 3.1.2): `--keep` used to put one in front. */
const skippable = 0x184d2a50;
const gzip = 0x8b1f;

/** 256 MiB: a run of 3,000 checks, each with an exchange of 64 KiB, stays below. */
export const largestResult = 256 * 1024 * 1024;

/** Why a stored file cannot be used, in words that follow its name. */
export class Unfit extends Error {}

/**
 * The bytes of a stored file, decompressed where they are gzip or zstd.
 * @param limit bytes, decompressed too: a small file can hold a very large one; a larger file is refused unread
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
 * @param limit bytes of the whole
 * @throws Unfit where it would be more, or cannot be decompressed
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

// Results of older versions: members that `assay.result/1` got since are filled in with what held then.
type Since = 'leftBehind' | 'ledger' | 'waivers';
/** A result as any version wrote it. */
type Stored = Omit<RunResult, Since | 'options'> &
  Partial<Pick<RunResult, Since>> & {
    readonly options: Omit<RunResult['options'], 'rerun'> & Partial<Pick<RunResult['options'], 'rerun'>>;
  };

/** With the members that it lacks, as the version that wrote it would have left them. */
export function withLaterMembers(stored: Stored): RunResult {
  return {
    ...stored,
    options: { ...stored.options, rerun: stored.options.rerun ?? false },
    leftBehind: stored.leftBehind ?? [],
    waivers: stored.waivers ?? [],
    ledger: stored.ledger ?? behavioursOf(stored.checks, stored),
  };
}

/**
 * Reads a result, of an older version or compressed (gzip, zstd) too, and checks its shape.
 * @param askedBy what named the file (`--baseline`), for the message
 * @param limit bytes, decompressed too; larger files are refused unread
 * @throws ConfigurationError with one line: what is wrong, where, and what to give instead
 */
export function readStoredResult(path: string, askedBy: string, limit?: number): RunResult {
  const wrong = (problem: string) => new ConfigurationError([`${askedBy}: ${quoted(path)} ${problem}`]);
  let value: unknown;
  try {
    value = JSON.parse(storedBytes(path, limit).toString());
  } catch (error) {
    const { message } = error as Error;
    throw wrong(error instanceof Unfit ? message : `is not JSON: ${quoted(message).slice(1, -1)}`);
  }
  const problem = shapeProblem(value);
  if (problem !== undefined) throw wrong(`is no result of this version of Assay: ${problem}`);
  return withLaterMembers(value as Stored);
}

interface Kind {
  readonly expected: string;
  readonly holds: (value: unknown) => boolean;
}
type Shape =
  | Kind
  | { readonly list: Shape }
  | { readonly maybe: Shape }
  | { readonly fields: Readonly<Record<string, Shape>> };

const text: Kind = { expected: 'a string', holds: (value) => typeof value === 'string' };
const oracle: Kind = { expected: 'true or false', holds: (value) => typeof value === 'boolean' };
const number: Kind = {
  expected: 'a number from 0',
  holds: (value) => typeof value === 'number' && value >= 0,
};
const time: Kind = {
  expected: 'a time (ISO 8601)',
  holds: (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)),
};
const operation: Kind = {
  expected: 'an operation id or a list of them',
  holds: (value) => [value].flat().every((id) => typeof id === 'string'),
};
const shares: Kind = {
  expected: 'a number from 0 to 1 for each host',
  holds: (value) => isObject(value) && Object.values(value).every((share) => Number(share) <= 1),
};
const latency: Kind = {
  expected: 'six numbers from 0 for each operation',
  holds: (value) =>
    isObject(value) &&
    Object.values(value).every(
      (figures) => Array.isArray(figures) && figures.length === 6 && figures.every(number.holds),
    ),
};
const noise: Kind = {
  expected: 'repeats, machines, copiesLiveMs, lagMs and wanders for each host',
  holds: (value) =>
    isObject(value) &&
    Object.values(value).every(
      (each) =>
        isObject(each) &&
        ['repeats', 'machines', 'copiesLiveMs', 'lagMs'].every((name) => number.holds(each[name])) &&
        Array.isArray(each.wanders) &&
        each.wanders.every((name) => typeof name === 'string'),
    ),
};
const oneOf = (...words: readonly (string | boolean)[]): Kind => ({
  expected: words.map((word) => JSON.stringify(word)).join(' or '),
  holds: (value) => words.includes(value as string),
});
const maybe = (kind: Kind): Kind => ({
  expected: `${kind.expected}, or nothing`,
  holds: (value) => value === undefined || kind.holds(value),
});

const behaviour: Shape = {
  fields: {
    points: { list: text },
    before: text,
    after: text,
    places: { maybe: { list: { fields: { at: text, before: text, after: text } } } },
  },
};

const waived = { reason: text, link: text, expires: text };

const check: Shape = {
  fields: {
    id: text,
    title: text,
    operation,
    host: oneOf(...allHosts),
    clause: text,
    level: oneOf('documented', 'profile', 'standard', 'inferred', 'open'),
    outcome: oneOf(...outcomes),
    reason: maybe(text),
    detail: maybe(text),
    expected: maybe(text),
    actual: maybe(text),
    behaviour: maybe(text),
    value: maybe(text),
    cause: maybe(text),
    curl: maybe(text),
    script: maybe(text),
    prerequisite: {
      maybe: {
        fields: {
          step: text,
          outcome: oneOf(...outcomes),
          reason: maybe(text),
          detail: maybe(text),
          expected: maybe(text),
          actual: maybe(text),
        },
      },
    },
    waived: { maybe: { fields: waived } },
    since: { maybe: { fields: { gate: oneOf(...gates), before: text } } },
    known: maybe(oneOf(true)),
    rerun: text,
    durationMs: number,
  },
};

const run: Shape = {
  fields: {
    schema: oneOf('assay.result/1'),
    target: { fields: { embedded: oracle, base: maybe(text), cdn: maybe(text), gamelogs: maybe(text) } },
    startedAt: time,
    durationMs: number,
    seed: text,
    runId: text,
    ended: oneOf('complete', 'interrupted', 'budget', 'worker-died', 'bail'),
    exitCode: number,
    options: {
      fields: {
        strict: oracle,
        readOnly: oracle,
        minJudged: number,
        only: { list: text },
        rerun: maybe(oracle),
        insecure: maybe(oneOf(true)),
      },
    },
    summary: { fields: Object.fromEntries(outcomes.map((outcome) => [outcome, number])) },
    headline: { fields: { operations: number, served: number, answered2xx: number, verdict: text } },
    judgedShare: shares,
    preflight: { list: text },
    leftBehind: { maybe: { list: text } },
    unmatched: { maybe: { list: text } },
    incidents: { maybe: { list: text } },
    latency: maybe(latency),
    noise: maybe(noise),
    waivers: {
      maybe: { list: { fields: { ...waived, check: text, waived: number, problem: maybe(text) } } },
    },
    baseline: {
      maybe: {
        fields: {
          startedAt: time,
          runId: text,
          worse: { list: text },
          unjudgedBefore: { maybe: { list: text } },
          noLongerJudged: { maybe: { list: text } },
          failOn: { maybe: { list: oneOf(...gates) } },
          unsteady: { maybe: { list: text } },
          accepted: { maybe: { list: text } },
          knownFailures: number,
          repaired: number,
          behaviours: { maybe: { list: behaviour } },
        },
      },
    },
    checks: { list: check },
  },
};

/** The first thing wrong with a parsed result, with its place (`checks[3].level is …`); undefined when it is sound. */
export function shapeProblem(value: unknown): string | undefined {
  const found = problem(value, run);
  return found?.startsWith(' ') ? `the whole file${found}` : found?.replace(/^\./, '');
}

/** Its place is put together on the way out, so that a sound result of thousands of checks needs none. */
function problem(value: unknown, shape: Shape): string | undefined {
  if ('fields' in shape) {
    if (!isObject(value)) return misfit(value, 'an object');
    for (const key in shape.fields) {
      const found = problem(value[key], shape.fields[key] as Shape);
      if (found !== undefined) return `.${key}${found}`;
    }
    return undefined;
  }
  if ('maybe' in shape) return value === undefined ? undefined : problem(value, shape.maybe);
  if ('list' in shape) {
    if (!Array.isArray(value)) return misfit(value, 'a list');
    for (const [index, item] of value.entries()) {
      const found = problem(item, shape.list);
      if (found !== undefined) return `[${index}]${found}`;
    }
    return undefined;
  }
  return shape.holds(value) ? undefined : misfit(value, shape.expected);
}

function misfit(value: unknown, expected: string): string {
  const found = value === undefined ? 'missing' : quoted(JSON.stringify(value)).slice(1, -1);
  return ` is ${found}, expected ${expected}`;
}
