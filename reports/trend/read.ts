// How long a run's operations took, in two figures: enough to see a drift over nights, and no load test.
import { readSync } from 'node:fs';
import { UnfitFile, withRegularFile } from '../../engine/files.ts';
import type { RunResult, Summary } from '../../engine/run/result.ts';
import { decompressed } from '../../engine/run/stored-result.ts';
import { shapeProblem } from '../../engine/run/stored-result-shape.ts';
import { ConfigurationError } from '../../engine/values/configuration-error.ts';
import { quoted } from '../../engine/values/text.ts';
import { targetName } from '../diff/render.ts';
import { type KnownHeads, readLaidOut } from './result-text.ts';
import { digestIn, type Found, Names, TooMany } from './store.ts';
import { standingNumber } from './trend.ts';

/** Milliseconds: of the operations' medians the one in the middle, and the one that 5 % exceed. */
interface Latency {
  readonly typical: number;
  readonly slow: number;
}

/**
 * @param latency of a result, as a file tells it: operation id → [min, q1, median, q3, max, count]
 * @returns undefined where a result has none, or none that can be read
 */
function latencyOf(latency: unknown): Latency | undefined {
  if (typeof latency !== 'object' || latency === null) return undefined;
  const medians = Object.values(latency)
    .map((figures: unknown) => (Array.isArray(figures) ? figures[2] : undefined))
    .filter((median): median is number => Number.isFinite(median) && median >= 0)
    .sort((a, b) => a - b);
  if (medians.length === 0) return undefined;
  const at = (share: number) => medians[Math.floor(share * (medians.length - 1))] ?? 0;
  return { typical: at(0.5), slow: at(0.95) };
}

// The little that is kept of a run's result beside its checks: small, whatever the file holds.
export interface RunFacts
  extends Pick<RunResult, 'startedAt' | 'runId' | 'ended' | 'exitCode' | 'durationMs'> {
  /** Its hosts, or that it was the embedded server. */
  readonly target: string;
  /** It asked a part of the checks, and says nothing about the others. */
  readonly isPart: boolean;
  readonly isStrict: boolean;
  readonly operations: number;
  readonly served: number;
  readonly answered2xx: number;
  readonly summary: Summary;
  readonly latency?: Latency;
}

const longest = 200;

/** @param run a sound result, whose checks count for nothing here */
function factsOf(run: RunResult): RunFacts {
  const { startedAt, runId, ended, exitCode, durationMs, summary, headline, options, target } = run;
  const { operations, served, answered2xx } = headline;
  const latency = latencyOf(run.latency);
  return {
    ...{ startedAt: startedAt.slice(0, 40), runId: runId.slice(0, longest), ended, exitCode, durationMs },
    target: targetName(target).slice(0, longest),
    isPart: options.only.length > 0 || options.rerun === true,
    isStrict: options.strict,
    ...{ operations, served, answered2xx, summary },
    ...(latency && { latency }),
  };
}

// What is kept of each stored run: a few facts, and a number per check and per open point.
export interface StoredRun {
  readonly file: string;
  readonly facts: RunFacts;
  /** By the number of the check: how it stood (`standing.ts`); 0, or nothing, where it was not asked. */
  readonly standings: Uint16Array;
  /** By the number of the open point: the number of the behaviour and 1; 0, or nothing, where none was seen. */
  readonly behaviours: Uint32Array;
}

/** All runs that were read, in no order. */
export interface History {
  readonly runs: StoredRun[];
  readonly checks: Names;
  readonly points: Names;
  readonly behaviours: Names;
}

/** Bounds that a thousand honest runs stay far below. */
export const emptyHistory = (): History => ({
  runs: [],
  checks: new Names('check ids', { count: 100_000, length: 400, total: 10_000_000 }),
  points: new Names('ledger entries', { count: 20_000, length: 400, total: 2_000_000 }),
  behaviours: new Names('behaviours', { count: 1_000_000, length: 100_000, total: 64_000_000 }),
});

/** Growing numbers by place, made small once they are all there. */
class Column<Numbers extends Uint16Array | Uint32Array> {
  #numbers: Numbers;
  readonly #make: (length: number) => Numbers;
  #end = 0;

  constructor(make: (length: number) => Numbers, expected: number) {
    this.#make = make;
    this.#numbers = make(Math.max(64, expected));
  }

