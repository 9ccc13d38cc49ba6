// What `load` and `capacity` begin with: a journey, a place for the answer, a way to be stopped, a target that was looked at.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { refuseOptionsOfNpm } from '../../fixtures/check/schedule/command-options.ts';
import { interruption, unlessAborted } from '../../fixtures/check/schedule/interruption.ts';
import { writableFolder } from '../../fixtures/files/folder.ts';
import { unwritten } from '../../fixtures/files/whole-file.ts';
import { ConfigurationError } from '../../fixtures/target/configuration-error.ts';
import { quoted } from '../../fixtures/target/quoted.ts';
import type { Environment } from '../install/resolve.ts';
import { type Load, openLoad } from '../step/open-load.ts';
import { refuseMisnamed } from './misnamed.ts';

/** As typed by a user. */
export interface RawSubject {
  readonly operation?: string;
  readonly seed?: string;
  readonly profile?: string;
  readonly insecure?: boolean;
  readonly out: string;
}

export interface Opened {
  readonly load: Load;
  /** Where the answer goes; there is none of an earlier run any more. */
  readonly file: string;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

/** Of both; those that npm knows itself are not among them. */
const options = [
  ...['operation', 'rate', 'duration', 'shape', 'slo', 'per-operation-slo', 'start', 'max-rate', 'budget'],
  ...['at-least', 'arrivals', 'seed', 'profile', 'segments', 'export', 'parallelism', 'ceiling', 'collect'],
  ...['live', 'insecure', 'out'],
];

/**
 * @param args what was typed beside the options
 * @returns a name; nothing where an operation was given in its place
 * @throws ConfigurationError where there is neither a journey nor an operation, or npm took an option for its own
 */
export function journeyIn(
  command: 'load' | 'capacity',
  args: readonly string[],
  { operation }: Pick<RawSubject, 'operation'>,
  env: Environment,
): string {
  refuseOptionsOfNpm(env, command, options);
  refuseMisnamed(command, args);
  const [journey, extra] = args;
  if (extra !== undefined)
    throw new ConfigurationError([
      `${command}: ${quoted(extra)} beside ${quoted(journey ?? '')}; give one journey (mixed plays them all)`,
    ]);
  if (journey === undefined && operation === undefined)
    throw new ConfigurationError([`${command}: no journey; give one, or --operation ID (--help lists them)`]);
  return journey ?? '';
}

/** @throws ConfigurationError where nothing can be loaded, in a line each */
export async function openAsTyped(
  command: 'load' | 'capacity',
  journey: string,
  raw: RawSubject,
  { rate, segments }: { readonly rate: number; readonly segments?: number },
): Promise<Opened> {
  const name = `${command}.json`;
  const file = join(writableFolder(raw.out, '--out', [name]), name);
  try {
    rmSync(file, { force: true });
  } catch (error) {
    throw unwritten('--out', file, error);
  }
  const stop = interruption();
  const opening = openLoad({
    journey,
    operation: raw.operation,
    env: process.env,
    cwd: process.cwd(),
    profile: raw.profile,
    seed: raw.seed,
    insecure: raw.insecure,
    rate,
    segments,
    say: (line) => console.log(line),
    signal: stop,
  });
  return { load: await unlessAborted(stop, opening, 'any load'), file, signal: stop };
}
