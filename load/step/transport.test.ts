// Load through TLS and a proxy: Node's settings for them hold for k6 too.
import { writeFileSync } from 'node:fs';
import { createServer as createProxy } from 'node:http';
import { createSecureServer, type ServerHttp2Session } from 'node:http2';
import { connect, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { createServer as createTls } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { startEmbeddedProcess } from '../../commands/serve/embedded.ts';
import { makeCertificate } from '../../engine/values/certificate.ts';
import { listen } from '../../fixtures/kit/loopback.ts';
import { k6ForTests } from '../../fixtures/kit/programs.ts';
import { sampleData, samplePlan } from '../../fixtures/kit/sample-step.ts';
import { scratchFolder } from '../../fixtures/kit/scratch.ts';
import { type LoadOptions, openLoad } from './open-load.ts';
import { performStep } from './run-step.ts';

const k6 = await k6ForTests();
const run = test.skipIf(k6 === undefined);
const { PATH, HOME, CI, XDG_CACHE_HOME, K6_BIN } = process.env;

async function listening(server: Server): Promise<number> {
  const { port, close } = await listen(server);
  onTestFinished(close);
  return port;
}

function piped(one: Socket, other: Socket): void {
  one.on('error', () => other.destroy()).pipe(other);
  other.on('error', () => one.destroy()).pipe(one);
}

/** The logging API of the embedded server behind a certificate that nobody knows. */
async function behindTls(): Promise<{ readonly port: number; readonly caFile: string }> {
  const certificate = makeCertificate('127.0.0.1', Date.now(), 'game.test');
  const caFile = join(scratchFolder(), 'ca.pem');
  writeFileSync(caFile, certificate.cert);
  const embedded = await startEmbeddedProcess(1);
  onTestFinished(() => embedded.close());
  const behind = Number(new URL(embedded.env.GAMELOGS_URL ?? '').port);
  const port = await listening(
    createTls(certificate, (socket) => piped(socket, connect(behind, '127.0.0.1'))),
  );
  return { port, caFile };
}

/** @returns the login that each tunnel was asked for with */
async function proxyTo(port: number) {
  const logins: (string | undefined)[] = [];
  const proxy = createProxy().on('connect', (request, socket, head) => {
    logins.push(request.headers['proxy-authorization']);
    const target = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      target.write(head);
      piped(socket as Socket, target);
    });
  });
  return { port: await listening(proxy), logins };
}

async function opened(env: Readonly<Record<string, string>>, more: Partial<LoadOptions> = {}) {
  const lines: string[] = [];
  const load = await openLoad({
    journey: 'logs',
    env: { PATH, HOME, CI, XDG_CACHE_HOME, K6_BIN, ...env },
    cwd: scratchFolder(),
    rate: 20,
    say: (line) => lines.push(line),
    ...more,
  });
  onTestFinished(() => load.close());
  return { load, lines };
}

const second = {
  rate: 20,
  durationMs: 1_000,
  warmupMs: 200,
  seed: 1,
  arrivals: 'even',
  inFlight: 20,
  label: 'transport',
} as const;
const never = new AbortController().signal;

run('an unknown certificate is refused before any load; --insecure shouts and goes on', async () => {
  const { port } = await behindTls();
  const env = { GAMELOGS_URL: `https://127.0.0.1:${port}` };
  await expect(opened(env)).rejects.toThrow(
    /^gamelogs: not reached at [^\n]* \(tls\): nobody whom this machine trusts has signed its certificate; [^\n]*TLS_CA[^\n]*$/,
  );

  const { load, lines } = await opened(env, { insecure: true });
  expect(lines[0]).toMatch(/^INSECURE: no certificate is checked/);
  expect(load.insecure).toBe(true);
  const step = await load.runStep(second, never);
  expect(step).toMatchObject({ ended: 'complete', errors: { wrong: 0, transport: 0 } });
  expect(step.sent).toBeGreaterThan(10);
});

run('TLS_CA and a proxy with a login hold for k6 as for the calls before', async () => {
  const { port, caFile } = await behindTls();
  const proxy = await proxyTo(port);
  const { load } = await opened({
    GAMELOGS_URL: 'https://game.test',
    LOAD_ALLOW_HOSTS: 'game.test',
    TLS_CA: caFile,
    HTTPS_PROXY: `http://user:word@127.0.0.1:${proxy.port}`,
  });
  const before = proxy.logins.length;
  const step = await load.runStep(second, never);
  expect(step).toMatchObject({ ended: 'complete', errors: { wrong: 0, transport: 0 } });
  expect(proxy.logins.length).toBeGreaterThan(before);
  expect(new Set(proxy.logins)).toEqual(new Set([`Basic ${Buffer.from('user:word').toString('base64')}`]));
});

run.each(['shared', 'per-player'] as const)(
  'HTTP/2 is spoken where the target does, connections %s',
  async (connections) => {
    const certificate = makeCertificate('127.0.0.1', Date.now(), '127.0.0.1');
    const sessions: ServerHttp2Session[] = [];
    const versions = new Set<string>();
    const server = createSecureServer({ ...certificate, allowHTTP1: true }, (request, response) => {
      versions.add(request.httpVersion);
      response.setHeader('content-type', 'application/json');
      response.end('{"fine":true}');
    }).on('session', (session) => sessions.push(session));
    const { port, close } = await listen(server);
    onTestFinished(async () => {
      for (const session of sessions) session.destroy();
      await close();
    });
    const folder = scratchFolder();
    const dataFile = join(folder, 'data.json');
    const groups = Array.from({ length: 5 }, () => sampleData.groups[0]);
    writeFileSync(dataFile, JSON.stringify({ groups, batches: {} }));
    const { plan: shared } = samplePlan({
      hosts: { base: `https://127.0.0.1:${port}` },
      dataFile,
      connections,
    });
    const step = await performStep(
      {
        k6: k6 ?? '',
        folder,
        visits: shared.visits,
        shared: { ...shared, groups: groups.length },
        variables: { K6_INSECURE_SKIP_TLS_VERIFY: 'true' },
      },
      // A player's first connection stands before their next journey begins.
      { ...second, rate: 10 },
      never,
    );
    expect(step).toMatchObject({ ended: 'complete', errors: { wrong: 0, transport: 0 } });
    expect(versions).toEqual(new Set(['2.0']));
    // Two that begin at once may both ask for the first.
    if (connections === 'shared') expect(sessions.length).toBeLessThanOrEqual(2);
    else expect(sessions).toHaveLength(5);
  },
);
