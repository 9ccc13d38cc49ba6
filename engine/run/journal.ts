// Writes results.jsonl: one line per result, as soon as it is known, so that it survives however the run ends.

import { closeSync, fstatSync, ftruncateSync, openSync, writeFileSync } from 'node:fs';
import { linesOf, unwritten } from '../files.ts';
import { parsedJson } from '../values/json-walk.ts';
import type { Result } from './result.ts';

/**
 * Opens a journal for appending; the file is made where there is none.
 * @throws ConfigurationError where a write fails (in `flush` and `close`); the file still holds whole lines then
 */
export function openJournal(path: string) {
  const file = openSync(path, 'a');
  let lines = '';
  /** Writes pending results to disk. */
  const flush = () => {
    if (lines === '') return;
    const whole = fstatSync(file).size;
    try {
      writeFileSync(file, lines);
    } catch (error) {
      ftruncateSync(file, whole);
      throw unwritten('--out', path, error);
    } finally {
      lines = '';
    }
  };
  return {
    flush,
    /** Adds a result. Results of one turn of the event loop go to disk together. */
    write(result: Result) {
      if (lines === '') setImmediate(flush);
      lines += `${JSON.stringify(result)}\n`;
    },
    close() {
      flush();
      closeSync(file);
    },
  };
}

/** The results of a journal, by id; a last line that was cut off is left out. */
export function readJournal(path: string): Map<string, Result> {
  const results = new Map<string, Result>();
  const file = openSync(path, 'r');
  try {
    // Only an interrupted write leaves half a line: its check counts as not ended.
    for (const line of linesOf(file)) {
      const result = parsedJson(line) as Result | undefined;
      if (result) results.set(result.id, result);
    }
  } finally {
    closeSync(file);
  }
  return results;
}
