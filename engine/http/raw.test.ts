import { expect, test } from 'vitest';
import { serveConnections, serveSocket } from '../../fixtures/kit/loopback.ts';
import { type RawProbe, rawFindings, rawProbe, readChunks } from './raw.ts';

const read = (sent: string) => {
  const { body, ...rest } = readChunks(Buffer.from(sent, 'latin1'), 0);
  return { ...rest, body: body.toString('latin1') };
};

test.each<[string, string, object]>([
  ['two chunks and the last one', '2\r\nab\r\n1\r\nc\r\n0\r\n\r\n', { state: 'complete', body: 'abc' }],
  ['an extension and trailers', '1;a=b\r\nx\r\n0\r\nA: b\r\n\r\n', { state: 'complete', body: 'x' }],
  ['nothing yet', '', { state: 'open', body: '' }],
  ['half a size line', '1', { state: 'open', body: '' }],
  ['half a chunk', '5\r\nab', { state: 'open', body: 'ab' }],
  ['a chunk whose end is still to come', '2\r\nab', { state: 'open', body: 'ab' }],
  ['trailers that are still to come', '0\r\nA: b\r\n', { state: 'open', body: '' }],
])('reads chunked content: %s', (_, sent, expected) => {
  expect(read(sent)).toMatchObject(expected);
});

test.each<[string, string]>([
  ['1\nx\n', 'a chunk-size line ends in LF alone'],
  ['\n', 'a chunk-size line ends in LF alone'],
  ['zz\r\n', 'chunk size "zz"'],
  ['-1\r\n', 'chunk size "-1"'],
  ['1\r\nxyz\r\n', 'no CRLF after a chunk of 1 bytes'],
  ['1\r\nx\rz', 'no CRLF after a chunk of 1 bytes'],
  ['1'.repeat(5_000), 'a chunk-size line without end'],
])('%j is malformed', (sent, why) => {
  expect(read(sent)).toMatchObject({ state: 'malformed', why });
});

test('reports how far it parsed a malformed answer', () => {
  expect(readChunks(Buffer.from('head1\r\nx\r\nzz\r\n'), 4).end).toBe(10);
  expect(readChunks(Buffer.from('head0\r\n\r\nnext'), 4).end).toBe(9);
});

async function probe(answer: string, probe: RawProbe = {}, close = true) {
  const base = await serveSocket((socket) =>
    close ? socket.end(answer, 'latin1') : socket.write(answer, 'latin1'),
  );
  return rawProbe(`${base}/x`, probe);
}

const kinds = (answer: { findings: readonly { kind: string }[] }) => answer.findings.map(({ kind }) => kind);

test('a sound answer is given byte by byte, with nothing found', async () => {
  const head = 'HTTP/1.1 200 Very Fine\r\nContent-Length: 5\r\nX-A: 1\r\nX-A:  2 \r\n\r\n';

  const answer = await probe(`${head}hello`);

  expect(answer.findings).toEqual([]);
  expect(answer.complete).toBe(true);
  expect(answer.head?.status).toBe(200);
  expect(answer.head?.headers).toEqual([
    ['content-length', '5'],
    ['x-a', '1'],
    ['x-a', '2'],
  ]);
  expect(answer.head?.bytes.toString()).toBe(head);
  expect(answer.body.toString()).toBe('hello');
});

test('the request is what was asked for', async () => {
  let seen = '';
  const base = await serveConnections((socket) => {
    socket.on('data', (data) => {
      seen += data.toString();
      socket.end('HTTP/1.1 204 No Content\r\n\r\n');
    });
  });

  await rawProbe(`${base}/a/../b?[]`, {
    method: 'OPTIONS',
    headers: [['X-A', 'b']],
    connection: 'keep-alive',
  });

  const host = base.slice('http://'.length);
  expect(seen).toBe(
    `OPTIONS /a/../b?[] HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive\r\nX-A: b\r\n\r\n`,
  );
});

test('chunked content is put together, whatever is sent before the final answer', async () => {
  const answer = await probe(
    'HTTP/1.1 103 Early\r\nlink: x\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4;ext=1\r\nabcd\r\n2\r\nef\r\n0\r\nx-t: 1\r\n\r\n',
  );

  expect(answer.findings).toEqual([]);
  expect(answer.body.toString()).toBe('abcdef');
  expect(answer.head?.status).toBe(200);
});

test('content that ends with the connection is complete then', async () => {
  const answer = await probe('HTTP/1.0 200 OK\r\n\r\nold school');

  expect(answer).toMatchObject({ complete: true, findings: [] });
});

