// A model made real: a server that answers as one that stands behind it does, but when and how the model says.
import {
  Agent,
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Model } from './model.ts';

export interface Front {
  readonly url: string;
  /** From now on requests are the model's; before, they are passed on as they come. */
  arm(): void;
  /** When each request since then arrived, in ms. */
  readonly arrivals: readonly number[];
  close(): void;
}

/** A timer fires up to one ms late, and never early. */
const timersLateness = 0.6;

/** @param behind URL of the server that makes the answers */
export async function startFront(behind: string, model: Model): Promise<Front> {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const arrivals: number[] = [];
  let isArmed = false;
  const server = createServer((incoming, outgoing) => {
    const now = performance.now();
    if (!isArmed) return pass(behind, agent, incoming, outgoing, now);
    arrivals.push(now);
    const { ms, status } = model.serve(now);
    if (status === 200) return pass(behind, agent, incoming, outgoing, now + ms);
    incoming.resume();
    at(now + ms, () => outgoing.writeHead(status, { 'content-type': 'application/json' }).end('{}'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arm: () => {
      isArmed = true;
    },
    arrivals,
    close: () => end(server, agent),
  };
}

function end(server: Server, agent: Agent): void {
  server.close();
  server.closeAllConnections();
  agent.destroy();
}

function at(dueMs: number, act: () => void): void {
  const left = dueMs - performance.now();
  if (left <= timersLateness) act();
  else setTimeout(act, Math.round(left - timersLateness));
}

/** The answer is held back until it is due. */
function pass(
  behind: string,
  agent: Agent,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  dueMs: number,
) {
  const { method, headers, url = '/' } = incoming;
  const inner = request(`${behind}${url}`, { method: method ?? 'GET', headers, agent }, (answer) => {
    const chunks: Buffer[] = [];
    answer.on('data', (chunk: Buffer) => chunks.push(chunk));
    answer.on('end', () =>
      at(dueMs, () => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        outgoing.end(Buffer.concat(chunks));
      }),
    );
  });
  inner.on('error', () => outgoing.destroy());
  incoming.pipe(inner);
}
