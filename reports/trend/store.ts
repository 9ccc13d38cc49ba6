// Stores and finds the files of a trend: lists stored results, keeps a copy of each run, and removes old ones.
import { type Dirent, readdirSync, rmSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { writableFolder, writeWhole } from '../../engine/files.ts';
import type { RunResult } from '../../engine/run/result.ts';
import { ConfigurationError } from '../../engine/values/configuration-error.ts';
import { quoted } from '../../engine/values/text.ts';
import { typedWith } from '../../engine/values/typed-command.ts';
import { type Format, formats, resultFile, runFiles } from '../files.ts';
import { resultText } from '../write.ts';
import type { Gathered } from './read.ts';

export interface StoredFile {
  readonly path: string;
  /** Whether the user named the file itself, not its folder: then a problem with it ends the command. */
  readonly isNamed: boolean;
}

const storedName = /(^|[-.])(result|load|capacity)\.json(\.(gz|zst))?$/;
const mostFiles = 20_000;
const mostEntries = 500_000;

/**
 * Finds stored results: the files that are named, and those in folders; sorted by path, each once.
 * @throws ConfigurationError with one line per path that is not there, or where a folder holds none or too many
 */
export function findStored(paths: readonly string[]): StoredFile[] {
  const found = new Map<string, StoredFile>();
  const mistakes: string[] = [];
  for (const path of paths) {
    const entry = entryAt(path);
    if (entry === undefined) mistakes.push(`trend: ${quoted(path)} does not exist; ${expected}`);
    else if (entry.isFile()) found.set(path, { path, isNamed: true });
    else if (!entry.isDirectory()) mistakes.push(`trend: ${quoted(path)} is not a file`);
    else
      for (const file of storedBelow(path))
        if (!found.has(file)) found.set(file, { path: file, isNamed: false });
  }
  if (found.size > mostFiles)
    mistakes.push(
      `trend: ${found.size} files, more than the ${mostFiles} Assay reads; name a smaller folder`,
    );
  if (mistakes.length === 0 && found.size === 0)
    mistakes.push(`trend: ${paths.map(quoted).join(', ')} holds no stored result; ${whatIsFound}`);
  if (mistakes.length > 0) throw new ConfigurationError(mistakes);
  return [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

const expected = `expected result.json files, or a folder of them (${typedWith('run')} --keep DIR makes one)`;
const whatIsFound =
  'a folder is looked through for names that end in result.json, load.json or capacity.json (also .gz and .zst); files of other names have to be named one by one (nightly/*.json)';

function entryAt(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/** Does not follow symbolic links, which Node's own recursion does: a link may lead back to a folder above it. */
function storedBelow(folder: string): string[] {
  const found: string[] = [];
  const folders = [folder];
  let seen = 0;
  for (let current = folders.pop(); current !== undefined; current = folders.pop()) {
    for (const entry of readFolder(current)) {
      seen += 1;
      if (seen > mostEntries)
        throw new ConfigurationError([
          `trend: ${quoted(folder)} holds more than ${mostEntries} files and folders; name a smaller one`,
        ]);
      const path = join(current, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isFile() && storedName.test(entry.name)) found.push(path);
    }
  }
  return found;
}

function readFolder(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    throw new ConfigurationError([
      `trend: ${quoted(folder)} cannot be read (${(error as NodeJS.ErrnoException).code})`,
    ]);
  }
}

// `npm start -- --keep DIR`: a compressed copy of each result.json, named so that the folder sorts by time.

/**
 * Makes the folder, so that a run fails at its beginning where its result cannot be kept.
 * @returns a function that stores a copy of a result and returns its path
 * @throws ConfigurationError where nothing can be written there
 */
export function openKeep(folder: string): (result: RunResult) => string {
  const path = writableFolder(folder, '--keep');
  return (result) => {
    const copy = join(path, keptName(result));
    writeWhole(copy, zstdCompressSync(resultText(result)), '--keep');
    return copy;
  };
}

/** `2026-01-02T03-04-05.678Z-k3v9-result.json.zst`. */
export function keptName({ startedAt, runId }: Pick<RunResult, 'startedAt' | 'runId'>): string {
  return `${startedAt.replaceAll(':', '-')}-${runId.replace(/[^\w-]/g, '')}-result.json.zst`;
}

/** Files that a run leaves beside its result.json. */
const madeOfRun = runFiles(Object.keys(formats) as Format[]).map(({ name }) => name);

/**
 * Removes the files of runs that began before `then`, in ms since 1970, one by one, and prints the name of each once it
 * is gone; unreadable files stay.
 * @returns what was gathered from the others, and the number of files removed
 * @throws ConfigurationError where one cannot be removed; those before it are gone
 */
export function prune(
  { history, loads, ...gathered }: Gathered,
  then: number,
  print: (line: string) => void,
): { readonly left: Gathered; readonly removed: number } {
  const ageOf = (startedAt: string) => (Date.parse(startedAt) < then ? 'old' : 'left');
  const ofRuns = Object.groupBy(history.runs, ({ facts }) => ageOf(facts.startedAt));
  const ofLoads = Object.groupBy(loads, ({ startedAt }) => ageOf(startedAt));
  const old = [...(ofRuns.old ?? []), ...(ofLoads.old ?? [])];
  for (const { file } of old) {
    try {
      rmSync(file);
      // The folder of one run: what was made from its result.json goes with it.
      if (basename(file) === resultFile)
        for (const name of madeOfRun) rmSync(join(dirname(file), name), { force: true });
    } catch (error) {
      throw new ConfigurationError([
        `--prune-older-than: ${quoted(file)} cannot be removed (${(error as NodeJS.ErrnoException).code})`,
      ]);
    }
    print(`removed ${file}`);
  }
  const left = { history: { ...history, runs: ofRuns.left ?? [] }, loads: ofLoads.left ?? [] };
  return { left: { ...gathered, ...left }, removed: old.length };
}
