// Serves `--live`: a page on this machine that shows load.html of the running load and reloads itself.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Second } from '../../load/run/script-output.ts';

export interface Live {
  readonly url: string;
  second(second: Second): void;
  /** Shows the finished load. Resolves when an open page has fetched it, or after a few seconds. */
  end(measured: object): Promise<void>;
  close(): void;
}

const againAfterS = 2;
const spareMs = 1_000;

/**
 * Listens on the loopback address alone, on any free port.
 * @param about the fields of `load.json` that are known from the beginning
 */
export async function serveLive(about: object): Promise<Live> {
  const seconds: Second[] = [];
  let measured: object | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  let isSeen = () => {};
  const server = createServer(async ({ url, headers: { host } }, response) => {
    const { port } = server.address() as AddressInfo;
    // A page elsewhere that found out the port must not read along by a name of its own (DNS rebinding).
    if (host !== `127.0.0.1:${port}` || url !== '/') return response.writeHead(404).end();
    const { loadPage } = await import('../../reports/html/load-page.ts');
    const isOver = measured !== undefined;
    const fields = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' };
    response.writeHead(200, isOver ? fields : { ...fields, refresh: `${againAfterS}` });
    response.end(loadPage(measured ?? { schema: 'assay.load/1', ...about, verdict: 'running', seconds }));
    askedAt = performance.now();
    if (isOver) isSeen();
  });
  await new Promise<void>((ready, fail) => server.once('error', fail).listen(0, '127.0.0.1', ready));
  server.unref();
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    second: (second) => void seconds.push(second),
    async end(last) {
      measured = last;
      const waitMs = againAfterS * 1_000 + spareMs;
      if (performance.now() - askedAt > waitMs) return;
      await new Promise<void>((settle) => {
        isSeen = settle;
        setTimeout(settle, waitMs);
      });
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
