import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { freePort, serve, serveSocket } from '../../fixtures/kit/loopback.ts';
import { createInFlight } from './body-limits.ts';
import { type ClientOptions, createClient } from './client.ts';
import { header, headerAll, json, mediaType, type Request, text } from './exchange.ts';

function client(options: ClientOptions = {}) {
  const made = createClient({ timeoutMs: 5000, ...options });
  onTestFinished(() => made.close());
  return made;
}

const get = (url: string): Request => ({ method: 'GET', url, headers: [] });

test('a body that drips ends by the deadline, with what had arrived', async () => {
  const base = await serve((_, response) => {
    response.writeHead(200);
    response.write('.');
    const drip = setInterval(() => response.write('.'), 10);
    response.on('close', () => clearInterval(drip));
  });
  const sender = client({ timeoutMs: 60_000 });

  // On a busy machine nothing may arrive so soon: then it is given more time.
  let deadlineMs = 300;
  let exchange = await sender.send(get(base), { deadlineMs });
  while (exchange.error?.partial === undefined && deadlineMs < 10_000) {
    deadlineMs *= 3;
    exchange = await sender.send(get(base), { deadlineMs });
  }

  expect(exchange.error).toMatchObject({ kind: 'timeout', partial: { status: 200 } });
  expect(exchange.error?.partial?.bytes).toBeGreaterThan(0);
  expect(exchange.durationMs).toBeGreaterThan(deadlineMs - 10);
  expect(exchange.durationMs).toBeLessThan(deadlineMs + 20_000);
});

test('a target that never answers ends by the deadline', async () => {
  const base = await serve(() => {});

  const exchange = await client({ timeoutMs: 200 }).send(get(`${base}/silent`));

  expect(exchange.error).toMatchObject({
    kind: 'timeout',
    message: `GET ${base}/silent: no answer within the time limit`,
  });
});

test('a body over the cap ends at once', async () => {
  const base = await serve((_, response) => {
    const flood = setInterval(() => response.write(Buffer.alloc(64 * 1024)), 1);
    response.on('close', () => clearInterval(flood));
  });

  const exchange = await client({ inFlight: createInFlight({ connections: 1, maxBytes: 100_000 }) }).send(
    get(base),
  );

  expect(exchange.error?.kind).toBe('too-large');
});

test('a body of just under 16 MiB is read, and a larger one is too large', async () => {
  const base = await serve(({ url }, response) => {
    response.end(Buffer.alloc(16 * 2 ** 20 + (url === '/more' ? 1 : 0), 'x'));
  });
  const sender = client({ timeoutMs: 30_000 });

  const most = await sender.send(get(base));
  const more = await sender.send(get(`${base}/more`));

  expect(most.response?.body.length).toBe(16 * 2 ** 20);
  expect(more.error).toMatchObject({
    kind: 'too-large',
    message: `GET ${base}/more: the body is larger than 16777216 bytes`,
  });
});

test('many large bodies at a time are all read, a few after the others', async () => {
  const base = await serve((_, response) => response.end(Buffer.alloc(9 * 2 ** 20, 'x')));
  const sender = client({ timeoutMs: 30_000 });

  const answers = await Promise.all(Array.from({ length: 12 }, () => sender.send(get(base))));

  expect(answers.map(({ response }) => response?.body.length)).toEqual(Array(12).fill(9 * 2 ** 20));
});

test('does not count the time in which an answer was not read', async () => {
  const large = 100 * 1024;
  const base = await serve(({ url }, response) => {
    response.write(Buffer.alloc(large));
    if (url === '/slow') setTimeout(() => response.end(), 600);
    else response.end();
  });
  // Room for one that is large; what is small is over at once.
  const inFlight = createInFlight({ connections: 2, maxBytes: 2 * large, most: 3 * large });
  const sender = client({ inFlight });

  const [slow, held] = await Promise.all([
    sender.send(get(`${base}/slow`)),
    new Promise((go) => setTimeout(go, 100)).then(() => sender.send(get(base), { deadlineMs: 300 })),
  ]);

  expect([slow.response?.body.length, held.response?.body.length]).toEqual([large, large]);
});

