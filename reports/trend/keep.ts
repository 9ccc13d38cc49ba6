// `npm start -- --keep DIR`: a compressed copy of each result, named so that a folder of them is in the order of time.
import { join } from 'node:path';
import type { RunResult } from '../../fixtures/check/result.ts';
import { writableFolder } from '../../fixtures/files/folder.ts';
import { writeWhole } from '../../fixtures/files/whole-file.ts';
import { keptBytes } from './kept.ts';

/**
 * Makes the folder, so that a run does not find out at its end that it cannot be kept.
 * @returns what stores a result and gives the path of the copy
 * @throws ConfigurationError where nothing can be written there
 */
export function openKeep(folder: string): (result: RunResult) => string {
  const path = writableFolder(folder, '--keep');
  return (result) => {
    const copy = join(path, keptName(result));
    writeWhole(copy, keptBytes(result), '--keep');
    return copy;
  };
}

/** `2026-01-02T03-04-05.678Z-k3v9-result.json.zst`. */
export function keptName({ startedAt, runId }: Pick<RunResult, 'startedAt' | 'runId'>): string {
  return `${startedAt.replaceAll(':', '-')}-${runId.replace(/[^\w-]/g, '')}-result.json.zst`;
}
