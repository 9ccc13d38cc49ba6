// What `npx vitest run --project conformance` ends with: the verdict of `npm start`, and never green without one.
import { execFile } from 'node:child_process';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { root } from '../../../engine/files.ts';
import { startServer } from '../../../fixtures/reference/server.ts';

const limitMs = 120_000;
const nowhere = 'http://127.0.0.1:9';

/** Runs the checks of one small area, as a user does, against these hosts. */
function conformance(hosts: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const command = [vitest, 'run', '--configLoader', 'native', '--project', 'conformance', 'suites/features'];
  const env = { PATH: process.env.PATH, NO_COLOR: '1', ...hosts };
  return new Promise<{ code: unknown; text: string }>((resolve) => {
    execFile(
      process.execPath,
      [...command, ...args],
      { cwd: root, timeout: limitMs, env },
      (error, stdout, stderr) => resolve({ code: error === null ? 0 : error.code, text: stdout + stderr }),
    );
  });
}

const allAt = (url: string) => ({ BASE_URL: url, CDN_URL: url, GAMELOGS_URL: url });

async function listening(server: Server): Promise<string> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket.on('error', () => {})));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test(
  'three hosts at a closed port: nothing was judged, exit 2',
  async () => {
    const { code, text } = await conformance(allAt(nowhere));
    expect(text).toContain('conformance: Nothing was judged: no host answers.');
    expect(code).toBe(2);
  },
  limitMs,
);

test(
  'a host that accepts connections and never answers: nothing was judged, exit 2',
  async () => {
    const { code, text } = await conformance(allAt(await listening(createServer())));
    expect(text).toContain('conformance: Nothing was judged: no host answers.');
    expect(code).toBe(2);
  },
  limitMs,
);

test(
  'a wall of 401: too little was judged, exit 1',
  async () => {
    const wall = createHttpServer((request, response) => {
      request.resume();
      response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":"no"}');
    });
    const { code, text } = await conformance(allAt(await listening(wall)));
    expect(text).toMatch(/conformance: .*Too little could be judged on base: \d+ % of its documented checks/);
    expect(code).toBe(1);
  },
  limitMs,
);

test(
  'one of three hosts closed: exit 1, though no check that was asked for needs it; with all three, exit 0',
  async () => {
    const server = await startServer();
    onTestFinished(server.close);
    const hosts = { BASE_URL: server.baseUrl, GAMELOGS_URL: server.gamelogsUrl };
    const [short, whole] = await Promise.all([
      conformance({ ...hosts, CDN_URL: nowhere }),
      conformance({ ...hosts, CDN_URL: server.cdnUrl }),
    ]);
    expect(short.text).toContain('cdn was not reached');
    expect(whole.text).toContain('conformance: Conforms');
    expect([short.code, whole.code]).toEqual([1, 0]);
  },
  limitMs,
);

test(
  'a filter that selects nothing: nothing was judged, exit 1',
  async () => {
    const { code, text } = await conformance({}, '-t', 'no check has this name');
    expect(text).toContain('conformance: Nothing could be judged.');
    expect(code).toBe(1);
  },
  limitMs,
);
