import { execFile, spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { serve } from '../../fixtures/kit/loopback.ts';
import { addressOf } from './address.ts';
import { type CurlTransport, curl } from './curl.ts';
import type { Request } from './exchange.ts';
import type { Secrets } from './redact.ts';

const here = spawnSync('curl', ['--version']).status === 0;
if (!here && process.env.CI) throw new Error('curl is missing: in CI the commands have to be tried');
if (!here) console.warn('curl is missing: its commands are not tried here');
const tried = test.skipIf(!here);

interface Received {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: [string, string][];
  readonly body: Buffer;
}

/** Runs the command with a real sh and a real curl, and gives what arrived. */
async function run(
  request: (base: string) => Request,
  secrets: Secrets = {},
  env: Record<string, string> = {},
) {
  const received: Received[] = [];
  const base = await serve((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk) => chunks.push(chunk));
    incoming.on('end', () => {
      const { method, url, rawHeaders } = incoming;
      const headers: [string, string][] = [];
      for (let i = 0; i < rawHeaders.length; i += 2)
        headers.push([rawHeaders[i] ?? '', rawHeaders[i + 1] ?? '']);
      received.push({ method, path: url, headers, body: Buffer.concat(chunks) });
      response.end();
    });
  });
  const command = curl(request(base), secrets);
  const error = await new Promise((done) => {
    execFile('sh', ['-c', command], { env: { ...process.env, ...env }, timeout: 10_000 }, (...all) =>
      done(all[0]),
    );
  });
  expect(error, command).toBeNull();
  expect(received).toHaveLength(1);
  return { base, command, received: received[0] as Received };
}

const nasty = `it's "quoted" $HOME \`id\` \\n % 100%s !x é 漢 😀`;

const requests: Record<string, (base: string) => Request> = {
  'a plain GET': (base) => ({ method: 'GET', url: `${base}/a?b=c`, headers: [['accept', 'text/plain']] }),
  'a path that curl would normalize': (base) => ({
    method: 'GET',
    url: `${base}/a/../b//./%2e%2E/[1-3]/{x,y}/'q'$HOME\`id\`?ids=[]&x="<|^\\é b#gone`,
    headers: [],
  }),
  'headers of every kind': (base) => ({
    method: 'GET',
    url: base,
    headers: [
      ['X-Nasty', nasty],
      ['X-Latin', 'caf\u00e9'],
      ['X-Tab', 'a\tb'],
      ['X-Empty', ''],
      ['X-Twice', '1'],
      ['X-Twice', '2'],
      ['User-Agent', 'game/1.0 (x; y)'],
      ['Accept-Encoding', 'gzip'],
    ],
  }),
  'a POST with JSON': (base) => ({
    method: 'POST',
    url: base,
    headers: [['Content-Type', 'application/json']],
    body: JSON.stringify({ nasty, lines: 'a\nb' }, null, 2),
  }),
  'a POST without a body': (base) => ({ method: 'POST', url: base, headers: [] }),
  'a body without a type': (base) => ({ method: 'PUT', url: base, headers: [], body: nasty }),
  'a body that looks like a file name': (base) => ({
    method: 'POST',
    url: base,
    headers: [],
    body: '@/etc/hostname',
  }),
  'a body with line ends': (base) => ({ method: 'POST', url: base, headers: [], body: '\r\n\na\r\n\t\n' }),
  'a body of every byte': (base) => ({
    method: 'POST',
    url: base,
    headers: [],
    body: Uint8Array.from({ length: 512 }, (_, index) => index),
  }),
  'a DELETE with a body': (base) => ({ method: 'DELETE', url: base, headers: [], body: '{"a":1}' }),
  'a DELETE without': (base) => ({ method: 'DELETE', url: `${base}/x`, headers: [] }),
  'a PATCH with a body': (base) => ({ method: 'PATCH', url: base, headers: [], body: 'x' }),
  'a GET with a body': (base) => ({ method: 'GET', url: base, headers: [], body: 'x' }),
  OPTIONS: (base) => ({ method: 'OPTIONS', url: base, headers: [] }),
  HEAD: (base) => ({ method: 'HEAD', url: `${base}/h`, headers: [] }),
  'a large uniform body': (base) => ({ method: 'POST', url: base, headers: [], body: "'".repeat(2_000_000) }),
  'a large body around a run': (base) => ({
    method: 'POST',
    url: base,
    headers: [['Content-Type', 'application/json']],
    body: `{"name":"${'é'.repeat(3)}${'a'.repeat(300_000)}","it's":"${'\0'.repeat(20_000)}"}`,
  }),
};

