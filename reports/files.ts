// The files a run leaves in its output folder, and whom each is for.
export interface ReportFile {
  readonly name: string;
  readonly holds: string;
}

export const resultFile = 'result.json';
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

/** The files of a run for which these formats were asked too. */
export const filesOf = (asked: readonly Format[]): readonly ReportFile[] => [
  ...reportFiles,
  ...asked.map((format) => formats[format]),
];
