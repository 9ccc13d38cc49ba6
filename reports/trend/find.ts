// Which files a trend is made of: those that are named, and the results, load and capacity runs below a folder.
import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigurationError } from '../../fixtures/target/configuration-error.ts';
import { quoted } from '../../fixtures/target/quoted.ts';

export interface Found {
  readonly path: string;
  /** Named by the user, not found in a folder: what is wrong with it ends the command. */
  readonly isNamed: boolean;
}

const ours = /(^|[-.])(result|load|capacity)\.json(\.(gz|zst))?$/;
const mostFiles = 20_000;
const mostEntries = 500_000;

/**
 * The files, by path; each once.
 * @throws ConfigurationError with one line per path that is not there, or where a folder holds none or too many
 */
export function findStored(paths: readonly string[]): Found[] {
  const found = new Map<string, Found>();
  const mistakes: string[] = [];
  for (const path of paths) {
    const isFolder = kindOf(path);
    if (isFolder === undefined) mistakes.push(`trend: ${quoted(path)} does not exist; ${expected}`);
    else if (!isFolder) found.set(path, { path, isNamed: true });
    else
      for (const inside of storedBelow(path))
        if (!found.has(inside)) found.set(inside, { path: inside, isNamed: false });
  }
  if (found.size > mostFiles)
    mistakes.push(
      `trend: ${found.size} files, more than the ${mostFiles} Assay reads; name a smaller folder`,
    );
  if (mistakes.length === 0 && found.size === 0)
    mistakes.push(`trend: ${paths.map(quoted).join(', ')} holds no stored result; ${looked}`);
  if (mistakes.length > 0) throw new ConfigurationError(mistakes);
  return [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

const expected = 'expected result.json files, or a folder of them (npm start -- --keep DIR makes one)';
const looked =
  'a folder is looked through for names that end in result.json, load.json or capacity.json (also .gz and .zst); files of other names have to be named one by one (nightly/*.json)';

function kindOf(path: string): boolean | undefined {
  try {
    return statSync(path).isDirectory();
  } catch {
    return undefined;
  }
}

/** Symbolic links are not followed (Node's own recursion does): a folder may hold itself. */
function storedBelow(folder: string): string[] {
  const found: string[] = [];
  const folders = [folder];
  let looked = 0;
  for (let inside = folders.pop(); inside !== undefined; inside = folders.pop()) {
    for (const entry of entriesOf(inside)) {
      looked += 1;
      if (looked > mostEntries)
        throw new ConfigurationError([
          `trend: ${quoted(folder)} holds more than ${mostEntries} files and folders; name a smaller one`,
        ]);
      const path = join(inside, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isFile() && ours.test(entry.name)) found.push(path);
    }
  }
  return found;
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    throw new ConfigurationError([
      `trend: ${quoted(folder)} cannot be read (${(error as NodeJS.ErrnoException).code})`,
    ]);
  }
}
