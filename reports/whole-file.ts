// A report is there whole or not at all: a reader that looks in the middle of a run finds the one before.
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Writes bytes, or UTF-8 text, beside its place and moves it there; missing folders are made.
 * Synchronous, so that a signal handler can still leave a report behind.
 * @throws the system's error (ENOSPC, EACCES …); what stood at `path` then stands there still
 */
export function writeWhole(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  const unfinished = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(unfinished, content);
    renameSync(unfinished, path);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}
