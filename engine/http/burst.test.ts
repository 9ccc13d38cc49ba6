import { createServer, type IncomingMessage } from 'node:http';
import { createSecureServer } from 'node:http2';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { listen, serve, serveTls } from '../../fixtures/kit/loopback.ts';
import { makeCertificate } from '../values/certificate.ts';
import { burst, burstHttp2, offersHttp2, shortestWindowMs } from './burst.ts';
import type { Request } from './exchange.ts';

const seen: { readonly path: string; readonly body: string; readonly at: number }[] = [];
const server = createServer(async (request: IncomingMessage, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  seen.push({ path: request.url ?? '', body, at: performance.now() });
  if (request.url === '/never') return;
  if (request.url === '/cut') return void request.socket.destroy();
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ path: request.url, body }));
});
const { url: base, close } = await listen(server);
afterAll(close);

const post = (path: string, body?: string): Request => ({
  method: 'POST',
  url: `${base}${path}`,
  headers: [['content-type', 'application/json']],
  ...(body !== undefined && { body }),
});
const textOf = (body?: Uint8Array) => Buffer.from(body ?? []).toString();

test.each(['last-byte', 'whole'] as const)(
  'each request arrives whole, and has its own answer (%s)',
  async (release) => {
    seen.length = 0;
    const requests = Array.from({ length: 16 }, (_, at) =>
      post(`/call/${at}`, at % 2 === 0 ? `{"n":${at}}` : undefined),
    );
    const exchanges = await burst(requests, release, { timeoutMs: 5_000 });
    expect(exchanges.map(({ response }) => response?.status)).toEqual(requests.map(() => 200));
    expect(exchanges.map(({ response }) => JSON.parse(textOf(response?.body)))).toEqual(
      requests.map((_, at) => ({ path: `/call/${at}`, body: at % 2 === 0 ? `{"n":${at}}` : '' })),
    );
    expect(seen).toHaveLength(16);
  },
);

test('no call arrives before the last of them is ready', async () => {
  seen.length = 0;
  const begun = performance.now();
  await burst([post('/a', '{}'), post('/b', '{}')], 'last-byte', { timeoutMs: 5_000 });
  expect(Math.min(...seen.map(({ at }) => at)) - begun).toBeGreaterThanOrEqual(20);
});

test('an answer that never comes, a cut connection and a closed port end as such, and hold up no other', async () => {
  const requests = [
    post('/never'),
    post('/cut'),
    post('/fine'),
    { ...post('/'), url: 'http://127.0.0.1:1/' },
  ];
  const exchanges = await burst(requests, 'whole', { timeoutMs: 300 });
  expect(exchanges.map(({ response, error }) => response?.status ?? error?.kind)).toEqual([
    'timeout',
    'reset',
    200,
    'refused',
  ]);
});

test('what cannot be written is not sent', async () => {
  const [exchange] = await burst([{ ...post('/'), headers: [['x', 'a\r\nb']] }], 'whole', { timeoutMs: 300 });
  expect(exchange?.error?.kind).toBe('protocol');
});

test('at most sixteen go at one moment', async () => {
  const requests = Array.from({ length: 20 }, () => post('/many'));
  expect(await burst(requests, 'whole', { timeoutMs: 5_000 })).toHaveLength(16);
});

describe('on one HTTP/2 connection', () => {
  const certificate = makeCertificate('127.0.0.1', Date.now());
  const options = { insecure: true, timeoutMs: 2_000 };

  /** A server that speaks both, and counts its connections. */
  async function speaking() {
    const seen: { readonly body: string; readonly fields: Readonly<Record<string, unknown>> }[] = [];
    let connections = 0;
    const server = createSecureServer({ ...certificate, allowHTTP1: true }, async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      seen.push({ body, fields: request.headers });
      if (request.url === '/never') return;
      if (request.url === '/cut') return void request.stream.destroy();
      response.writeHead(201, { 'content-type': 'application/json', 'set-cookie': ['a=1', 'b=2'] }).end(body);
    });
    server.on('session', () => {
      connections += 1;
    });
    server.on('sessionError', () => {});
    const { url, close } = await listen(server);
    onTestFinished(close);
    return { url: url.replace('http:', 'https:'), seen, connections: () => connections };
  }

  const post = (url: string, body?: string): Request => ({
    method: 'POST',
    url,
    headers: [
      ['Authorization', 'Bearer of-one'],
      ['Connection', 'close'],
      ['content-type', 'application/json'],
    ],
    ...(body !== undefined && { body }),
  });

  test('requests go as streams of one connection, and each has its own answer', async () => {
    const { url, seen, connections } = await speaking();
    const requests = Array.from({ length: 8 }, (_, at) => post(`${url}/call/${at}`, `{"n":${at}}`));
    const exchanges = await burstHttp2(requests, options);
    expect(exchanges.map(({ request }) => request)).toEqual(requests);
    expect(exchanges.map(({ response }) => response?.status)).toEqual(requests.map(() => 201));
    expect(exchanges.map(({ response }) => Buffer.from(response?.body ?? []).toString())).toEqual(
      requests.map(({ body }) => body),
    );
    expect(exchanges[0]?.response?.headers.filter(([name]) => name === 'set-cookie')).toEqual([
      ['set-cookie', 'a=1'],
      ['set-cookie', 'b=2'],
    ]);
    expect(connections()).toBe(1);
    expect(seen[0]?.fields).toMatchObject({ authorization: 'Bearer of-one' });
  });

  test('an answer that never comes and a stream that is cut end as such, and hold up no other', async () => {
    const { url } = await speaking();
    const requests = [post(`${url}/never`), post(`${url}/cut`), post(`${url}/fine`)];
    const exchanges = await burstHttp2(requests, { ...options, timeoutMs: 400 });
    expect(exchanges.map(({ response, error }) => response?.status ?? (error && 'error'))).toEqual([
      'error',
      'error',
      201,
    ]);
  });

  test('it is offered where TLS agrees on it, and nowhere else', async () => {
    expect(await offersHttp2((await speaking()).url, options)).toBe(true);
    const { url } = await serveTls((_, response) => response.end(), { certificate });
    expect(await offersHttp2(url, options)).toBe(false);
    expect(await offersHttp2(await serve((_, response) => response.end()), options)).toBe(false);
    const { url: unknown } = await speaking();
    expect(await offersHttp2(unknown, {})).toBe(false);
    const proxies = { [unknown]: 'http://127.0.0.1:1' };
    expect(await offersHttp2(unknown, { ...options, proxies })).toBe(false);
    const [exchange] = await burstHttp2([post(url)], options);
    expect(exchange?.error?.kind).toBe('reset');
  });
});

describe('the window that is measured', () => {
  test('this machine meets a window that is shorter than the one that mutants have at most', async () => {
    const window = await shortestWindowMs(3);
    expect(window).toBeGreaterThan(0);
    expect(window).toBeLessThan(20);
  });

  test('without a burst nothing is known', async () => {
    expect(await shortestWindowMs(0)).toBeUndefined();
  });
});
