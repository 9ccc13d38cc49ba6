import { createSecureServer } from 'node:http2';
import { expect, onTestFinished, test } from 'vitest';
import { listen, serve, serveTls } from '../../fixtures/kit/loopback.ts';
import { makeCertificate } from '../values/certificate.ts';
import { burstHttp2, offersHttp2 } from './burst-http2.ts';
import type { Request } from './exchange.ts';

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
