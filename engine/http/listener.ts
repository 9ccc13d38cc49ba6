// Listens on loopback, to find out whether a target fetches an address that a request gave it.
import type { AddressInfo } from 'node:net';

export interface Listener {
  readonly url: string;
  /** How many requests came. */
  readonly requests: () => number;
  readonly close: () => void;
}

/** Answers every request with this JSON, on a free port of 127.0.0.1. */
export async function listenFor(body: string): Promise<Listener> {
  // Its import takes a thread longer than most that a run does there; few runs come here.
  const { createServer } = await import('node:http');
  let requests = 0;
  const server = createServer((_, answer) => {
    requests += 1;
    answer.setHeader('content-type', 'application/json').end(body);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  // Nothing waits for one who does not come.
  server.unref();
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/keys.json`,
    requests: () => requests,
    close: () => void server.close(),
  };
}
