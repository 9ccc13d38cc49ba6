// How vitest runs checks: one worker, all checks of a file at once (the client paces them), modules loaded by Node itself.
import { fileURLToPath } from 'node:url';
import { suiteFolders } from '../../../engine/files.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export const conformanceOptions = {
  include: suiteFolders.map((folder) => `${folder}/*.ts`),
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
