// Prepares `load` and `capacity`: reads the journey, claims the output folder, listens for signals, opens the target.
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { catalog, operationById } from '../../catalog/catalog.ts';
import {
  claimFolder,
  readRegularFile,
  unwritten,
  writableFolder,
  writeTogether,
} from '../../engine/files.ts';
import { interruption, unlessAborted } from '../../engine/process.ts';
import { ConfigurationError } from '../../engine/values/configuration-error.ts';
import { textAt } from '../../engine/values/members.ts';
import { quoted } from '../../engine/values/text.ts';
import { typedWith } from '../../engine/values/typed-command.ts';
import { CannotLoad } from '../../load/allowed-hosts.ts';
import { shapes } from '../../load/arrivals/shapes.ts';
import { journeyNamed, journeyNames } from '../../load/journeys/journeys.ts';
import { connectionsIn, type RawSubject } from '../../load/options.ts';
import { openLoad } from '../../load/step/open-load.ts';
import { startEmbeddedProcess } from '../serve/embedded.ts';

type Command = 'load' | 'capacity';

/**
 * @param args what was typed beside the options
 * @returns the journey's name; empty where an operation was given in its place
 * @throws ConfigurationError where there is neither a journey nor an operation, or no journey of that name
 */
export function journeyIn(
  command: Command,
  args: readonly string[],
  { operation }: Pick<RawSubject, 'operation'>,
): string {
  refuseMisnamed(command, args);
  const [journey, extra] = args;
  if (extra !== undefined)
    throw new ConfigurationError([
      `${command}: ${quoted(extra)} beside ${quoted(journey ?? '')}; give one journey (mixed plays them all)`,
    ]);
  if (journey === undefined && operation === undefined)
    throw new ConfigurationError([`${command}: no journey; give one, or --operation ID (--help lists them)`]);
  if (journey !== undefined && operation !== undefined)
    throw new ConfigurationError([
      `${command}: the journey ${quoted(journey)} beside --operation ${quoted(operation)}; give one of both`,
    ]);
  // A misspelt name is reported before what else is missing.
  if (journey !== undefined) journeyNamed(journey);
  return journey ?? '';
}

/** What is to be loaded, as typed. @param rate the highest of any step, in journeys per second */
export const aimedAt = (journey: string, raw: RawSubject, rate: number) => ({
  journey,
  operation: raw.operation,
  env: process.env,
  embedded: startEmbeddedProcess,
  cwd: process.cwd(),
  profile: raw.profile,
  seed: raw.seed,
  insecure: raw.insecure,
  connections: connectionsIn(raw),
  rate,
});

/**
 * @returns the load, the folder for the result (from which an earlier one is removed), and what Ctrl-C aborts
 * @throws ConfigurationError where nothing can be loaded, in a line each
 */
export async function openAsTyped(
  command: Command,
  journey: string,
  raw: RawSubject,
  { rate, segments }: { readonly rate: number; readonly segments?: number },
) {
  const folder = writableFolder(raw.out, '--out', filesOf(command));
  claimFolder(folder);
  const signal = interruption();
  const say = (line: string) => console.log(line);
  const opening = openLoad({ ...aimedAt(journey, raw, rate), segments, say, signal });
  const opened = opening.catch((error) => {
    throw underName(command, error);
  });
  const load = await unlessAborted(signal, opened, 'any load');
  try {
    for (const line of makeRoom(command, folder, raw.out)) say(line);
  } catch (error) {
    await load.close();
    throw error;
  }
  return { load, folder, signal };
}

/** The names of the data file and of its page. */
const filesOf = (command: Command) => [`${command}.json`, `${command}.html`] as const;

/** Turns a CannotLoad into a ConfigurationError whose lines begin with the command; returns other errors unchanged. */
export const underName = (command: Command, error: unknown): unknown =>
  error instanceof CannotLoad
    ? new ConfigurationError(error.lines.map((line) => `${command}: ${line}`))
    : error;

const mostBytes = 2 ** 24;

/**
 * Removes the result of an earlier load or search: one that is cut off must not leave it there as its own.
 * @returns a line that says so; none where there was no such result
 * @throws ConfigurationError where that is not allowed
 */
