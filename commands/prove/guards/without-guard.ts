// A thread of its own in which one guard of the suite is taken away.
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { variants } from '../../../fixtures/conforming-variants/all.ts';
import { suites } from '../../run/suites.ts';
import { type Accusation, askVariants } from '../conforming/ask.ts';
import { type Guard, guards } from './guards.ts';

interface GuardRemoval {
  /** Index in the table of guards. */
  readonly guard: number;
  readonly seed: string;
}

/**
 * What the variant is accused of where its guard is missing.
 * @throws Error where the table does not hold the guard
 */
export async function accusedWithout(guard: Guard, seed: string): Promise<readonly Accusation[]> {
  const removal: GuardRemoval = { guard: guards.indexOf(guard), seed };
  if (removal.guard < 0) throw new Error(`no guard of the table protects "${guard.variant}" like this`);
  const worker = new Worker(new URL(import.meta.url), { workerData: removal });
  try {
    return await new Promise((resolve, reject) => {
      worker.once('message', resolve).once('error', reject);
    });
  } finally {
    await worker.terminate();
  }
}

const isGuardRemoval = (data: unknown): data is GuardRemoval =>
  typeof data === 'object' && data !== null && 'guard' in data && 'seed' in data;

if (parentPort && isGuardRemoval(workerData)) parentPort.postMessage(await judgeWithout(workerData));

async function judgeWithout({ guard: index, seed }: GuardRemoval): Promise<readonly Accusation[]> {
  const { variant, beside, only, remove } = guards[index] as Guard;
  remove();
  const chosen = variants.filter(({ name }) => name === variant || name === beside);
  const { accusations } = await askVariants(chosen, {
    suites,
    seed,
    only: ({ id }) => id.includes(only),
  });
  return accusations;
}