  set(place: number, value: number): void {
    if (place >= this.#numbers.length) {
      const larger = this.#make(Math.max(place + 1, this.#numbers.length * 2));
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    this.#numbers[place] = value;
    this.#end = Math.max(this.#end, place + 1);
  }

  done(): Numbers {
    return this.#numbers.slice(0, this.#end) as Numbers;
  }
}

// One stored result into the history: from its text, from the digest that was kept with it, or member by member.

/** Why a file is left out, in words that follow its name. */
class Unfit extends Error {}

/** How the checks of a run stood, by id, with all the rest of its result. */
export interface RunSource {
  readonly rest: unknown;
  readonly checks: Iterable<readonly [id: string, standing: number]>;
}

/**
 * A result's text into the history.
 * @param bytes UTF-8 JSON
 * @throws Unfit where it is no result; TooMany where the history would grow past its bounds
 */
export function addResult(history: History, known: KnownHeads, file: string, bytes: Buffer): void {
  const standings = standingColumn(history);
  const laidOut = readLaidOut(bytes, known, standings.set);
  if (laidOut !== undefined) addRun(history, file, laidOut, standings.done());
  else addMemberByMember(history, file, parsed(bytes));
}

function addMemberByMember(history: History, file: string, value: unknown): void {
  const problem = shapeProblem(value);
  if (problem !== undefined) throw new Unfit(`is no result of this version of Assay: ${problem}`);
  const run = value as RunResult;
  const again = standingColumn(history);
  for (const check of run.checks) again.set(check.id, standingNumber(check) ?? 0);
  addRun(history, file, { ...run, checks: [] }, again.done());
}

/** A digest's checks into the history, with all the rest of the result that it was made of. */
function addSource(history: History, file: string, { rest, checks }: RunSource): void {
  const standings = standingColumn(history);
  for (const [id, standing] of checks) standings.set(id, standing);
  addRun(history, file, rest, standings.done());
}

function standingColumn({ checks }: History) {
  const column = new Column((length) => new Uint16Array(length), checks.list.length);
  return {
    set: (id: string, standing: number) => column.set(checks.numberOf(id), standing),
    done: () => column.done(),
  };
}

function addRun(history: History, file: string, rest: unknown, standings: Uint16Array): void {
  const problem = shapeProblem(rest);
  if (problem !== undefined) throw new Unfit(`is no result of this version of Assay: ${problem}`);
  const result = rest as RunResult;
  const behaviours = new Column((length) => new Uint32Array(length), history.points.list.length);
  for (const [point, behaviour] of ledgerEntries(result.ledger))
    behaviours.set(history.points.numberOf(point), history.behaviours.numberOf(behaviour) + 1);
  history.runs.push({ file, facts: factsOf(result), standings, behaviours: behaviours.done() });
}

/** The oldest results have no ledger. */
function ledgerEntries(ledger: unknown): (readonly [string, string])[] {
  if (ledger === undefined) return [];
  if (typeof ledger !== 'object' || ledger === null || Array.isArray(ledger))
    throw new Unfit('is no result of this version of Assay: ledger is no object');
  return Object.entries(ledger).map(([point, behaviour]) => {
    if (typeof behaviour !== 'string')
      throw new Unfit('is no result of this version of Assay: ledger holds something that is no string');
    return [point, behaviour];
  });
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    throw new Unfit('is not JSON; it may have been cut off');
  }
}

// The bytes of a stored file, decompressed where it is compressed, and never more of them than agreed.

/** 256 MiB: a run of 3,000 checks, each with an exchange of 64 KiB, stays below. */
const largest = 256 * 1024 * 1024;

interface Stored {
  /** As it stands on disk. */
  readonly raw: Buffer;
  /** Decompressed. */
  readonly plain: () => Buffer;
}

/**
 * Reads files one after the other into memory that they share: what it gives is good until the next call.
 * The function throws Unfit where a path is no file, cannot be read, or holds too much.
 */
export function fileReader(limit = largest): (path: string) => Stored {
  let shared = Buffer.allocUnsafe(4 * 1024 * 1024);
  return (path) => {
    try {
      return withRegularFile(path, limit, (file, size) => {
        if (size > shared.length) shared = Buffer.allocUnsafe(size);
        const raw = shared.subarray(0, filled(file, shared, size));
        return { raw, plain: () => plain(raw, limit) };
      });
    } catch (error) {
      throw new Unfit(whyNot(error, limit));
    }
  };
}

