// Every report of a run, into its output folder.
import { join } from 'node:path';
import type { RunResult } from '../fixtures/check/result.ts';
import { junitFile, resultFile } from './files.ts';
import { writeResult } from './json.ts';
import { junit } from './junit.ts';
import { writeWhole } from './whole-file.ts';

/**
 * Writes the reports and returns their paths.
 * @throws the system's error where the folder cannot be written
 */
export function writeReports(result: RunResult, outDir: string): string[] {
  const paths = { json: join(outDir, resultFile), junit: join(outDir, junitFile) };
  writeResult(result, paths.json);
  writeWhole(paths.junit, junit(result));
  return Object.values(paths);
}
