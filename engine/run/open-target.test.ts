import { writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freePort, serveTls } from '../../fixtures/kit/loopback.ts';
import { scratchFolder } from '../../fixtures/kit/scratch.ts';
import { openTarget } from './open-target.ts';

const nothing: RequestListener = (_, response) => response.writeHead(404).end();

/** An https server that nobody knows, and a folder with its certificate. */
async function unknown() {
  const { url, ca } = await serveTls(nothing);
  const cwd = scratchFolder();
  writeFileSync(join(cwd, 'ca.pem'), ca);
  return { cwd, env: { GAMELOGS_URL: url } };
}

const reached = 'gamelogs: answers in';

test('a host with a certificate that nobody knows is not reached', async () => {
  const { cwd, env } = await unknown();
  const { preflight } = await openTarget({ cwd, env });
  expect(preflight.lines).toEqual([expect.stringContaining('(tls)')]);
});

test('TLS_CA makes it known, which is reported', async () => {
  const { cwd, env } = await unknown();
  const { preflight } = await openTarget({ cwd, env: { ...env, TLS_CA: 'ca.pem' } });
  expect(preflight.lines).toEqual([
    'certificates are checked against "ca.pem" (TLS_CA) alone',
    expect.stringContaining(reached),
  ]);
});

test('with --insecure it is reached, and that is shouted', async () => {
  const { cwd, env } = await unknown();
  const { preflight, target } = await openTarget({ cwd, env, insecure: true });
  expect(preflight.lines).toEqual([
    expect.stringMatching(/^INSECURE: no certificate is checked/),
    expect.stringContaining(reached),
  ]);
  expect(target.transport).toEqual({ insecure: true });
});

test('a proxy on the way is reported, and named where nothing comes through', async () => {
  const { cwd, env } = await unknown();
  const proxy = { HTTPS_PROXY: 'http://me:geheim@127.0.0.1:1', NO_PROXY: '<-loopback>' };
  const { preflight, target } = await openTarget({ cwd, env: { ...env, ...proxy } });
  expect(preflight.lines).toEqual([
    'asked through a proxy: gamelogs through http://127.0.0.1:1',
    expect.stringMatching(
      /not reached at .* \(refused\): through the proxy http:\/\/127\.0\.0\.1:1: .*is not reached/,
    ),
  ]);
  expect(preflight.lines.join('\n')).not.toContain('geheim');
  expect(target.secrets).toContain('geheim');
});

test('a host that comes up while it is waited for is judged, and reported', async () => {
  const port = await freePort();
  const env = { GAMELOGS_URL: `https://127.0.0.1:${port}` };
  const lines: string[] = [];
  const print = (line: string) => {
    lines.push(line);
    if (lines.length === 1) void serveTls(nothing, { port });
  };
  const opened = await openTarget({ cwd: '/', env, insecure: true, waitForMs: 20_000, print });
  expect(lines).toEqual([
    expect.stringMatching(/^waiting for gamelogs \(refused\)/),
    expect.stringMatching(/^gamelogs: there after/),
  ]);
  expect(opened.waitedMs).toBeGreaterThan(0);
  expect(opened.preflight.nothingReachable).toBe(false);
});
