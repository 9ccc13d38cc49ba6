// Runs `npm run trend`: makes trend.html and trend.json from stored results.
import { join } from 'node:path';
import { writableFolder, writeTogether } from '../engine/files.ts';
import { columnsOf, terminalOf, terminalText } from '../reports/console/layout.ts';
import { trendHtml } from '../reports/trend/html.ts';
import { gather } from '../reports/trend/read.ts';
import { findStored, prune } from '../reports/trend/store.ts';
import { trendJson, trendText } from '../reports/trend/text.ts';
import { trendOf } from '../reports/trend/trend.ts';

export interface TrendOptions {
  readonly out: string;
  readonly json?: boolean;
  /** Age in ms beyond which the files of a run are removed. */
  readonly pruneOlderThan?: number;
}

const { stdout, stderr } = process;

/**
 * Reads the results, removes old ones where an age is given, writes trend.html and trend.json into `out`, and prints.
 * @param now milliseconds since the epoch
 * @throws ConfigurationError where a path, a file that was named or an age is wrong, or nothing can be written
 */
export async function trendCommand(
  paths: readonly string[],
  { out, json, pruneOlderThan: age }: TrendOptions,
  now: number,
): Promise<void> {
  const found = findStored(paths);
  // Checks the output folder before it removes a run whose trend could not be written.
  const folder = writableFolder(out, '--out', ['trend.json', 'trend.html']);
  let gathered = gather(found);
  if (age !== undefined) {
    const { left, removed } = prune(gathered, now - age, (line) => stderr.write(`${terminalText(line)}\n`));
    stderr.write(`removed ${removed} of ${found.length} files, older than ${age / 86_400_000}d\n`);
    if (removed === found.length) return;
    gathered = left;
  }
  const trend = trendOf(gathered);
  const data = trendJson(trend);
  writeTogether(folder, { 'trend.json': data, 'trend.html': trendHtml(trend) });
  if (json) stdout.write(data);
  else {
    const { colour } = terminalOf(stdout, process.env);
    stdout.write(`${trendText(trend, { colour, width: columnsOf(stdout) })}\n\n${join(out, 'trend.html')}\n`);
  }
}