for (const [what, method, answer, expected] of [
  [
    'bytes after Content-Length',
    'GET',
    'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP',
    ['bytes-after-end'],
  ],
  [
    'bytes after the last chunk',
    'GET',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nmore',
    ['bytes-after-end'],
  ],
  ['content after 204', 'GET', 'HTTP/1.1 204 No Content\r\n\r\n{}', ['content-after-no-content']],
  ['content after 304', 'GET', 'HTTP/1.1 304 Not Modified\r\n\r\n{}', ['content-after-no-content']],
  ['content after HEAD', 'HEAD', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}', ['content-after-head']],
  [
    'two lengths',
    'GET',
    'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok',
    ['duplicate-content-length'],
  ],
  [
    'a length that is none',
    'GET',
    'HTTP/1.1 200 OK\r\nContent-Length: two\r\n\r\nok',
    ['invalid-content-length'],
  ],
  [
    'a length beside chunking',
    'GET',
    'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ['length-and-transfer-encoding'],
  ],
  ['lines that end in LF', 'GET', 'HTTP/1.1 200 OK\nContent-Length: 2\n\nok', ['bare-lf']],
  [
    'a size that is none',
    'GET',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    ['malformed-chunking'],
  ],
  [
    'a chunk longer than its size',
    'GET',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n0\r\n\r\n',
    ['malformed-chunking'],
  ],
  ['a short body', 'GET', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok', ['short-body']],
  [
    'a lost last chunk',
    'GET',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n',
    ['short-body'],
  ],
  [
    'a folded header',
    'GET',
    'HTTP/1.1 200 OK\r\nX: a\r\n b\r\nContent-Length: 0\r\n\r\n',
    ['malformed-head'],
  ],
  [
    'a space before the colon',
    'GET',
    'HTTP/1.1 200 OK\r\nX : a\r\nContent-Length: 0\r\n\r\n',
    ['malformed-head'],
  ],
  ['no HTTP at all', 'GET', 'SSH-2.0-x\r\n', ['malformed-head']],
] as const) {
  test(`${what} is found`, async () => {
    expect(kinds(await probe(answer, { method }))).toEqual(expected);
  });
}

test('on a kept connection an answer ends when it is complete and nothing follows', async () => {
  const begun = performance.now();

  const answer = await probe(
    'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok',
    { connection: 'keep-alive' },
    false,
  );

  expect(answer).toMatchObject({ complete: true, findings: [] });
  expect(performance.now() - begun).toBeLessThan(2500);
});

test('stray bytes that come a little later are seen', async () => {
  const base = await serveSocket((socket) => {
    socket.write('HTTP/1.1 204 No Content\r\n\r\n');
    setTimeout(() => socket.write('late'), 60);
  });

  expect(kinds(await rawProbe(base, { connection: 'keep-alive' }))).toEqual(['content-after-no-content']);
});

test('what has an ETag is asked for once more, and a 304 with content is found', async () => {
  for (const content of ['', '{"a":1}']) {
    const base = await serveConnections((socket) =>
      socket.on('data', (request) => {
        const isNew = !request.toString().includes('if-none-match: "v1"');
        if (isNew) socket.write('HTTP/1.1 200 OK\r\nETag: "v1"\r\nContent-Length: 0\r\n\r\n');
        else socket.write(`HTTP/1.1 304 Not Modified\r\nETag: "v1"\r\nContent-Length: 7\r\n\r\n${content}`);
        if (/connection: close/i.test(request.toString())) socket.end();
      }),
    );
    expect((await rawFindings(`${base}/x`, {})).findings).toEqual(
      content === '' ? [] : ['content-after-no-content: after 304, 7 bytes: "{\\"a\\":1}"'],
    );
  }
});

test('an answer that never ends is ended', async () => {
  const answer = await probe('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok', { deadlineMs: 200 }, false);

  expect(answer).toMatchObject({
    complete: false,
    findings: [],
    failure: { kind: 'timeout' },
  });
});

test('a flood ends at the limit', async () => {
  const base = await serveSocket((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    socket.write(Buffer.alloc(17 * 2 ** 20));
  });

  expect(await rawProbe(base)).toMatchObject({ failure: { kind: 'too-large' } });
});

test('a reset, a refusal and an unusable URL are failures, not exceptions', async () => {
  const base = await serveSocket((socket) => socket.resetAndDestroy());

  expect(await rawProbe(base)).toMatchObject({ failure: { kind: 'reset' } });
  expect(await rawProbe('http://127.0.0.1:1/')).toMatchObject({ failure: { kind: 'refused' } });
  expect(await rawProbe('nowhere')).toMatchObject({ failure: { kind: 'protocol' } });
  expect(await rawProbe(base, { headers: [['a', 'b\r\nc: d']] })).toMatchObject({
    failure: { kind: 'protocol' },
  });
});
