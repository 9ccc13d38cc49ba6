// Names the files that a run leaves in its output folder, parses `--format`, and writes result.json.
import { join } from 'node:path';
import { InvalidArgumentError, Option } from 'commander';
import { writeWhole } from '../engine/files.ts';
import type { Result, RunResult } from '../engine/run/result.ts';

interface ReportFile {
  readonly name: string;
  readonly holds: string;
}

export const resultFile = 'result.json';
export const linesFile = 'results.jsonl';
export const headFile = 'run.json';
export const junitFile = 'junit.xml';
export const htmlFile = 'report.html';
export const markdownFile = 'report.md';
export const sarifFile = 'results.sarif';

export const reportFiles: readonly ReportFile[] = [
  { name: resultFile, holds: 'every check; failures and warnings with exchange and curl' },
  { name: htmlFile, holds: 'the same for a browser, in one file' },
  { name: junitFile, holds: 'the same for CI' },
  { name: markdownFile, holds: 'for a job summary' },
  { name: sarifFile, holds: 'failures and warnings for code-scanning views' },
];

/** What is written only where it is asked for (`--format`). */
export const formats = {
  ctrf: { name: 'ctrf.json', holds: 'every check in the Common Test Report Format' },
  har: { name: 'failures.har', holds: 'the exchanges that show failures and warnings' },
  gitlab: { name: 'gl-code-quality.json', holds: "failures and warnings for GitLab's merge requests" },
} as const satisfies Readonly<Record<string, ReportFile>>;

export type Format = keyof typeof formats;

/** The files made from a result for which these formats were asked too, and the result itself. */
export const filesOf = (asked: readonly Format[]): readonly ReportFile[] => [
  ...reportFiles,
  ...asked.map((format) => formats[format]),
];

/** What a run leaves in its folder: those, and what readers of many runs take in pieces. */
export const runFiles = (asked: readonly Format[]): readonly ReportFile[] => [
  ...filesOf(asked),
  { name: linesFile, holds: 'the checks of result.json, a line each' },
  { name: headFile, holds: 'result.json without its checks' },
];

// `--format ctrf,har`: files that are written in addition to the usual ones.
const isFormat = (word: string): word is Format => Object.hasOwn(formats, word);

/** The option as commander takes it; its value is the list of formats, each once. */
export const formatOption = () =>
  new Option(
    '--format <list>',
    `files beside the usual ones, with commas between: ${Object.keys(formats).join(', ')}`,
  ).argParser(parseFormats);

/** @throws InvalidArgumentError naming the first word that is no format */
export function parseFormats(text: string): Format[] {
  const words = text.split(',').map((word) => word.trim());
  const wrong = words.find((word) => !isFormat(word));
  if (wrong !== undefined)
    throw new InvalidArgumentError(
      `"${wrong.slice(0, 40)}" is no format; expected ${Object.keys(formats).join(', ')}.`,
    );
  return [...new Set(words.filter(isFormat))];
}

/** Writes a run's result as JSON, whole or not at all. */
export function writeResult(result: RunResult, path: string): void {
  writeWhole(path, resultPieces(result), '--out');
}

/**
 * Writes what readers of many runs take in pieces: run.json, which is the run without its checks, and results.jsonl with
 * each check in its final form, a line each, in place of the lines that came while the run went on.
 */
export function writeLines({ checks, ...head }: RunResult, outDir: string): void {
  writeWhole(
    join(outDir, linesFile),
    pieces(checks, (check) => `${JSON.stringify(check)}\n`),
    '--out',
  );
  writeWhole(join(outDir, headFile), `${JSON.stringify(head)}\n`, '--out');
}

export const resultText = (result: RunResult): string => [...resultPieces(result)].join('');

/** Checks that are written at a time: a result as one text, and its bytes, would be the most memory of a run. */
const inPiece = 128;

function* pieces(
  checks: RunResult['checks'],
  textOf: (check: Result, nth: number) => string,
): Generator<string> {
  for (let at = 0; at < checks.length; at += inPiece)
    yield checks
      .slice(at, at + inPiece)
      .map((check, nth) => textOf(check, at + nth))
      .join('');
}

/** As `JSON.stringify` with an indentation of one. */
function* resultPieces(result: RunResult): Generator<string> {
  const mark = '\n "checks": [';
  const [before = '', after = ''] = JSON.stringify({ ...result, checks: [] }, null, 1).split(mark);
  yield before + mark;
  yield* pieces(result.checks, (check, nth) => {
    const text = JSON.stringify(check, null, 1).replaceAll('\n', '\n  ');
    return `${nth === 0 ? '' : ','}\n  ${text}`;
  });
  yield `${result.checks.length === 0 ? '' : '\n '}${after}\n`;
}

// JSON for other tools: a lone surrogate is legal in JSON's escapes, and breaks most readers.

/** Escapes in JSON text: only a lone surrogate is ever written as `\ud…`. */
const escapes = /\\(?:u[dD][89a-fA-F][0-9a-fA-F]{2}|.)/g;

/** The value as JSON text on lines of its own, each lone surrogate replaced by U+FFFD. */
export function portableJson(value: unknown): string {
  const text = JSON.stringify(value, null, 1);
  // Hardly any run holds one, so the search is all that most runs pay.
  if (!/\\u[dD]/.test(text)) return `${text}\n`;
  return `${text.replace(escapes, (found) => (found.length > 2 ? '\uFFFD' : found))}\n`;
}
