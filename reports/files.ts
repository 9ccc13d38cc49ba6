// Names the files that a run leaves in its output folder, and parses `--format`.
import { InvalidArgumentError, Option } from 'commander';

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
