// How a run shows itself while it goes and when it ends.
import { relative } from 'node:path';
import type { RunResult } from '../fixtures/check/result.ts';
import { createProgress, type Progress } from './console/progress.ts';
import { renderSummary } from './console/summary.ts';
import { terminalText } from './console/terminal-text.ts';
import { writeReports } from './write.ts';

const { stdout } = process;
const colour = stdout.isTTY === true && !process.env.NO_COLOR;

let progress: Progress | undefined;
const counts = { done: 0, failed: 0 };

export function preflight(lines: readonly string[]): void {
  for (const line of lines) stdout.write(`${terminalText(line)}\n`);
}

export function begin(total: number): void {
  progress = createProgress({ stream: stdout, total, isTerminal: stdout.isTTY === true, now: Date.now });
}

export function result(outcome: 'pass' | 'fail' | 'skip'): void {
  counts.done += 1;
  if (outcome === 'fail') counts.failed += 1;
  progress?.tick(counts);
}

/** Writes the result files into `out` and prints the summary. */
export async function end(run: RunResult, out: string): Promise<void> {
  progress?.done();
  writeReports(run, out);
  const outDir = relative(process.cwd(), out) || '.';
  const text = renderSummary(run, {
    colour,
    width: stdout.columns ?? 120,
    outDir: outDir.startsWith('..') ? out : outDir,
  });
  await new Promise((resolve) => stdout.write(`${text}\n`, resolve));
}