test('a gzip bomb ends at the cap', async () => {
  const bomb = gzipSync(Buffer.alloc(64 * 2 ** 20));
  const base = await serve((_, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
  });

  const exchange = await client({ inFlight: createInFlight({ connections: 1, maxBytes: 2 ** 20 }) }).send(
    get(base),
  );

  expect(exchange.error).toMatchObject({ kind: 'too-large', partial: { status: 200, bytes: bomb.length } });
});

test('counts the decoded size of gzip bombs, and decodes only small bodies once a run has read enough', async () => {
  const mebibyte = 2 ** 20;
  const bodies = [64 * mebibyte, 1_000].map((size) => gzipSync(Buffer.alloc(size)));
  const base = await serve(({ url }, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(bodies[url === '/small' ? 1 : 0]);
  });
  const inFlight = createInFlight({ connections: 1, maxBytes: 16 * mebibyte, mostOfLarge: 20 * mebibyte });
  const sender = client({ inFlight });

  const whyNot = async () => (await sender.send(get(base))).error?.message;
  expect([await whyNot(), await whyNot(), await whyNot()]).toEqual([
    expect.stringContaining('the decoded body (gzip) is larger than 16777216 bytes'),
    expect.stringContaining('the decoded body (gzip) is larger than 16777216 bytes'),
    expect.stringContaining('the run has read as much of large answers as it can'),
  ]);
  expect((await sender.send(get(`${base}/small`))).response?.body.length).toBe(1_000);
});

test('a broken gzip body stays raw and says so', async () => {
  const broken = gzipSync('a body that will lack its end').subarray(0, -9);
  const base = await serve((_, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(broken);
  });

  const { response } = await client().send(get(base));

  expect(response?.wire).toMatchObject({ bytes: broken.length, coding: 'gzip' });
  expect(response?.wire.codingError).toContain('broken gzip');
  expect(Buffer.from(response?.body ?? []).equals(broken)).toBe(true);
});

test('codings are undone', async () => {
  const base = await serve((_, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('plain'));
  });

  const { response } = await client().send(get(base));

  expect(response && text(response)).toBe('plain');
  expect(response?.wire.coding).toBe('gzip');
});

test('a flood of headers is too large', async () => {
  const base = await serveSocket((socket) => {
    socket.write(
      `HTTP/1.1 200 OK\r\n${'x-flood: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n'.repeat(4000)}\r\n`,
    );
  });

  const exchange = await client().send(get(base));

  expect(exchange.error?.kind).toBe('too-large');
});

test.each([
  [999, undefined],
  [1_001, 'too-large'],
])('an answer of %i short header fields: %s', async (fields, kind) => {
  const base = await serveSocket((socket) => {
    const head = Array.from({ length: fields - 1 }, (_, nth) => `x-${nth}: y\r\n`).join('');
    socket.write(`HTTP/1.1 200 OK\r\ncontent-length: 0\r\n${head}\r\n`);
  });

  const exchange = await client().send(get(base));

  expect(exchange.error?.kind).toBe(kind);
});

test('interim answers are skipped, an unasked 100 too', async () => {
  const base = await serveSocket((socket) => {
    socket.write('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n');
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
  });

  const { response } = await client().send(get(base));

  expect(response?.status).toBe(200);
  expect(response?.headers).toEqual([['content-length', '2']]);
});

test('interim answers without end are not waited out', async () => {
  const base = await serveSocket((socket) => {
    socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100));
  });

  const exchange = await client().send(get(base));

  expect(exchange.error).toMatchObject({ kind: 'protocol', message: expect.stringContaining('interim') });
});

