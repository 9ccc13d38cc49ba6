// `npm run diff`: from two files to a comparison and an exit code.
import { compareRuns } from '../../engine/run/changes.ts';
import { readStoredResult } from '../../engine/run/stored-result.ts';
import { diffCapacity, isCapacity } from '../../reports/diff/capacity.ts';
import { diffJson, exitCodeOf, renderDiff } from '../../reports/diff/render.ts';

export interface RawDiffOptions {
  readonly all?: boolean;
  readonly json?: boolean;
}

const { stdout } = process;

/**
 * Prints what changed, and leaves the exit code: 1 where something got worse.
 * @throws ConfigurationError where a file cannot be used
 */
export function diffCommand(beforePath: string, afterPath: string, { all, json }: RawDiffOptions): void {
  if (isCapacity(beforePath) || isCapacity(afterPath)) {
    const { text, exitCode } = diffCapacity(beforePath, afterPath, json ?? false);
    stdout.write(text);
    process.exitCode = exitCode;
    return;
  }
  const before = readStoredResult(beforePath, 'diff');
  const after = readStoredResult(afterPath, 'diff');
  const view = { before, after, changes: compareRuns(before, after) };
  const colour = stdout.isTTY === true && !process.env.NO_COLOR;
  stdout.write(
    json
      ? diffJson(view)
      : `${renderDiff(view, { colour, width: stdout.columns ?? 160, all: all ?? false })}\n`,
  );
  process.exitCode = exitCodeOf(view.changes);
}
