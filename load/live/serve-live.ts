// Serves `--live`: a page on this machine that shows the seconds of a run as they come, earlier ones first.
import { createReadStream, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Second } from '../run/progress.ts';

export interface Live {
  readonly url: string;
  second(second: Second): void;
  /** The last word; the page stays as it is. */
  end(verdict: string): void;
  close(): void;
}

const page = readFileSync(new URL('./page.html', import.meta.url));
const script = readFileSync(new URL('./page.js', import.meta.url));
const policy =
  "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; connect-src 'self'; img-src data:";
/** Nobody has more pages open. */
const mostListeners = 16;
/** A day, and then the oldest go. */
const mostSeconds = 86_400;

/** Listens on the loopback address alone, on any free port. */
export async function serveLive(title: string): Promise<Live> {
  const seconds: Second[] = [];
  const listeners = new Set<ServerResponse>();
  let verdict: string | undefined;
  const put = (listener: ServerResponse, event: string, data: unknown) =>
    listener.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  const tell = (event: string, data: unknown) => {
    for (const listener of listeners) put(listener, event, data);
  };

  const stream = (response: ServerResponse) => {
    if (listeners.size >= mostListeners)
      return answer(response, 503, 'text/plain', 'too many pages are open');
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    listeners.add(response);
    response.on('close', () => listeners.delete(response));
    put(response, 'begin', { title, seconds });
    if (verdict !== undefined) put(response, 'end', verdict);
  };

  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const { port } = server.address() as AddressInfo;
    // A page elsewhere that found out the port must not read along by a name of its own (DNS rebinding).
    if (request.headers.host !== `127.0.0.1:${port}`)
      return answer(response, 421, 'text/plain', 'another host');
    if (request.method !== 'GET') return answer(response, 405, 'text/plain', 'GET alone');
    switch (request.url) {
      case '/':
        return answer(response, 200, 'text/html; charset=utf-8', page);
      case '/page.js':
        return answer(response, 200, 'text/javascript; charset=utf-8', script);
      case '/echarts.js':
        response.writeHead(200, { 'content-type': 'text/javascript; charset=utf-8' });
        createReadStream(fileURLToPath(import.meta.resolve('#echarts'))).pipe(response);
        return;
      case '/seconds':
        return stream(response);
      default:
        return answer(response, 404, 'text/plain', 'not here');
    }
  });
  await new Promise<void>((ready, fail) => server.once('error', fail).listen(0, '127.0.0.1', ready));
  server.unref();
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    second(second) {
      seconds.push(second);
      if (seconds.length > mostSeconds) seconds.shift();
      tell('second', second);
    },
    end(finalVerdict) {
      verdict = finalVerdict;
      tell('end', finalVerdict);
    },
    close() {
      for (const listener of listeners) listener.end();
      server.close();
      server.closeAllConnections();
    },
  };
}

function answer(response: ServerResponse, status: number, type: string, body: string | Buffer): void {
  response.writeHead(status, {
    'content-type': type,
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
  });
  response.end(body);
}