function makeRoom(command: Command, folder: string, out: string): string[] {
  const [data] = filesOf(command);
  const lines = replacedLine(data, { folder, out });
  for (const file of filesOf(command).map((name) => join(folder, name)))
    try {
      rmSync(file, { force: true });
    } catch (error) {
      throw unwritten('--out', file, error);
    }
  return lines;
}

/**
 * @param name name of a file that may hold an earlier result
 * @returns a line that says that it is replaced; none where there is none
 */
export function replacedLine(
  name: string,
  { folder, out }: { readonly folder: string; readonly out: string },
): string[] {
  const file = join(folder, name);
  if (!existsSync(file)) return [];
  let earlier: unknown;
  try {
    earlier = JSON.parse(readRegularFile(file, mostBytes).toString());
  } catch {
    // The line then says less about it.
  }
  return [replacing(name, out, earlier)];
}

/** The line for a file that was read before: `load.json in "out" (queue, 2026-11-27T05:00:00.000Z) is replaced; …`. */
export function replacing(name: string, out: string, earlier: unknown): string {
  // An export has a name in place of a time.
  const when = textAt(earlier, 'startedAt') ?? textAt(earlier, 'name');
  const known = [textAt(earlier, 'journey'), when].filter((each) => each !== undefined);
  const about = known.length === 0 ? '' : ` (${known.map((each) => quoted(each).slice(1, -1)).join(', ')})`;
  return `${name} in ${quoted(out)}${about} is replaced; --out DIR keeps the next one apart`;
}

/**
 * Writes what was measured as data, and as a page beside it.
 * @returns lines that name what it replaces, and the files
 * @throws ConfigurationError where they cannot be written
 */
export async function writeMeasured(
  command: Command,
  measured: object,
  { folder, out }: { readonly folder: string; readonly out: string },
): Promise<string[]> {
  const { loadPage } = await import('../../reports/html/load-page.ts');
  const [data, page] = filesOf(command);
  const html = loadPage(measured);
  const files = {
    [data]: `${JSON.stringify(measured, null, 1)}\n`,
    ...(html !== undefined && { [page]: html }),
  };
  const replaced = replacedLine(data, { folder, out });
  writeTogether(folder, files);
  return [...replaced, ...Object.keys(files).map((name) => join(out, name))];
}

// Suggestions for a word that is no journey but the name of something else.
const isJourney = (word: string) => journeyNames.includes(word);
const isShape = (word: string) => Object.hasOwn(shapes, word);
const listed = `journeys are ${journeyNames.join(', ')}`;

/**
 * @param args what was typed in the place of one journey
 * @throws ConfigurationError where that is a shape, an operation or an area of the interface
 */
export function refuseMisnamed(command: Command, args: readonly string[]): void {
  const [word = '', extra] = args;
  const [shape, journey] = [args.find(isShape), args.find(isJourney)];
  const isMeantAsShape = shape !== undefined && (extra === undefined || journey !== undefined);
  const problem = isMeantAsShape
    ? typeInstead(command, shape, journey)
    : extra === undefined && !isJourney(word)
      ? otherThing(command, word)
      : undefined;
  if (problem !== undefined) throw new ConfigurationError([`${command}: ${problem}`]);
}

function typeInstead(command: Command, shape: string, journey: string | undefined): string {
  if (command === 'capacity') return `${shape} is a shape, and a search for capacity takes none; ${listed}`;
  const typed = `${typedWith('load')} ${journey ?? 'JOURNEY'} --shape ${shape}`;
  return `${shape} is a shape, no journey: ${typed}${journey === undefined ? `; ${listed}` : ''}`;
}

function otherThing(command: Command, word: string): string | undefined {
  if (operationById(word) !== undefined)
    return `${word} is an operation, no journey: ${typedWith(command)} --operation ${word}`;
  const operation = catalog.find(({ area }) => area === word);
  return (
    operation &&
    `${word} is an area of the interface, no journey; ${listed}; --operation loads one of its calls alone, such as ${operation.id}`
  );
}
