// Where checks stand: files whose default export is a suite.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root, suiteFolders } from '../../engine/files.ts';

const isSuiteFile = (name: string) => name.endsWith('.ts') && !name.endsWith('.test.ts');

/** The suite files of a folder, in name order; absolute paths. None where there is no such folder. */
export function suiteFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && isSuiteFile(entry.name))
    .map((entry) => join(folder, entry.name))
    .sort();
}

/** Every suite file there is, in the order of a run; absolute paths. */
export const allSuiteFiles = (): string[] => suiteFolders.flatMap((folder) => suiteFiles(join(root, folder)));
