// result.json: what every other report and every later comparison is made from.
import type { RunResult } from '../fixtures/check/result.ts';
import { writeWhole } from '../fixtures/files/whole-file.ts';

/** Writes a run's result as JSON, whole or not at all. */
export function writeResult(result: RunResult, path: string): void {
  writeWhole(path, resultText(result), '--out');
}

/** The text of result.json. Its layout is what `trend` reads in hops. */
export const resultText = (result: RunResult): string => `${JSON.stringify(result, null, 1)}\n`;
