import { execFile } from 'node:child_process';
import { createServer, type IncomingMessage } from 'node:http';
import { createSecureServer } from 'node:http2';
import { promisify } from 'node:util';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { listen } from '../../fixtures/kit/loopback.ts';
import { fileOf } from '../../fixtures/kit/scratch.ts';
import { makeCertificate } from '../values/certificate.ts';
import type { Request } from './exchange.ts';
import { type Repetition, script } from './script.ts';

const seen: {
  readonly body: string;
  readonly session: string;
  readonly path: string;
  readonly at: number;
}[] = [];
const halves: string[] = [];
const server = createServer((request: IncomingMessage, response) => {
  let body = '';
  request.on('data', (chunk: Buffer) => {
    body += chunk;
  });
  request.on('end', () => {
    const session = request.headers.authorization ?? '';
    seen.push({ body, session, path: request.url ?? '', at: performance.now() });
    response.end('done');
  });
  request.on('error', () => halves.push(body));
});
const { url: base, close } = await listen(server);
afterAll(close);

const of = (player: number, body: string | undefined = '{"höhe":"größe \u202e"}'): Request => ({
  method: 'POST',
  url: `${base}/redeem?token=a%20secret-${player}`,
  headers: [
    ['Authorization', `Bearer secret-of-${player}`],
    ['content-type', 'application/json'],
  ],
  ...(body !== undefined && { body }),
});
const secretsOf = ({ headers }: Request) => {
  const [, value = ''] = headers[0] ?? [];
  return { session: [{ value: value.slice(7) }], token: `a secret-${value.at(-1)}` };
};
const written = (repetition: Repetition) =>
  script(repetition, secretsOf, { summary: '2 of 8\nacknowledged', transport: {} });

async function run(text: string | undefined): Promise<string> {
  seen.length = 0;
  const env = { ...process.env, ASSAY_TOKEN: 'a secret-9' };
  const { stdout } = await promisify(execFile)(process.execPath, [fileOf('finding.mjs', text ?? '')], {
    env: { ...env, ASSAY_SESSION: 'fresh', ASSAY_SESSION_OF_PLAYER_2: 'other' },
  });
  return stdout;
}

test.each(['last-byte', 'whole'] as const)(
  'sends the requests at one moment, without secrets: %s',
  async (how) => {
    const text = written({ requests: [of(1), of(1), of(2)], how });
    expect(text).not.toMatch(/secret-of|secret-1/);
    expect(text).toMatch(
      /^\/\/ 2 of 8 acknowledged\n.*\n\/\/ Set ASSAY_TOKEN, ASSAY_SESSION, ASSAY_SESSION_OF_PLAYER_2:/,
    );
    expect(text).toMatch(/^[\x20-\x7e\n]+$/);
    expect(await run(text)).toBe('HTTP/1.1 200 OK\n'.repeat(3));
    expect(seen.map(({ session }) => session).sort()).toEqual([
      'Bearer fresh',
      'Bearer fresh',
      'Bearer other',
    ]);
    expect(seen.map(({ path }) => path)).toEqual(Array(3).fill('/redeem?token=a%20secret-9'));
    expect(new Set(seen.map(({ body }) => body))).toEqual(new Set(['{"höhe":"größe \u202e"}']));
  },
);

test('sends what met over HTTP/2 as streams of one connection', async () => {
  const met: string[] = [];
  let connections = 0;
  const own = createSecureServer(makeCertificate('127.0.0.1', Date.now()), async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    met.push(`${request.headers.authorization} ${request.url} ${body}`);
    if (body === 'cut') return void request.stream.destroy();
    response.writeHead(201).end();
  });
  own.on('session', () => {
    connections += 1;
  });
  const { url, close: end } = await listen(own);
  onTestFinished(end);
  const to = (player: number, body?: string): Request => {
    const { url: path, ...request } = of(player, body);
    return { ...request, url: path.replace(base, url.replace('http:', 'https:')) };
  };
  const text = script({ requests: [to(1), to(1), to(2, 'cut')], how: 'one-connection' }, secretsOf, {
    summary: 'met',
    transport: { insecure: true },
  });
  expect(await run(text)).toMatch(/^HTTP\/2 201\nHTTP\/2 201\n(no answer|.*Error.*)\n$/);
  const body = '{"höhe":"größe \u202e"}';
  expect([connections, ...met.sort()]).toEqual([
    1,
    `Bearer fresh /redeem?token=a%20secret-9 ${body}`,
    `Bearer fresh /redeem?token=a%20secret-9 ${body}`,
    'Bearer other /redeem?token=a%20secret-9 cut',
  ]);
});

test('cuts the request off, and sends it again', async () => {
  const text = written({ requests: [of(1, 'abcdefgh')], how: ['in the body', 'at once', 'in the answer'] });
  expect(await run(text)).toBe('HTTP/1.1 200 OK\n');
  expect(halves).toEqual(['abcd']);
  expect(seen.map(({ body }) => body)).toEqual(['abcdefgh', 'abcdefgh', 'abcdefgh']);
});

test('writes no script for a request that it cannot express', () => {
  const none = (requests: readonly Request[], transport = {}) =>
    expect(script({ requests, how: 'whole' }, () => ({}), { summary: '', transport })).toBeUndefined();
  none([]);
  none([of(1, 'x'.repeat(9_000))]);
  none([{ ...of(1), body: new Uint8Array([0, 1]) }]);
  none([of(1, 'a\u0000b')]);
  none([of(1)], { proxies: { [base]: 'http://127.0.0.1:1' } });
});

test('speaks TLS where the target does, with a certificate that nobody checks', () => {
  const get: Request = { method: 'GET', url: 'https://[::1]/config', headers: [['host', 'game.test']] };
  const text = script({ requests: [get], how: 'whole' }, () => ({}), {
    summary: '',
    transport: { insecure: true },
  });
  expect(text).toContain("from 'node:tls'");
  expect(text).toContain('{"host":"::1","port":443,"rejectUnauthorized":false}');
  expect(text).toContain('message("GET " + "/config", ["host: game.test"])');
});
