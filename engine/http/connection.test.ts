import type { RequestListener } from 'node:http';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { serve, serveConnections, serveSocket, serveTls } from '../../fixtures/kit/loopback.ts';
import { makeCertificate } from '../values/certificate.ts';
import { createClient } from './client.ts';
import { certificateOf, type TransportOptions } from './connection.ts';
import { rawProbe } from './raw.ts';

const safe: RequestListener = (_, response) => response.end('safe');
const deadlineMs = 2_000;

test('a certificate that is trusted is reported with its names and its end', async () => {
  const { url, ca } = await serveTls(safe);
  const found = await certificateOf(url, { ca, deadlineMs });
  expect(found).toEqual({
    protocol: 'TLSv1.3',
    names: 'DNS:localhost, IP Address:127.0.0.1',
    endsAt: expect.closeTo(Date.now() + 86_400_000, -5),
  });
});

test('a certificate of another name, or of nobody known, says why it is not trusted', async () => {
  const certificate = makeCertificate('127.0.0.2', Date.now(), 'other.example');
  const { url, ca } = await serveTls(safe, { certificate });
  expect(await certificateOf(url, { ca, deadlineMs })).toMatchObject({
    distrusted: 'ERR_TLS_CERT_ALTNAME_INVALID',
    names: 'DNS:other.example, IP Address:127.0.0.2',
  });
  expect((await certificateOf(url, { deadlineMs }))?.distrusted).toBe('DEPTH_ZERO_SELF_SIGNED_CERT');
});

test('plain HTTP has none', async () => {
  expect(await certificateOf('http://127.0.0.1:1', { deadlineMs })).toBeUndefined();
});

test('a handshake that does not come about is reported, in time', async () => {
  const silent = await serveConnections(() => {});
  const url = silent.replace('http:', 'https:');
  expect(await certificateOf(url, { deadlineMs: 50 })).toEqual({ distrusted: 'no handshake in time' });
  const closed = await certificateOf('https://127.0.0.1:1', { deadlineMs });
  expect(closed?.distrusted).toMatch(/ECONNREFUSED/);
});

