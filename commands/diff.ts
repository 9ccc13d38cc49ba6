// Runs `npm run diff`: compares two result files, and sets the exit code.
import type { Gate } from '../engine/run/baseline.ts';
import { readStoredResult } from '../engine/run/stored-result.ts';
import { columnsOf, terminalOf } from '../reports/console/layout.ts';
import { diffCapacity, isCapacity, refuseLoads } from '../reports/diff/capacity.ts';
import { diffJson, diffViewOf, exitCodeOf } from '../reports/diff/diff.ts';
import { renderDiff } from '../reports/diff/render.ts';

export interface RawDiffOptions {
  readonly all?: boolean;
  readonly json?: boolean;
  readonly failOn?: readonly Gate[];
}

const { stdout } = process;

/**
 * Prints what changed, and sets the exit code of a run that has the earlier result as its baseline.
 * @throws ConfigurationError where a file cannot be used
 */
export function diffCommand(
  beforePath: string,
  afterPath: string,
  { all, json, failOn }: RawDiffOptions,
): void {
  refuseLoads(beforePath, afterPath);
  if (isCapacity(beforePath) || isCapacity(afterPath)) {
    const { text, exitCode } = diffCapacity(beforePath, afterPath, json ?? false);
    stdout.write(text);
    process.exitCode = exitCode;
    return;
  }
  const before = readStoredResult(beforePath, 'diff');
  const after = readStoredResult(afterPath, 'diff');
  const view = diffViewOf(before, after, failOn);
  const { colour } = terminalOf(stdout, process.env);
  stdout.write(
    json ? diffJson(view) : `${renderDiff(view, { colour, width: columnsOf(stdout), all: all ?? false })}\n`,
  );
  process.exitCode = exitCodeOf(view);
}
