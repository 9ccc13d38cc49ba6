// Starts the null target: a server that does nothing, so that a measurement of it is the generator's own.
import { Worker } from 'node:worker_threads';

/** In its own thread, so that neither slows the other. Answers `200 {}` to everything. */
export async function startNull() {
  const thread = new Worker(new URL(import.meta.resolve('#null-thread')));
  const port = await new Promise<number>((resolve, reject) => {
    thread.once('message', resolve).once('error', reject);
  });
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => thread.terminate(),
  };
}
