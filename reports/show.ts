// Shows a run on standard output: its progress, and its end.
import { randomUUID } from 'node:crypto';
import { relative } from 'node:path';
import type { RunResult } from '../engine/run/result.ts';
import type { Progress as RunProgress } from '../engine/run/runner.ts';
import { githubAnnotations, stopCommands } from './ci/github-annotations.ts';
import { isUnreached, renderSummary } from './console/console.ts';
import { columnsOf, folded, paint, terminalOf } from './console/layout.ts';
import { createProgress, type Progress } from './console/progress.ts';
import { type Format, formats as known, runFiles } from './files.ts';
import { catalogPlaces } from './summary/causes.ts';

/** Shows a run; `npm start` calls its functions in this order. */
export interface Show {
  /** Names of the files that it writes into the output folder. */
  readonly files: readonly string[];
  readonly preflight: (lines: readonly string[]) => void;
  readonly begin: (total: number) => void;
  readonly progress: (progress: RunProgress) => void;
  /** Writes the files, prints the summary. */
  readonly end: (result: RunResult, out: string) => Promise<void>;
}

/** The part of `process` that is needed to show a run. */
export interface OutputProcess {
  readonly stdout: Pick<NodeJS.WriteStream, 'isTTY' | 'columns' | 'write'>;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Shows a run on standard output; in a GitHub workflow with annotations.
 * @param formats written beside the usual files
 * @param keep stores a copy of the result
 */
export function createShow(
  formats: readonly Format[] = [],
  keep?: (run: RunResult) => void,
  { stdout, env }: OutputProcess = process,
): Show {
  const { colour, redraws } = terminalOf(stdout, env);
  const isWorkflow = env.GITHUB_ACTIONS === 'true';
  const silence = stopCommands(randomUUID());
  let line: Progress | undefined;
  let reports: Promise<typeof import('./write.ts')> | undefined;
  return {
    // All formats count, also those not asked for now: an earlier run may have left their files.
    files: runFiles(Object.keys(known) as Format[]).map(({ name }) => name),
    preflight(lines) {
      if (isWorkflow) stdout.write(`${silence.before}\n`);
      const width = columnsOf(stdout);
      for (const line of lines)
        for (const part of folded([{ text: line }], width, 2))
          stdout.write(`${paint(part, { colour: false, width })}\n`);
    },
    begin(total) {
      // While the checks run there is time to load what is needed when they have ended.
      reports = import('./write.ts');
      reports.catch(() => {});
      line = createProgress({ stream: stdout, total, isTerminal: redraws, now: Date.now });
    },
    progress(counts) {
      line?.tick(counts);
    },
    async end(run, out) {
      line?.done();
      const { writeReports } = await (reports ?? import('./write.ts'));
      const failed = failureOf(() => {
        writeReports(run, out, formats);
        keep?.(run);
      });
      const outDir = relative(process.cwd(), out) || '.';
      const isAway = isUnreached(run);
      const text = renderSummary(run, {
        colour: colour && !isAway,
        width: columnsOf(isAway ? {} : stdout),
        outDir: outDir.startsWith('..') ? out : outDir,
        formats,
        isWritten: failed === undefined,
      });
      const commands = isWorkflow ? [silence.after, ...githubAnnotations(run, catalogPlaces())] : [];
      // Like every mistake in the settings.
      if (isAway) console.error(`assay: ${text}`);
      const printed = [...(isAway ? [] : [text]), ...commands, ''].join('\n');
      await new Promise((resolve) => stdout.write(printed, resolve));
      if (failed) throw failed;
    },
  };
}

/** The error of `write`, which is thrown after the verdict is printed, so that a full disk does not hide it. */
function failureOf(write: () => void): Error | undefined {
  try {
    write();
    return undefined;
  } catch (error) {
    return error as Error;
  }
}
