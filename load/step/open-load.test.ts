import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, onTestFinished, test } from 'vitest';
import { startEmbeddedProcess } from '../../commands/serve/embedded.ts';
import { k6ForTests } from '../../fixtures/kit/programs.ts';
import { checkOptions, k6Transport, openLoad } from './open-load.ts';

const [base, logs] = ['https://game.example/v2', 'http://logs.example:8080'];
const proxy = 'http://user:word@proxy.example:3128';
const on = (transport: Parameters<typeof k6Transport>[0], platform: NodeJS.Platform = 'linux') =>
  k6Transport(transport, [base, logs], '/private/trusted', platform);

test('nothing special is no proxy of any kind', () => {
  expect(on({})).toEqual({ NO_PROXY: 'game.example,logs.example:8080' });
});

test('unchecked certificates are an option of k6, those to be trusted the only ones of Go', () => {
  expect(on({ insecure: true })).toMatchObject({ K6_INSECURE_SKIP_TLS_VERIFY: 'true' });
  expect(on({ ca: 'PEM' })).toMatchObject({
    SSL_CERT_FILE: '/private/trusted/ca.pem',
    SSL_CERT_DIR: '/private/trusted',
  });
});

test('a host that goes without a proxy is spared', () => {
  expect(on({ proxies: { 'https://game.example': proxy } })).toEqual({
    HTTPS_PROXY: proxy,
    NO_PROXY: 'logs.example:8080',
  });
  expect(on({ proxies: { 'https://game.example': proxy, 'http://logs.example:8080': proxy } })).toEqual({
    HTTPS_PROXY: proxy,
    HTTP_PROXY: proxy,
  });
});

test('what k6 cannot do is a mistake of one line', () => {
  expect(() => on({ ca: 'PEM' }, 'darwin')).toThrow(/^TLS_CA: on this system k6 trusts [^\n]+$/);
  const here = { proxies: { 'http://127.0.0.1:8080': proxy } };
  expect(() => k6Transport(here, ['http://127.0.0.1:8080/v2'], '', 'linux')).toThrow(
    /^NO_PROXY: "<-loopback>" [^\n]+$/,
  );
});

// The whole way against the embedded server, as its own process.
const k6 = await k6ForTests();
const { PATH, HOME, CI, XDG_CACHE_HOME, K6_BIN } = process.env;
const env = { PATH, HOME, CI, XDG_CACHE_HOME, K6_BIN };

function anywhere(): string {
  const folder = mkdtempSync(`${tmpdir()}/assay-open-load-`);
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test.skipIf(k6 === undefined)(
  'a mix of all journeys goes through the embedded server without an error',
  async () => {
    const lines: string[] = [];
    const load = await openLoad({
      journey: 'mixed',
      env,
      embedded: startEmbeddedProcess,
      cwd: anywhere(),
      rate: 30,
      say: (line) => lines.push(line),
    });
    onTestFinished(() => load.close());
    expect(lines.filter((line) => line.startsWith('left out'))).toEqual([]);
    const plan = {
      rate: 30,
      durationMs: 2_000,
      warmupMs: 200,
      seed: 1,
      arrivals: 'poisson',
      inFlight: 60,
      label: 'mixed',
    } as const;
    const step = await load.runStep(plan, new AbortController().signal);
    expect(step).toMatchObject({ ended: 'complete', errors: { wrong: 0, transport: 0 } });
    expect(Object.keys(step.operations).length).toBeGreaterThan(35);
    expect(await load.identity()).toMatchObject({ 'base: server': expect.any(String) });
  },
);

test.skipIf(k6 === undefined)(
  'a host that is not this machine is refused before anything is sent',
  async () => {
    const opening = openLoad({
      journey: 'queue',
      env: { ...env, BASE_URL: 'http://192.0.2.1:9' },
      cwd: anywhere(),
    });
    await expect(opening).rejects.toThrow('"192.0.2.1:9" is not this machine');
  },
);

test.skipIf(k6 === undefined)(
  'a target that is down is reported once, and nothing is left behind',
  async () => {
    const lines: string[] = [];
    const opening = openLoad({
      journey: 'queue',
      env: { ...env, BASE_URL: 'http://127.0.0.1:9' },
      cwd: anywhere(),
      say: (line) => lines.push(line),
    });
    await expect(opening).rejects.toThrow(
      /^base: not reached at http:\/\/127\.0\.0\.1:9 \(refused\): nothing accepts connections there; check the port, and that it is up$/,
    );
    expect(lines).toEqual([]);
  },
);

test('a journey whose host is not given says which one before k6 is looked for', () => {
  const checked = () =>
    checkOptions({ journey: 'logs', env: { BASE_URL: 'http://127.0.0.1:9' }, cwd: anywhere() });
  expect(checked).toThrow('GAMELOGS_URL is not set; set it to the URL of the host');
});
