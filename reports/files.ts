// Names the files that a run leaves in its output folder.

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

/** What is written only where it is asked for (`--format ctrf,har`). */
export const formats = {
  ctrf: { name: 'ctrf.json', holds: 'every check in the Common Test Report Format' },
  har: { name: 'failures.har', holds: 'the exchanges that show failures and warnings' },
  gitlab: { name: 'gl-code-quality.json', holds: "failures and warnings for GitLab's merge requests" },
} as const satisfies Readonly<Record<string, ReportFile>>;

export type Format = keyof typeof formats;

/** The result, and the files that are made from it where these formats are asked for. */
export const filesOf = (asked: readonly Format[]): readonly ReportFile[] => [
  ...reportFiles,
  ...asked.map((format) => formats[format]),
];

/** All files that a run leaves in its folder: also run.json and results.jsonl, for readers of many runs. */
export const runFiles = (asked: readonly Format[]): readonly ReportFile[] => [
  ...filesOf(asked),
  { name: linesFile, holds: 'the checks of result.json, a line each' },
  { name: headFile, holds: 'result.json without its checks' },
];
