// From files to what a trend is made of. A file that cannot be used is told, and stops nothing that it was not named for.
import { ConfigurationError } from '../../fixtures/target/configuration-error.ts';
import { quoted } from '../../fixtures/target/quoted.ts';
import { fileReader } from './bytes.ts';
import type { Found } from './find.ts';
import { emptyHistory, type History } from './history.ts';
import { digestIn } from './kept.ts';
import { type LoadRecord, loadRecordOf } from './load-record.ts';
import { TooMany } from './names.ts';
import { addResult, addSource, Unfit } from './read-run.ts';
import type { KnownHeads } from './result-text.ts';

export interface Unread {
  readonly file: string;
  /** In words that follow the file's name. */
  readonly problem: string;
}

export interface Gathered {
  readonly history: History;
  readonly loads: readonly LoadRecord[];
  readonly unread: readonly Unread[];
}

/**
 * Reads the files one after the other.
 * @throws ConfigurationError where a file that was named cannot be used
 */
export function gather(files: readonly Found[]): Gathered {
  const history = emptyHistory();
  const loads: LoadRecord[] = [];
  const unread: Unread[] = [];
  const mistakes: string[] = [];
  const read = fileReader();
  const known: KnownHeads = [];
  for (const { path, isNamed } of files) {
    try {
      const { raw, plain } = read(path);
      const digest = digestIn(raw);
      if (digest) {
        addSource(history, path, digest);
        continue;
      }
      const bytes = plain();
      const record = loadRecordOf(path, bytes);
      if (record) loads.push(record);
      else addResult(history, known, path, bytes);
    } catch (error) {
      if (!(error instanceof Unfit || error instanceof TooMany)) throw error;
      if (isNamed) mistakes.push(`trend: ${quoted(path)} ${error.message}`);
      else unread.push({ file: path, problem: error.message });
    }
  }
  if (mistakes.length > 0) throw new ConfigurationError(mistakes);
  return { history, loads, unread };
}
