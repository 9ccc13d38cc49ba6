// Judges conforming servers in a thread of its own: two threads keep two cores busy.
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { attacks, suites } from '../../run/suites.ts';
import { type ConformingRow, type ConformingServer, judgeServer } from './judge.ts';

export interface JudgeThread {
  /** Rejects where a layer of the server fails, or the thread does. */
  readonly judge: (server: ConformingServer) => Promise<ConformingRow>;
  readonly close: () => Promise<unknown>;
}

interface JudgeRequest {
  readonly nth: number;
  readonly server: ConformingServer;
}

interface JudgedRow {
  readonly nth: number;
  readonly row: ConformingRow;
}

/** Judges as many servers at once as it is asked to. */
export function openJudgeThread(seed: string): JudgeThread {
  const thread = new Worker(new URL(import.meta.url), { workerData: { conformingSeed: seed } });
  const waiting = new Map<number, PromiseWithResolvers<ConformingRow>>();
  let count = 0;
  thread.on('message', ({ nth, row }: JudgedRow) => {
    waiting.get(nth)?.resolve(row);
    waiting.delete(nth);
  });
  thread.on('error', (error) => {
    for (const { reject } of waiting.values()) reject(error);
  });
  return {
    judge(server) {
      count += 1;
      const row = Promise.withResolvers<ConformingRow>();
      waiting.set(count, row);
      thread.postMessage({ nth: count, server } satisfies JudgeRequest);
      return row.promise;
    },
    close: () => thread.terminate(),
  };
}

const seed = (workerData as { readonly conformingSeed?: string } | null)?.conformingSeed;
if (!isMainThread && parentPort && seed !== undefined) {
  const port = parentPort;
  port.on('message', async ({ nth, server }: JudgeRequest) => {
    const row = await judgeServer(server, { suites, attacks, seed });
    port.postMessage({ nth, row } satisfies JudgedRow);
  });
}
