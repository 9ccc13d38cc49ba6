// Runs `npm run report`: writes the files of a run again from its result.
import { dirname, join } from 'node:path';
import { writableFolder, writeTogether } from '../engine/files.ts';
import type { RunResult } from '../engine/run/result.ts';
import { readStoredResult } from '../engine/run/stored-result.ts';
import { schemaProblem } from '../engine/run/validate-result.ts';
import { ConfigurationError } from '../engine/values/configuration-error.ts';
import { quoted } from '../engine/values/text.ts';
import { terminalText } from '../reports/console/layout.ts';
import { type Format, filesOf, resultFile } from '../reports/files.ts';
import { parsedFile } from '../reports/html/html.ts';
import { loadPage } from '../reports/html/load-page.ts';
import { writeRendered } from '../reports/write.ts';

export interface ReportOptions {
  /** Folder to write to. Default: that of the result. */
  readonly out?: string;
  readonly format?: readonly Format[];
}

/**
 * Writes the files, and prints the verdict and where they are.
 * @throws ConfigurationError where the result cannot be used or the folder cannot be written
 */
export function reportCommand(path: string, { out, format = [] }: ReportOptions): void {
  const folder = out ?? dirname(path);
  const page = measuredPage(path);
  if (page !== undefined) {
    writeTogether(writableFolder(folder, '--out', [page.name]), { [page.name]: page.html });
    process.stdout.write(`${terminalText(join(folder, page.name))}\n`);
    return;
  }
  const run = soundResult(path);
  const files = filesOf(format).filter(({ name }) => name !== resultFile);
  const names = files.map(({ name }) => name);
  writeRendered(run, writableFolder(folder, '--out', names), format, dirname(path));
  const paths = files.map(({ name }) => join(folder, name));
  const width = Math.max(...paths.map(({ length }) => length));
  const lines = [
    run.headline.verdict,
    '',
    ...files.map(({ holds }, nth) => `${(paths[nth] ?? '').padEnd(width)}  ${holds}`),
  ];
  process.stdout.write(lines.map((line) => `${terminalText(line)}\n`).join(''));
}

/** The page of a `load.json` or `capacity.json`; undefined for any other file. */
function measuredPage(path: string): { readonly name: string; readonly html: string } | undefined {
  const measured = parsedFile(path);
  const html = loadPage(measured);
  if (html === undefined) return undefined;
  const isLoad = (measured as { readonly schema: string }).schema === 'assay.load/1';
  return { name: isLoad ? 'load.html' : 'capacity.html', html };
}

/** Reads a result. Refuses fields that the schema does not name, since the report shows all of them. */
function soundResult(path: string): RunResult {
  const run = readStoredResult(path, 'report');
  const problem = schemaProblem(run);
  if (problem === undefined) return run;
  throw new ConfigurationError([
    `report: ${quoted(path)} is no result of this version of Assay: ${problem}`,
    'the schema is engine/run/result.schema.json; a result of a later version needs that version',
  ]);
}
