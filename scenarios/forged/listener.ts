// Listens on loopback, to find out whether a target fetches an address that a request gave it.
import type { AddressInfo } from 'node:net';

export interface Listener {
  readonly url: string;
  /** How many requests came. */
  readonly requests: () => number;
  readonly close: () => void;
}

/** Listens on a free port of 127.0.0.1, and answers every request with this JSON text. */
export async function listenFor(body: string): Promise<Listener> {
  // Imported only here: it is slow to load, and few runs need it.
  const { createServer } = await import('node:http');
  let requests = 0;
  const server = createServer((_, answer) => {
    requests += 1;
    answer.setHeader('content-type', 'application/json').end(body);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  // A request that never comes does not keep the process alive.
  server.unref();
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/keys.json`,
    requests: () => requests,
    close: () => void server.close(),
  };
}
