// How a run shows itself while it goes and when it ends.
import { relative } from 'node:path';
import type { RunResult } from '../fixtures/check/result.ts';
import { createProgress, type Progress } from './console/progress.ts';
import { renderSummary } from './console/summary.ts';
import { terminalText } from './console/terminal-text.ts';
import { reportFiles } from './files.ts';
import { writeReports } from './write.ts';

const { stdout } = process;
const colour = stdout.isTTY === true && !process.env.NO_COLOR;

export const files = reportFiles.map(({ name }) => name);

let line: Progress | undefined;

export function preflight(lines: readonly string[]): void {
  for (const line of lines) stdout.write(`${terminalText(line)}\n`);
}

export function begin(total: number): void {
  line = createProgress({ stream: stdout, total, isTerminal: stdout.isTTY === true, now: Date.now });
}

export function progress(counts: { readonly done: number; readonly failed: number }): void {
  line?.tick(counts);
}

/** Writes the result files into `out` and prints the summary. */
export async function end(run: RunResult, out: string): Promise<void> {
  line?.done();
  writeReports(run, out);
  const outDir = relative(process.cwd(), out) || '.';
  const text = renderSummary(run, {
    colour,
    width: stdout.columns ?? 160,
    outDir: outDir.startsWith('..') ? out : outDir,
  });
  await new Promise((resolve) => stdout.write(`${text}\n`, resolve));
}
