import { createServer, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { listen } from '../../fixtures/kit/loopback.ts';
import { type Cut, cutOff } from './cut-off.ts';
import type { Request } from './exchange.ts';

const whole: string[] = [];
const halves: string[] = [];
const server = createServer((request: IncomingMessage, response) => {
  let body = '';
  request.on('data', (chunk: Buffer) => {
    body += chunk;
  });
  request.on('end', () => {
    whole.push(body);
    if (request.url !== '/never') response.end('done');
  });
  request.on('error', () => halves.push(body));
});
const { url: base, close } = await listen(server);
afterAll(close);

const post = (path: string, body?: string): Request => ({
  method: 'POST',
  url: `${base}${path}`,
  headers: [],
  ...(body !== undefined && { body }),
});
const cutAfter = (request: Request, cut: Cut, timeoutMs = 2_000) => cutOff(request, cut, { timeoutMs });

test.each(['at once', 'in the answer'] as const)('the whole request arrives (%s)', async (cut) => {
  whole.length = 0;
  expect(await cutAfter(post('/', '{"n":1}'), cut)).toBe(true);
  await expect.poll(() => whole).toEqual(['{"n":1}']);
});

test('half of a body arrives, and no more of it', async () => {
  whole.length = 0;
  expect(await cutAfter(post('/', 'abcdefgh'), 'in the body')).toBe(true);
  await expect.poll(() => halves).toEqual(['abcd']);
  await sleep(20);
  expect(whole).toEqual([]);
});

test('a request without a body has none to be cut in, and one that cannot be written is not sent', async () => {
  expect(await cutAfter(post('/'), 'in the body')).toBe(false);
  expect(await cutAfter({ ...post('/'), headers: [['x', 'a\r\nb']] }, 'at once')).toBe(false);
  expect(await cutAfter({ ...post('/'), url: 'ftp://127.0.0.1/' }, 'at once')).toBe(false);
});

test('a port where nobody listens, and an answer that never begins, end it', async () => {
  expect(await cutAfter({ ...post('/'), url: 'http://127.0.0.1:1/' }, 'at once')).toBe(false);
  expect(await cutAfter(post('/never', '{}'), 'in the answer', 1_000)).toBe(true);
});
