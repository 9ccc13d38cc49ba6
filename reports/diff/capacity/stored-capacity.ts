// A capacity.json of an earlier search: a file from outside, checked before anything is made of it.
import { readSync } from 'node:fs';
import { readRegularFile, UnfitFile, withRegularFile } from '../../../fixtures/files/regular-file.ts';
import { ConfigurationError } from '../../../fixtures/target/configuration-error.ts';
import { quoted } from '../../../fixtures/target/quoted.ts';

export interface StoredCapacity {
  readonly verdict: string;
  readonly capacity: number | null;
  readonly interval: readonly [confirmed: number | null, failed: number | null];
  readonly unit: string;
  readonly journey: string;
  readonly arrivals: string;
  readonly slo: string;
  readonly startedAt: string;
}

const begins = /^\s*\{\s*"schema":\s*"assay\.capacity\/1"/;
const largest = 8 * 1024 * 1024;
const longestText = 200;

/** Whether a file says of itself that it is one; false for one that cannot be read. */
export function isCapacity(path: string): boolean {
  try {
    return withRegularFile(path, Number.POSITIVE_INFINITY, (file) => {
      const head = Buffer.alloc(200);
      return begins.test(head.toString('latin1', 0, readSync(file, head)));
    });
  } catch {
    return false;
  }
}

/** @throws ConfigurationError with one line: what is wrong, where, and what to give instead */
export function readStoredCapacity(path: string): StoredCapacity {
  const wrong = (problem: string) =>
    new ConfigurationError([
      `diff: ${quoted(path)} ${problem}; give two capacity.json of "npm run capacity"`,
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
