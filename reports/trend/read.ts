// Reads stored results, load and capacity runs one file at a time, and keeps the little that a trend needs of each.

import type { RunResult, Summary } from '../../engine/run/result.ts';
import { otherFile, storedBytes, Unfit, whyNoJson } from '../../engine/run/stored-result.ts';
import { schemaProblem } from '../../engine/run/validate-result.ts';
import { ConfigurationError } from '../../engine/values/configuration-error.ts';
import { numberAt, textAt } from '../../engine/values/members.ts';
import { median, quantile } from '../../engine/values/quantile.ts';
import { quoted } from '../../engine/values/text.ts';
import { targetName } from '../diff/render.ts';
import type { StoredFile } from './store.ts';
import { standingNumber } from './trend.ts';

/** Latency of a run in ms: the median and the 95th percentile of the operations' medians. */
interface Latency {
  readonly typical: number;
  readonly slow: number;
}

function latencyOf({ latency = {} }: RunResult): Latency | undefined {
  const medians = Object.values(latency).map(([, , middle]) => middle);
  return medians.length === 0 ? undefined : { typical: median(medians), slow: quantile(medians, 0.95) };
}

/** The facts that are kept of a run besides its checks; small, whatever the file holds. */
export interface RunFacts
  extends Pick<RunResult, 'startedAt' | 'runId' | 'ended' | 'exitCode' | 'durationMs'> {
  /** Its hosts, or that it was the embedded server. */
  readonly target: string;
  /** The run asked only a part of the checks. */
  readonly isPart: boolean;
  readonly isStrict: boolean;
  readonly operations: number;
  readonly served: number;
  readonly answered2xx: number;
  readonly summary: Summary;
  readonly latency?: Latency;
}

const longest = 200;

function factsOf(run: RunResult): RunFacts {
  const { startedAt, runId, ended, exitCode, durationMs, summary, headline, options, target } = run;
  const { operations, served, answered2xx } = headline;
  const latency = latencyOf(run);
  return {
    startedAt: startedAt.slice(0, 40),
    runId: runId.slice(0, longest),
    ended,
    exitCode,
    durationMs,
    target: targetName(target).slice(0, longest),
    isPart: options.only.length > 0 || options.rerun === true,
    isStrict: options.strict,
    operations,
    served,
    answered2xx,
    summary,
    ...(latency && { latency }),
  };
}

// The history: a few facts of each stored run, and a number per check and per open point, so that all runs share one
// copy of every check id and every behaviour.

/** The files hold more names, or longer ones, than a trend keeps in memory. The message follows the file's path. */
class TooManyNames extends Error {}

/** Most names, most UTF-16 units of one name, and most of all names together. */
type Bounds = Readonly<Record<'count' | 'length' | 'total', number>>;

