// A server of known capacity, as a process of its own.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { drawTruth } from './draw.ts';
import type { Truth, TruthKind } from './model.ts';

export interface RunningTruth {
  /** Speaks the interface's main host. */
  readonly url: string;
  readonly truth: Truth;
  /** From now on the model answers; before, the server is as fast as it can be, for a preflight and sign-ins. */
  arm(): Promise<void>;
  /** When each request since then arrived, in ms of its clock. */
  arrivals(): Promise<readonly number[]>;
  close(): Promise<void>;
}

const entry = fileURLToPath(new URL('./process.ts', import.meta.url));

/**
 * Draws a server of this kind by its seed and starts it.
 * @param quantile that its bound is on, 0 to 1
 */
export async function startTruth(kind: TruthKind, seed: number, quantile = 0.95): Promise<RunningTruth> {
  const { truth } = drawTruth(kind, seed, quantile);
  const child = fork(entry, [kind, String(seed), String(quantile)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`the truth server ended with ${code}`);
  });
  failed.catch(() => {});
  const told = async () => (await Promise.race([once(child, 'message'), failed]))[0];
  const ask = async (message: string) => {
    child.send(message);
    return told();
  };
  const { url } = (await told()) as { url: string };
  return {
    url,
    truth,
    arm: async () => {
      await ask('arm');
    },
    arrivals: async () => ((await ask('arrivals')) as { arrivals: number[] }).arrivals,
    close: async () => {
      process.removeListener('exit', end);
      const gone = once(child, 'exit');
      if (end()) await gone;
    },
  };
}
