// Opens the load generator for the benches that measure it alone, and a target that takes no time to answer.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startEmbeddedProcess } from '../../commands/serve/embedded.ts';
import { type Load, type LoadOptions, openLoad } from '../../load/step/open-load.ts';

/** Prepares a load with players of the embedded server, without the settings that name the user's own target. */
export function openGenerator(
  subject: Pick<LoadOptions, 'journey' | 'operation' | 'rate' | 'say'>,
): Promise<Load> {
  const { PATH, HOME, XDG_CACHE_HOME, K6_BIN } = process.env;
  const env = { PATH, HOME, XDG_CACHE_HOME, K6_BIN };
  return openLoad({ ...subject, env, embedded: startEmbeddedProcess, cwd: import.meta.dirname });
}

/** A target that records when requests arrive. */
export interface Recorder {
  readonly url: string;
  /** Returns and forgets the times at which requests arrived, in ms of `performance.now()`. */
  takeArrivals(): number[];
  close(): void;
}

/** Starts a target that answers `{}` at once. */
export async function openRecorder(): Promise<Recorder> {
  let arrivals: number[] = [];
  const server = createServer((request, response) => {
    arrivals.push(performance.now());
    request.resume();
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((ready, fail) => server.once('error', fail).listen(0, '127.0.0.1', ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    takeArrivals() {
      const taken = arrivals;
      arrivals = [];
      return taken;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