/** A list of different names, each with its place in the list as its number. */
export class NumberedNames {
  readonly list: string[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #bounds: Bounds;
  readonly #what: string;
  #total = 0;
  /** The number of the name that probably comes next: files hold the same names in the same order. */
  #next = 0;

  /** @param what the kind of the names, in the plural, for the message of an error */
  constructor(what: string, bounds: Bounds) {
    this.#what = what;
    this.#bounds = bounds;
  }

  /**
   * The number of a name, from 0; a new one where the name is new.
   * @throws TooManyNames where a bound is passed
   */
  numberOf(name: string): number {
    if (this.list[this.#next] === name) return this.#next++;
    const number = this.#numbers.get(name) ?? this.#add(name);
    this.#next = number + 1;
    return number;
  }

  #add(name: string): number {
    const { count, length, total } = this.#bounds;
    if (name.length > length)
      throw new TooManyNames(`one of its ${this.#what} has more than ${length} characters`);
    if (this.list.length >= count || this.#total + name.length > total)
      throw new TooManyNames(`together with the files before it holds too many different ${this.#what}`);
    // A substring keeps the whole text of its file in memory, so the name is copied.
    const copy = Buffer.from(name).toString();
    this.#total += copy.length;
    this.#numbers.set(copy, this.list.length);
    return this.list.push(copy) - 1;
  }
}

export interface StoredRun {
  readonly file: string;
  readonly facts: RunFacts;
  /** By the number of the check: how it stood (`standingNumber`); 0, or nothing, where it was not asked. */
  readonly standings: Uint16Array;
  /** By the number of the open point: the number of the behaviour, plus 1; 0, or nothing, where none was seen. */
  readonly behaviours: Uint32Array;
}

/** All runs that were read, in no order. */
export interface History {
  readonly runs: StoredRun[];
  readonly checks: NumberedNames;
  readonly points: NumberedNames;
  readonly behaviours: NumberedNames;
}

/** A history without runs. A thousand honest runs stay far below its bounds. */
export const emptyHistory = (): History => ({
  runs: [],
  checks: new NumberedNames('check ids', { count: 100_000, length: 400, total: 10_000_000 }),
  points: new NumberedNames('observed behaviours', { count: 20_000, length: 400, total: 2_000_000 }),
  behaviours: new NumberedNames('behaviours', { count: 1_000_000, length: 100_000, total: 64_000_000 }),
});

/**
 * Adds a run to the history.
 * @param value the content of its result.json
 * @throws Unfit where it is no result; TooManyNames where the history would grow past its bounds
 */
export function addRun(history: History, file: string, value: unknown): void {
  const other = otherFile(value);
  if (other !== undefined) throw new Unfit(other);
  const problem = schemaProblem(value, 'lenient');
  if (problem !== undefined) throw new Unfit(`is no result of this version of Assay: ${problem}`);
  const run = value as RunResult;
  const { checks, points, behaviours } = history;
  const standings = run.checks.map(
    (check) => [checks.numberOf(check.id), standingNumber(check) ?? 0] as const,
  );
  // The oldest results have no ledger.
  const chosen = Object.entries(run.ledger ?? {}).map(
    ([point, behaviour]) => [points.numberOf(point), behaviours.numberOf(behaviour) + 1] as const,
  );
  history.runs.push({
    file,
    facts: factsOf(run),
    standings: placed(new Uint16Array(lengthOf(standings)), standings),
    behaviours: placed(new Uint32Array(lengthOf(chosen)), chosen),
  });
}

type Placed = readonly (readonly [place: number, value: number])[];

const lengthOf = (entries: Placed) => entries.reduce((most, [place]) => Math.max(most, place + 1), 0);

function placed<Numbers extends Uint16Array | Uint32Array>(numbers: Numbers, entries: Placed): Numbers {
  for (const [place, value] of entries) numbers[place] = value;
  return numbers;
}

function parsed(text: Buffer, path: string): unknown {
  try {
    return JSON.parse(text.toString());
  } catch {
    throw new Unfit(whyNoJson(path, text));
  }
}

/** What a trend keeps of a load or capacity run (`assay.load/1`, `assay.capacity/1`). */
export interface LoadRecord {
  readonly file: string;
  readonly kind: 'load' | 'capacity';
  readonly startedAt: string;
  readonly journey: string;
  readonly verdict: string;
  /** Its figures by name: rates per second, and times in ms. */
  readonly figures: Readonly<Record<string, number>>;
}

const loadRecordLongest = 80;

/**
 * The record of a load or capacity run; undefined where its schema is another.
 * @throws Unfit where it declares that schema and lacks a required field
 */
function loadRecordOf(file: string, value: unknown): LoadRecord | undefined {
  const schema = textAt(value, 'schema');
  const kind = schema === 'assay.load/1' ? 'load' : schema === 'assay.capacity/1' ? 'capacity' : undefined;
  if (kind === undefined) return undefined;
  const lacks = (what: string) => new Unfit(`is no ${kind} run of this version of Assay: ${what}`);
  const text = (name: string): string => {
    const found = textAt(value, name);
    if (found === undefined) throw lacks(`${name} is missing`);
    return found.slice(0, loadRecordLongest);
  };
  const [startedAt, journey, verdict] = [text('startedAt'), text('journey'), text('verdict')];
  if (Number.isNaN(Date.parse(startedAt))) throw lacks('startedAt is no time (ISO 8601)');
  return { file, kind, startedAt, journey, verdict, figures: figuresOf(value) };
}

/** Rates per second, times in milliseconds; values that the file lacks are left out. */
function figuresOf(value: unknown): Record<string, number> {
  const named = {
    capacity: numberAt(value, 'capacity'),
    confirmed: numberAt(value, 'interval', '0'),
    failed: numberAt(value, 'interval', '1'),
    rate: numberAt(value, 'rate'),
    achieved: numberAt(value, 'achieved'),
    p95: numberAt(value, 'latency', 'p95'),
    p99: numberAt(value, 'latency', 'p99'),
  };
  return Object.fromEntries(
    Object.entries(named).filter((entry): entry is [string, number] => entry[1] !== undefined),
  );
}

// Reading the files. An unusable file is reported; it only stops the command where the user named it.
export interface Unread {
  readonly file: string;
  /** Why, in words that follow the file's name. */
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
export function gather(files: readonly StoredFile[]): Gathered {
  const history = emptyHistory();
  const loads: LoadRecord[] = [];
  const unread: Unread[] = [];
  const mistakes: string[] = [];
  for (const { path, isNamed } of files) {
    try {
      const value = parsed(storedBytes(path), path);
      const record = loadRecordOf(path, value);
      if (record) loads.push(record);
      else addRun(history, path, value);
    } catch (error) {
      if (!(error instanceof Unfit || error instanceof TooManyNames)) throw error;
      if (isNamed) mistakes.push(`trend: ${quoted(path)} ${error.message}`);
      else unread.push({ file: path, problem: error.message });
    }
  }
  if (mistakes.length > 0) throw new ConfigurationError(mistakes);
  return { history, loads, unread };
}
