import { createServer, type IncomingMessage } from 'node:http';
import { afterAll, expect, test } from 'vitest';
import { listen } from '../../fixtures/kit/loopback.ts';
import { burst } from './burst.ts';
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
