// How vitest runs checks: one worker, all checks of a file at once (the client paces them), modules loaded by Node.
import { fileURLToPath } from 'node:url';
import type { Progress, RunSettings } from '../../../engine/run/runner.ts';
import type { WaiverFacts } from '../../../engine/run/waivers.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export const conformanceOptions = {
  include: ['scenarios/*.ts', 'suites/*.ts'],
  exclude: ['**/*.test.ts'],
  pool: 'threads' as const,
  isolate: false,
  fileParallelism: false,
  maxWorkers: 1,
  maxConcurrency: 100_000,
  experimental: { viteModuleRunner: false, nodeLoader: false },
  setupFiles: [here('./worker.ts')],
};

/** Longer than any check can take by its own deadlines; vitest only has to know that there is an end. */
export const longerThanAnyCheck = { timeout: 600_000 };

/** What the worker gets before the first suite: plain data. */
export interface VitestAssignment extends RunSettings {
  /** Waivers of the profile that may excuse a failure, and failures that the baseline has too. */
  readonly excuses: WaiverFacts;
}

declare module 'vitest' {
  interface ProvidedContext {
    run: VitestAssignment;
  }
  interface TaskMeta {
    /** Of a check: it was asked, and is in the journal. */
    asked?: true;
    /** Of a file: the progress of the run when the file had ended. */
    progress?: Progress;
  }
}
