// The generator alone, as benches measure it: a journey's script and data, and targets that answer at once.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startEmbeddedProcess } from '../../commands/serve/embedded.ts';
import { type Load, type LoadOptions, openLoad } from '../../load/step/open-load.ts';

/** The embedded server gives players and data, whatever target the user's own settings name. */
export function openGenerator(
  subject: Pick<LoadOptions, 'journey' | 'operation' | 'rate' | 'say'>,
): Promise<Load> {
  const { PATH, HOME, XDG_CACHE_HOME, K6_BIN } = process.env;
  const env = { PATH, HOME, XDG_CACHE_HOME, K6_BIN };
  return openLoad({ ...subject, env, embedded: startEmbeddedProcess, cwd: import.meta.dirname });
}

export interface Recorder {
  readonly url: string;
  /** When requests arrived since the last call, in ms as `performance.now()` counts them. */
  taken(): number[];
  close(): void;
}

/** A target that answers `{}` at once, and writes down when it was called. */
export async function openRecorder(): Promise<Recorder> {
  let times: number[] = [];
  const server = createServer((request, response) => {
    times.push(performance.now());
    request.resume();
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((ready, fail) => server.once('error', fail).listen(0, '127.0.0.1', ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    taken() {
      const taken = times;
      times = [];
      return taken;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