/** A proxy that leads to wherever it is asked to; the heads that came to it. */
async function proxy() {
  const heads: string[] = [];
  const url = await serveSocket((socket, _, chunk) => {
    const head = chunk.toString('latin1');
    heads.push(head);
    const [, method = '', where = ''] = /^(\S+) (\S+)/.exec(head) ?? [];
    const { hostname, port } = new URL(method === 'CONNECT' ? `https://${where}` : where);
    const far = connect({ host: hostname, port: Number(port) });
    far.on('error', () => socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'));
    far.once('connect', () => {
      if (method === 'CONNECT') socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      else far.write(chunk);
      socket.pipe(far).pipe(socket);
    });
  });
  return { host: new URL(url).host, heads };
}

const send = async (url: string, options: TransportOptions) => {
  const client = createClient(options);
  onTestFinished(() => client.close());
  const ask = () => client.send({ method: 'GET', url, headers: [] });
  return [await ask(), await ask()] as const;
};

test('plain HTTP goes to the proxy in absolute form, with its login, on a connection that is kept', async () => {
  const seen: (string | undefined)[] = [];
  const origin = await serve((request, response) => {
    seen.push(request.url, request.headers.host);
    response.end('hello');
  });
  const { host: through, heads } = await proxy();
  const proxies = { [origin]: `http://me:p%40ss@${through}` };
  const [first, second] = await send(`${origin}/a%2fb?c=d`, { proxies });
  expect([first.response?.status, second.response?.status]).toEqual([200, 200]);
  const host = origin.slice('http://'.length);
  expect(seen).toEqual([`${origin}/a%2fb?c=d`, host, `${origin}/a%2fb?c=d`, host]);
  expect(heads).toHaveLength(1);
  expect(heads[0]).toContain(`proxy-authorization: Basic ${Buffer.from('me:p@ss').toString('base64')}\r\n`);
});

test('https goes through a tunnel: the certificate of the host counts, and its login stays with the proxy', async () => {
  const { url: origin, ca } = await serveTls(safe);
  const { host: through, heads } = await proxy();
  const options = { ca, proxies: { [origin]: `http://me:secret@${through}` } };
  const [first, second] = await send(`${origin}/x`, options);
  expect([first.response?.status, second.response?.status]).toEqual([200, 200]);
  expect(heads).toEqual([
    `CONNECT ${origin.slice('https://'.length)} HTTP/1.1\r\nHost: ${origin.slice('https://'.length)}\r\nProxy-Authorization: Basic ${Buffer.from('me:secret').toString('base64')}\r\n\r\n`,
  ]);
  const [{ error }] = await send(`${origin}/x`, { proxies: options.proxies });
  expect(error?.kind).toBe('tls');
});

test('a probe without a parser and a look at the certificate take the tunnel too', async () => {
  const { url: origin, ca } = await serveTls(safe);
  const { host: through, heads } = await proxy();
  const options = { ca, proxies: { [origin]: `http://${through}` } };
  expect((await rawProbe(origin, options)).head?.status).toBe(200);
  expect(await certificateOf(origin, { ...options, deadlineMs: 2_000 })).toMatchObject({
    protocol: 'TLSv1.3',
  });
  expect(heads).toHaveLength(2);
});

test('what frames plain HTTP behind a proxy is the proxy: there is nothing to probe', async () => {
  const { failure } = await rawProbe('http://127.0.0.1:1', {
    proxies: { 'http://127.0.0.1:1': 'http://127.0.0.1:2' },
  });
  expect(failure?.why).toContain('a proxy');
});

test('hosts that no proxy is named for are asked directly', async () => {
  const origin = await serve((_, response) => response.end());
  const [{ response }] = await send(origin, { proxies: { 'http://other.test': 'http://127.0.0.1:1' } });
  expect(response?.status).toBe(200);
});

test.each([
  ['http', 'http://host.test'],
  ['https', 'https://host.test'],
])('a proxy that is not there is named, for %s', async (_, origin) => {
  const [{ error }] = await send(origin, { proxies: { [origin]: 'http://user:geheim@127.0.0.1:1' } });
  expect(error?.kind).toBe('refused');
  expect(error?.message).toContain('the proxy http://127.0.0.1:1 is not reached');
  expect(error?.message).not.toContain('geheim');
});

test.each([
  [
    '407 Proxy Authentication Required',
    'protocol',
    '407 to CONNECT host.test:443 (it wants user and password',
  ],
  ['502 Bad Gateway', 'refused', '502 to CONNECT host.test:443'],
])('a tunnel that is answered %s is reported as such', async (status, kind, why) => {
  const url = await serveSocket((socket) => socket.end(`HTTP/1.1 ${status}\r\n\r\n`));
  const [{ error }] = await send('https://host.test', { proxies: { 'https://host.test': url } });
  expect([error?.kind, error?.message]).toEqual([kind, expect.stringContaining(why)]);
});

test('a plain request that the proxy refuses with 407 is not taken for an answer of the target', async () => {
  const url = await serveSocket((socket) => socket.end('HTTP/1.1 407 No\r\ncontent-length: 0\r\n\r\n'));
  const [{ error }] = await send('http://host.test', { proxies: { 'http://host.test': url } });
  expect(error?.message).toContain('answered 407');
});

test('a proxy that says nothing, or never stops, costs no more than the deadline of a call', async () => {
  const silent = await serveSocket(() => {});
  const endless = await serveSocket((socket) => {
    socket.write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(20_000)}`);
  });
  const ask = async (url: string) => {
    const client = createClient({ timeoutMs: 100, proxies: { 'https://host.test': url } });
    onTestFinished(() => client.close());
    return (await client.send({ method: 'GET', url: 'https://host.test', headers: [] })).error;
  };
  expect((await ask(silent))?.kind).toBe('timeout');
  expect((await ask(endless))?.message).toContain('sends a head without end');
});
