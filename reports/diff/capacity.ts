// Compares two capacity.json files for `npm run diff`: better, worse, or no clear difference.
import { readSync } from 'node:fs';
import { readRegularFile, UnfitFile, withRegularFile } from '../../engine/files.ts';
import { ConfigurationError } from '../../engine/values/configuration-error.ts';
import { minuteOf, quoted, threeDigits } from '../../engine/values/text.ts';
import { typed } from '../../engine/values/typed-command.ts';
import { terminalText } from '../console/layout.ts';

interface StoredCapacity {
  readonly verdict: string;
  readonly capacity: number | null;
  readonly interval: readonly [confirmed: number | null, failed: number | null];
  readonly unit: string;
  readonly journey: string;
  readonly arrivals: string;
  readonly slo: string;
  readonly startedAt: string;
}

const largest = 8 * 1024 * 1024;
const longestText = 200;

/** Returns whether a file declares itself a capacity.json; false where it cannot be read. */
export const isCapacity = (path: string): boolean => schemaOf(path) === 'assay.capacity/1';

/** The schema that a file declares as its first field; undefined where it declares none, or cannot be read. */
function schemaOf(path: string): string | undefined {
  try {
    return withRegularFile(path, Number.POSITIVE_INFINITY, (file) => {
      const head = Buffer.alloc(200);
      return /^\s*\{\s*"schema":\s*"([^"]*)"/.exec(head.toString('latin1', 0, readSync(file, head)))?.[1];
    });
  } catch {
    return undefined;
  }
}

/**
 * @throws ConfigurationError with one line for each load.json: a load at one rate does not show how much the target
 * takes, so two of them are not compared
 */
export function refuseLoads(...paths: readonly string[]): void {
  const loads = new Set(paths.filter((path) => schemaOf(path) === 'assay.load/1'));
  if (loads.size === 0) return;
  throw new ConfigurationError(
    Array.from(
      loads,
      (path) =>
        `diff: ${quoted(path)} is the load.json of a load, and loads are not compared: at one rate they do not show capacity; give two capacity.json of "${typed('capacity')}", or see loads over time with "${typed('trend')}"`,
    ),
  );
}

/** @throws ConfigurationError with one line: what is wrong, where, and what to give instead */
function readStoredCapacity(path: string): StoredCapacity {
  const wrong = (problem: string) =>
    new ConfigurationError([
      `diff: ${quoted(path)} ${problem}; give two capacity.json of "${typed('capacity')}"`,
    ]);
  if (!isCapacity(path)) throw wrong('is no capacity.json of this version of Assay');
  const value = parsed(path, wrong);
  const text = (name: string): string => {
    const found = value[name];
    if (typeof found !== 'string') throw wrong(`has no ${name}`);
    return found.slice(0, longestText);
  };
  const rate = (found: unknown, name: string): number | null => {
    if (found === null) return null;
    if (typeof found !== 'number' || !(found >= 0)) throw wrong(`has no rate as ${name}`);
    return found;
  };
  const interval = Array.isArray(value.interval) ? value.interval : [];
  return {
    verdict: text('verdict'),
    capacity: rate(value.capacity, 'capacity'),
    interval: [rate(interval[0], 'interval[0]'), rate(interval[1], 'interval[1]')],
    unit: text('unit'),
    journey: text('journey'),
    arrivals: text('arrivals'),
    slo: text('slo'),
    startedAt: text('startedAt'),
  };
}

function parsed(path: string, wrong: (problem: string) => Error): Record<string, unknown> {
  try {
    return JSON.parse(readRegularFile(path, largest).toString('utf8')) as Record<string, unknown>;
  } catch (error) {
    if (error instanceof UnfitFile) throw wrong('is larger than 8 MiB');
    throw error instanceof SyntaxError ? wrong('is not JSON') : error;
  }
}

type CapacityChange = 'better' | 'worse' | 'no clear difference';

/** Verdicts of a defect: the target was not the same twice, or lost or doubled what it had acknowledged. */
const unsound = ['UNSTABLE', 'TARGET_DID_NOT_RECOVER', 'WRONG_UNDER_LOAD'];

/**
 * Compares intervals: better or worse where they do not overlap; an unknown end counts as unbounded. A capacity is
 * better only than one that was FOUND.
 */
function compareCapacities(before: StoredCapacity, after: StoredCapacity): CapacityChange {
  const [wasSound, isSound] = [before, after].map(({ verdict }) => !unsound.includes(verdict));
  if (wasSound && !isSound) return 'worse';
  if (!wasSound || !isSound) return 'no clear difference';
  const [low, high] = ends(before);
  const [lowNow, highNow] = ends(after);
  if (highNow < low) return 'worse';
  return lowNow > high && before.verdict === 'FOUND' ? 'better' : 'no clear difference';
}

const ends = ({ interval: [confirmed, failed] }: StoredCapacity): [number, number] => [
  confirmed ?? 0,
  failed ?? Number.POSITIVE_INFINITY,
];

/** Differences in how the two were measured; with any of them, capacities cannot be compared. */
function differences(before: StoredCapacity, after: StoredCapacity): string[] {
  const same = ['journey', 'slo', 'arrivals'] as const;
  return same.flatMap((name) =>
    before[name] === after[name] ? [] : [`${name} was ${before[name]} and is ${after[name]}`],
  );
}

/**
 * @returns text with a line end, and the exit code: 1 where it got worse
 * @throws ConfigurationError where a file cannot be used, or the two measured different things
 */
export function diffCapacity(beforePath: string, afterPath: string, asJson: boolean) {
  const before = readStoredCapacity(beforePath);
  const after = readStoredCapacity(afterPath);
  const apart = differences(before, after);
  if (apart.length > 0)
    throw new ConfigurationError(
      apart.map((each) => terminalText(`diff: ${each}; capacities of the same thing can be compared`)),
    );
  const change = compareCapacities(before, after);
  const exitCode = change === 'worse' ? 1 : 0;
  const json = { schema: 'assay.capacity-diff/1', change, exitCode, before, after };
  const lines = [heading(change, before, after), `A  ${about(before)}`, `B  ${about(after)}`];
  const text = asJson ? JSON.stringify(json, null, 1) : lines.map(terminalText).join('\n');
  return { text: `${text}\n`, exitCode };
}

function heading(
  change: string,
  { capacity: was }: StoredCapacity,
  { capacity: is, journey }: StoredCapacity,
): string {
  const by = was !== null && is !== null && was > 0 ? ` (${signed((is / was - 1) * 100)} %)` : '';
  return `${change.charAt(0).toUpperCase()}${change.slice(1)}: capacity of ${journey}${by}`;
}

const signed = (value: number) => {
  const size = Math.abs(value);
  return `${value < 0 ? '−' : '+'}${size.toFixed(size < 100 ? 1 : 0)}`;
};

const rateText = (value: number | null) => (value === null ? 'nothing known' : threeDigits(value));

function about({
  verdict,
  capacity,
  unit,
  interval: [confirmed, failed],
  startedAt,
}: StoredCapacity): string {
  const figure = capacity === null ? verdict : `${verdict} ${rateText(capacity)} ${unit}`;
  return `${figure}, interval ${rateText(confirmed)} to ${rateText(failed)} · ${minuteOf(startedAt)}`;
}