for (const [what, request] of Object.entries(requests)) {
  tried(`the command sends ${what} as it was`, async () => {
    const { base, received } = await run(request);

    const { method, url, headers, body } = request(base);
    expect(received.method).toBe(method);
    expect(received.path).toBe(addressOf(url)?.path);
    expect(received.body.equals(Buffer.from(body ?? ''))).toBe(true);
    const wire = headers.map(([name, value]) => [name, /[^\x00-\xff]/.test(value) ? latin(value) : value]);
    const added = received.headers.filter(([name]) => !/^(host|content-length)$/i.test(name));
    expect(added).toEqual(wire);
  });
}

const latin = (text: string) => Buffer.from(text, 'utf8').toString('latin1');

tried('secrets are named by variable, and the command works with them', async () => {
  const token = 'tok+en/1==';
  const session = 'sess-0123456789';
  const key = 'key-abcdef';

  const { command, received } = await run(
    (base) => ({
      method: 'POST',
      url: `${base}/login?raw=${token}&token=${encodeURIComponent(token)}&x=1`,
      headers: [
        ['Authorization', `Bearer ${session}`],
        ['X-Api-Key', key],
      ],
      body: `100% ${token}\0${session}'`,
    }),
    { token, session: [{ value: session }], env: { GAME_API_KEY: key } },
    { ASSAY_TOKEN: token, ASSAY_SESSION: session, GAME_API_KEY: key },
  );

  for (const secret of [token, encodeURIComponent(token), session, key])
    expect(command).not.toContain(secret);
  expect(command).toContain(`'Authorization: Bearer '"$ASSAY_SESSION"`);
  expect(decodeURIComponent(received.path ?? '')).toBe(`/login?raw=${token}&token=${token}&x=1`);
  expect(received.headers).toContainEqual(['Authorization', `Bearer ${session}`]);
  expect(received.headers).toContainEqual(['X-Api-Key', key]);
  expect(received.body.toString()).toBe(`100% ${token}\0${session}'`);
});

test('a session of several cookies is one variable', () => {
  const headers: Request['headers'] = [['cookie', 'sid=abcdefgh; csrf=ijklmnop']];

  const command = curl(
    { method: 'GET', url: 'http://h/', headers },
    { session: [{ value: 'a=abcdefgh; b=ijklmnop', cookies: ['abcdefgh', 'ijklmnop'] }] },
  );

  expect(command).toContain(`-H 'cookie: '"$ASSAY_SESSION"`);
  expect(command).not.toMatch(/abcdefgh|ijklmnop/);
});

test('a short secret is a variable where a credential stands, and nowhere else', () => {
  const headers: Request['headers'] = [['Authorization', 'Bearer par']];

  const command = curl(
    { method: 'GET', url: 'http://h/party?token=par', headers },
    { token: 'par', session: [{ value: 'par' }] },
  );

  expect(command).toContain(`'Authorization: Bearer '"$ASSAY_SESSION"`);
  expect(command).toContain(`'http://h/party?token='"$ASSAY_SESSION"`);
});

test('other secrets are taken out', () => {
  const body = 'a stranger-secret b';

  const command = curl(
    { method: 'POST', url: 'http://h/', headers: [], body },
    { redact: (text) => text.replaceAll('stranger-secret', '[redacted]') },
  );

  expect(command).toContain(`--data-binary 'a [redacted] b'`);
});

test('a large irregular body is shortened and says so', () => {
  const body = Array.from({ length: 8000 }, (_, index) => `${index},`).join('');

  const command = curl({ method: 'POST', url: 'http://h/', headers: [], body });

  expect(command).toMatch(/^: 'body shortened: 38890 bytes were sent, these are the first 32768'; printf '/);
  expect(command.length).toBeLessThan(34_000);
});

test('a batch of log records stands whole in its command', () => {
  const body = JSON.stringify(Array.from({ length: 400 }, (_, index) => ({ message: `record ${index}` })));
  expect(curl({ method: 'POST', url: 'http://h/', headers: [], body })).toContain(`'${body}'`);
});

test('a command takes the way that the request took', () => {
  const transport = {
    caFile: "my ca's.pem",
    proxies: { 'https://a.test': 'http://me:geheim@proxy.test:3128' },
  };
  const plain = (url: string, how: CurlTransport) => curl({ method: 'GET', url, headers: [] }, {}, how);
  expect(plain('https://a.test/x', transport)).toContain(
    ` --cacert 'my ca'\\''s.pem' --proxy 'http://proxy.test:3128' `,
  );
  expect(plain('https://b.test/x', { insecure: true })).toContain(' --insecure ');
  expect(plain('http://b.test/x', { insecure: true, caFile: 'ca.pem' })).not.toMatch(/insecure|cacert|proxy/);
});

test('a plain GET is a plain command', () => {
  expect(curl({ method: 'GET', url: 'http://127.0.0.1:8080/api/v1/party', headers: [] })).toBe(
    `curl -sS -i --path-as-is --globoff -H 'Accept:' -H 'User-Agent:' 'http://127.0.0.1:8080/api/v1/party'`,
  );
});
