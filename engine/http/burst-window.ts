// Measures how close together the calls of a burst arrive from this machine, with a small racy server of its own. A
// race with a shorter window is found only by luck.
import { Worker } from 'node:worker_threads';
import { burst } from './burst.ts';
import type { Request } from './exchange.ts';

const calls = 8;
const timeoutMs = 2_000;

/**
 * The server, in a thread of its own. It stands for a target that grants something once, but records that only after a
 * window of time. It answers the ms since the first call: with a longer window, this call would be granted it too.
 */
const racyServer = `
const { createServer } = require('node:http');
const { parentPort } = require('node:worker_threads');
const firstCall = new Map();
const server = createServer((request, response) => {
  request.resume().once('end', () => {
    const now = performance.now();
    if (!firstCall.has(request.url)) firstCall.set(request.url, now);
    response.end(String(now - firstCall.get(request.url)));
  });
});
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

/**
 * Sends bursts to the racy server.
 * @param bursts how many count; one more goes before them as a warm-up
 * @returns the shortest window, in ms, with which every burst would have been granted it twice; undefined where that is
 * not known
 */
export async function shortestWindowMs(bursts: number): Promise<number | undefined> {
  const server = new Worker(racyServer, { eval: true });
  try {
    const port = await new Promise<number>((ready, fail) =>
      server.once('message', ready).once('error', fail),
    );
    const windows: number[] = [];
    for (let nth = 0; nth <= bursts; nth += 1) {
      const url = `http://127.0.0.1:${port}/${nth}`;
      const request: Request = { method: 'POST', url, headers: [], body: '{}' };
      const answers = await burst(Array<Request>(calls).fill(request), 'last-byte', { timeoutMs });
      const after = answers.map(({ response }) =>
        Number(Buffer.from(response?.body ?? []).toString() || Number.NaN),
      );
      // The delay of the second call; burst 0 is the warm-up.
      if (nth > 0) windows.push(after.toSorted((a, b) => a - b)[1] ?? Number.NaN);
    }
    const widest = Math.max(...windows);
    return Number.isFinite(widest) ? widest : undefined;
  } catch {
    return undefined;
  } finally {
    await server.terminate();
  }
}