for (const [what, bytes] of [
  ['a 101 nobody asked for', 'HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'],
  ['something that is not HTTP', 'SSH-2.0-OpenSSH_9\r\n'],
  ['a body shorter than announced', 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nshort'],
  ['the same with close', 'HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 9\r\n\r\nshort'],
  ['a broken chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nab\r\n'],
] as const) {
  test(`${what} is a protocol error`, async () => {
    const base = await serveSocket((socket) => socket.end(bytes));

    const exchange = await client().send(get(base));

    expect(exchange.error?.kind).toBe('protocol');
    expect(exchange.attempts).toBe(1);
  });
}

test('a port without a listener is refused', async () => {
  const port = await freePort();

  const exchange = await client().send(get(`http://127.0.0.1:${port}/x`));

  expect(exchange.error).toMatchObject({ kind: 'refused', reusedConnection: false });
  expect(exchange.error?.message).toBe(
    `GET http://127.0.0.1:${port}/x: connect ECONNREFUSED 127.0.0.1:${port}`,
  );
  expect(exchange.attempts).toBe(0);
});

test('a plain server behind https is a tls error', async () => {
  const base = await serve((_, response) => response.end());

  const exchange = await client().send(get(base.replace('http:', 'https:')));

  expect(exchange.error?.kind).toBe('tls');
});

test('an error message names no secret of the URL', async () => {
  const base = await serveSocket((socket) => socket.resetAndDestroy());

  const exchange = await client().send(get(`${base}/login?token=abc`));

  expect(exchange.error?.message).toMatch(/^GET http:\/\/127\.0\.0\.1:\d+\/login\?token=\[redacted\]: /);
});

function orderClient(concurrency: number) {
  const made = createClient({ timeoutMs: 5000, concurrency });
  onTestFinished(() => made.close());
  return made;
}

test('no more than the allowed number is in flight', async () => {
  let now = 0;
  let most = 0;
  const base = await serve((_, response) => {
    now += 1;
    most = Math.max(most, now);
    setTimeout(() => {
      now -= 1;
      response.end('ok');
    }, 5);
  });
  const sender = orderClient(4);

  const all = await Promise.all(Array.from({ length: 40 }, () => sender.send(get(base))));

  expect(all.every((exchange) => exchange.response?.status === 200)).toBe(true);
  expect(most).toBe(4);
});

test('what matters more goes first, then what came first', async () => {
  const order: (string | undefined)[] = [];
  const base = await serve((request, response) => {
    order.push(request.url);
    response.end();
  });
  const sender = orderClient(1);

  const plan = [
    ['/first', 1],
    ['/late', 3],
    ['/b', 1],
    ['/urgent', 0],
    ['/c', 1],
  ] as const;
  await Promise.all(plan.map(([path, priority]) => sender.send(get(base + path), { priority })));

  expect(order).toEqual(['/first', '/urgent', '/b', '/c', '/late']);
});

/** A client whose sleeps end at once and move its clock. */
function sleepless(options: ClientOptions = {}) {
  const sleeps: number[] = [];
  let now = Date.now();
  const sleep = async (ms: number) => {
    sleeps.push(ms);
    now += ms;
  };
  const made = createClient({ timeoutMs: 5000, now: () => now, sleep, ...options });
  onTestFinished(() => made.close());
  return { client: made, sleeps };
}

function limiting(status: number, times: number, headers: Record<string, string>) {
  let left = times;
  return serve((_, response) => {
    if (left-- > 0) response.writeHead(status, headers).end();
    else response.writeHead(200).end('ok');
  });
}

for (const status of [429, 503]) {
  test(`${status} with Retry-After is waited for and asked again`, async () => {
    const base = await limiting(status, 1, { 'retry-after': '1' });
    const { client, sleeps } = sleepless();

    const exchange = await client.send(get(base));

    expect(exchange.response?.status).toBe(200);
    expect(exchange).toMatchObject({ attempts: 2, waits: 1000 });
    expect(sleeps[0]).toBe(1000);
  });
}

test('a year-long Retry-After is reported, not waited for', async () => {
  const base = await limiting(429, 1, { 'retry-after': '31536000' });
  const { client, sleeps } = sleepless();

  const exchange = await client.send(get(base));

  expect(exchange).toMatchObject({ response: { status: 429 }, attempts: 1, waits: 0 });
  expect(sleeps).toEqual([]);
});

test('429 for ever is reported after three waits', async () => {
  const base = await limiting(429, 99, {});
  const { client } = sleepless();

  const exchange = await client.send(get(base));

  expect(exchange).toMatchObject({ response: { status: 429 }, attempts: 4, waits: 1750 });
});

test('reports 429 at once to a caller who asks for it', async () => {
  const base = await limiting(429, 1, { 'retry-after': '1' });
  const { client } = sleepless();

  const exchange = await client.send(get(base), { noWait: true });

  expect(exchange).toMatchObject({ response: { status: 429 }, attempts: 1, waits: 0 });
});

test('while one request waits for 429, the others hold too', async () => {
  const seen: string[] = [];
  const base = await serve((request, response) => {
    seen.push(request.url ?? '');
    const limit = seen.length === 1;
    response.writeHead(limit ? 429 : 200, limit ? { 'retry-after': '1' } : {}).end();
  });
  const { client } = sleepless({ concurrency: 1 });

  await Promise.all(['/a', '/b', '/c'].map((path) => client.send(get(base + path))));

  expect(seen).toEqual(['/a', '/a', '/b', '/c']);
});

test('a strict limiter is met by slowing down', async () => {
  let tokens = 10;
  const refill = setInterval(() => {
    tokens = Math.min(10, tokens + 1);
  }, 20);
  onTestFinished(() => clearInterval(refill));
  const base = await serve((_, response) => {
    response.writeHead(tokens > 0 ? 200 : 429).end();
    tokens = Math.max(0, tokens - 1);
  });
  const client = createClient();
  onTestFinished(() => client.close());

  const all = await Promise.all(Array.from({ length: 60 }, () => client.send(get(base))));

  expect(all.filter((exchange) => exchange.response?.status === 200).length).toBeGreaterThan(55);
});

test('an interrupt ends a wait at once', async () => {
  const interrupt = new AbortController();
  const base = await limiting(429, 1, { 'retry-after': '9' });
  const client = createClient({ signal: interrupt.signal });
  setTimeout(() => interrupt.abort(), 100);

  const exchange = await client.send(get(base));

  expect(exchange.error?.kind).toBe('aborted');
});

test('a rate spaces what is sent', async () => {
  const base = await serve((_, response) => response.end());
  const { client, sleeps } = sleepless({ rate: 10 });

  await Promise.all(Array.from({ length: 5 }, () => client.send(get(base))));

  expect(sleeps).toEqual([100, 100, 100, 100]);
});

test('an answer is given with its status, ordered headers and body', async () => {
  const base = await serve((_, response) => {
    response.writeHead(201, ['X-Two', '2', 'X-One', '1', 'Content-Type', 'Application/JSON; charset=utf-8']);
    response.end('{"name":"Zoë"}');
  });

  const exchange = await client().send(get(`${base}/api`));

  expect(exchange.error).toBeUndefined();
  expect(exchange.response?.status).toBe(201);
  expect(exchange.response?.headers.slice(0, 2)).toEqual([
    ['x-two', '2'],
    ['x-one', '1'],
  ]);
  expect(mediaType(exchange)).toBe('application/json');
  expect(exchange.response && json(exchange.response)).toEqual({ ok: true, value: { name: 'Zoë' } });
  expect(exchange).toMatchObject({ attempts: 1, waits: 0, response: { wire: { bytes: 15 } } });
});

test('a body is parsed once, however many rules ask', async () => {
  const base = await serve((_, response) => response.end('{"a":1}'));

  const { response } = await client().send(get(base));

  if (!response) throw new Error('no answer');
  expect(json(response)).toBe(json(response));
});

test('two Set-Cookie headers stay two', async () => {
  const base = await serve((_, response) => {
    response.setHeader('Set-Cookie', ['a=1; Path=/', 'b=2; HttpOnly']);
    response.end();
  });

  const exchange = await client().send(get(base));

  expect(headerAll(exchange, 'Set-Cookie')).toEqual(['a=1; Path=/', 'b=2; HttpOnly']);
});

test('a redirect is an answer and is not followed', async () => {
  const paths: string[] = [];
  const base = await serve((request, response) => {
    paths.push(request.url ?? '');
    response.writeHead(302, { location: '/elsewhere' }).end();
  });

  const exchange = await client().send(get(`${base}/here`));

  expect(exchange.response?.status).toBe(302);
  expect(header(exchange, 'location')).toBe('/elsewhere');
  expect(paths).toEqual(['/here']);
});

test('only host, connection and content-length are added to the headers given', async () => {
  const seen: string[][] = [];
  const base = await serve((request, response) => {
    seen.push(request.rawHeaders);
    response.end();
  });

  await client().send({
    method: 'POST',
    url: base,
    headers: [
      ['X-A', 'é'],
      ['X-a', ''],
    ],
    body: 'né',
  });

  const host = base.slice('http://'.length);
  expect(seen).toEqual([
    ['host', host, 'connection', 'keep-alive', 'X-A', 'é', 'X-a', '', 'content-length', '3'],
  ]);
});

test('path and query go out as written, behind a prefix, without user information or fragment', async () => {
  const seen: (string | undefined)[] = [];
  const base = await serve((request, response) => {
    seen.push(request.url, request.headers.authorization);
    response.end();
  });

  await client().send(
    get(`${base.replace('//', '//user:pass@')}/prefix/../a//b/%2e%2E/x[]=|"{é?ids=[]&q=a b#frag`),
  );

  expect(seen).toEqual(['/prefix/../a//b/%2e%2E/x[]=|"{%C3%A9?ids=[]&q=a%20b', undefined]);
});

test('an IPv6 host works', async ({ skip }) => {
  const base = await serve((_, response) => response.end('six'), { host: '::1' }).catch(() =>
    skip('this machine has no ::1'),
  );

  const exchange = await client().send(get(`${base}/x`));

  expect(exchange.response && text(exchange.response)).toBe('six');
});

for (const [what, method, status] of [
  ['HEAD', 'HEAD', 200],
  ['204', 'GET', 204],
  ['304', 'GET', 304],
] as const) {
  test(`${what} has no body, and the next request is answered`, async () => {
    const base = await serve((_, response) => {
      response
        .writeHead(status, method === 'HEAD' ? { 'content-length': 5, 'content-encoding': 'gzip' } : {})
        .end();
    });
    const sender = client();

    const first = await sender.send({ ...get(base), method });
    const second = await sender.send({ ...get(base), method });

    for (const exchange of [first, second]) {
      expect(exchange.response).toMatchObject({ status, wire: { bytes: 0 } });
      expect(exchange.response?.wire.codingError).toBeUndefined();
    }
  });
}

test('a URL that is none is an error of the exchange', async () => {
  const exchange = await client().send(get('ftp://127.0.0.1/x'));

  expect(exchange.error).toMatchObject({
    kind: 'protocol',
    message: 'GET ftp://127.0.0.1/x: not an absolute http or https URL',
  });
  expect(exchange.attempts).toBe(0);
});

test('a header that HTTP cannot carry is an error of the exchange', async () => {
  const exchange = await client().send({ ...get('http://127.0.0.1:1/'), headers: [['x', 'a\r\nb: c']] });

  expect(exchange.error?.kind).toBe('protocol');
});

test('connections are reused', async () => {
  const ports = new Set<number | undefined>();
  const base = await serve((request, response) => {
    ports.add(request.socket.remotePort);
    response.end('ok');
  });
  const sender = client();

  for (let i = 0; i < 5; i++) await sender.send(get(base));

  expect(ports.size).toBe(1);
});