function whyNot(error: unknown, limit: number): string {
  if (error instanceof UnfitFile)
    return error.size === undefined
      ? 'is not a file'
      : `holds ${error.size} bytes, more than the ${limit} Assay reads`;
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`;
}

function filled(file: number, into: Buffer, size: number): number {
  let length = 0;
  while (length < size) {
    const read = readSync(file, into, length, size - length, null);
    if (read === 0) break;
    length += read;
  }
  return length;
}

function plain(raw: Buffer, limit: number): Buffer {
  try {
    return decompressed(raw, limit);
  } catch (error) {
    throw new Unfit((error as Error).message);
  }
}

// What a trend keeps of a load or capacity run (`assay.load/1`, `assay.capacity/1`).
export interface LoadRecord {
  readonly file: string;
  readonly kind: 'load' | 'capacity';
  readonly startedAt: string;
  readonly journey: string;
  readonly verdict: string;
  /** What counts, named by the file: journeys or requests per second. */
  readonly figures: Readonly<Record<string, number>>;
}

const begins = /^\s*\{\s*"schema":\s*"assay\.(load|capacity)\/1"/;
const loadRecordLongest = 80;

/**
 * The record of a load or capacity run; undefined where the text says that it is something else.
 * @throws Unfit where it says that it is one, and lacks what every one has
 */
function loadRecordOf(file: string, bytes: Buffer): LoadRecord | undefined {
  const [, kind] = begins.exec(bytes.toString('latin1', 0, 200)) ?? [];
  if (kind !== 'load' && kind !== 'capacity') return undefined;
  const value = parsed(bytes);
  const lacks = (what: string) => new Unfit(`is no ${kind} run of this version of Assay: ${what}`);
  const text = (name: string): string => {
    const found = at(value, name);
    if (typeof found !== 'string') throw lacks(`${name} is missing`);
    return found.slice(0, loadRecordLongest);
  };
  const [startedAt, journey, verdict] = [text('startedAt'), text('journey'), text('verdict')];
  if (Number.isNaN(Date.parse(startedAt))) throw lacks('startedAt is no time (ISO 8601)');
  return { file, kind, startedAt, journey, verdict, figures: figuresOf(value) };
}

/** Rates per second, times in milliseconds; what the file does not tell is left out. */
function figuresOf(value: unknown): Record<string, number> {
  const interval = at(value, 'interval');
  const latency = at(value, 'latency');
  const named = {
    capacity: at(value, 'capacity'),
    confirmed: at(interval, 0),
    failed: at(interval, 1),
    rate: at(value, 'rate'),
    achieved: at(value, 'achieved'),
    p95: at(latency, 'p95'),
    p99: at(latency, 'p99'),
  };
  return Object.fromEntries(
    Object.entries(named).filter((entry): entry is [string, number] => Number.isFinite(entry[1])),
  );
}

const at = (value: unknown, key: string | number): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string | number, unknown>)[key] : undefined;

// From files to what a trend is made of. A file that cannot be used is told, and stops nothing that it was not named for.
export interface Unread {
  readonly file: string;
  /** In words that follow the file's name. */
  readonly problem: string;
}

export interface Gathered {
  readonly history: History;
  readonly loads: readonly LoadRecord[];
  readonly unread: readonly Unread[];
}

/**
 * Reads the files one after the other.
 * @throws ConfigurationError where a file that was named cannot be used
 */
export function gather(files: readonly Found[]): Gathered {
  const history = emptyHistory();
  const loads: LoadRecord[] = [];
  const unread: Unread[] = [];
  const mistakes: string[] = [];
  const read = fileReader();
  const known: KnownHeads = [];
  for (const { path, isNamed } of files) {
    try {
      const { raw, plain } = read(path);
      const digest = digestIn(raw);
      if (digest) {
        addSource(history, path, digest);
        continue;
      }
      const bytes = plain();
      const record = loadRecordOf(path, bytes);
      if (record) loads.push(record);
      else addResult(history, known, path, bytes);
    } catch (error) {
      if (!(error instanceof Unfit || error instanceof TooMany)) throw error;
      if (isNamed) mistakes.push(`trend: ${quoted(path)} ${error.message}`);
      else unread.push({ file: path, problem: error.message });
    }
  }
  if (mistakes.length > 0) throw new ConfigurationError(mistakes);
  return { history, loads, unread };
}
