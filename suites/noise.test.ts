// The answer path, from the socket to the verdict, against servers that answer with bytes by seed.

import { createServer } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { suites } from '../commands/run/suites.ts';
import type { Found } from '../engine/players/sign-in-discovery.ts';
import { openCheckRunner } from '../engine/run/check-runner.ts';
import type { Result } from '../engine/run/result.ts';
import { readTarget } from '../engine/target/target.ts';
import { randomFrom } from '../engine/values/random.ts';
import { listen } from '../fixtures/kit/loopback.ts';

interface Noise {
  readonly url: string;
  readonly answered: () => number;
  readonly close: () => Promise<void>;
}

type Random = () => number;

/** On loopback, until it is closed. Every answer ends its connection, in one way or another. */
async function startNoise(seed: string): Promise<Noise> {
  const random = randomFrom('noise', seed);
  let answered = 0;
  const server = createServer((socket) => {
    socket.once('data', () => {
      answered += 1;
      socket.write(answerBy(random));
      const ending = random();
      // One in a hundred is left hanging, so that deadlines are met too.
      if (ending < 0.05) socket.resetAndDestroy();
      else if (ending < 0.99) socket.end();
    });
  });
  const { url, close } = await listen(server);
  return { url, answered: () => answered, close };
}

const pick = <T>(random: Random, from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
const bytes = (random: Random, most: number) =>
  Buffer.from(Array.from({ length: Math.floor(random() * most) }, () => Math.floor(random() * 256)));

function answerBy(random: Random): Buffer {
  if (random() < 0.1) return bytes(random, 400);
  const answer = httpBy(random);
  if (random() < 0.5) return answer;
  for (let flips = Math.ceil(random() * 6); flips > 0; flips -= 1)
    answer[Math.floor(random() * answer.length)] = Math.floor(random() * 256);
  return random() < 0.2 ? answer.subarray(0, Math.floor(random() * answer.length)) : answer;
}

const statuses = [
  100, 101, 103, 200, 200, 200, 201, 204, 206, 302, 304, 400, 401, 403, 404, 405, 416, 429, 500, 503, 999,
];
const types = [
  'application/json',
  'application/json; charset=utf-16',
  'text/html',
  'multipart/byteranges',
  '/',
  '',
];
const fields = [
  ...[
    'ETag: W/"x"',
    'ETag: "',
    'Content-Range: bytes 0-9/*',
    'Content-Range: bytes x',
    'Allow: ,',
    'Vary: *',
  ],
  ...[
    'Location: //',
    'Location: http://[',
    'Set-Cookie: =;;',
    'Set-Cookie: a=b; Domain=com',
    'Retry-After: -1',
  ],
  ...['Content-Encoding: gzip', 'Content-Encoding: br', 'Content-Encoding: zstd, gzip', 'Date: yesterday'],
  ...[
    'Cache-Control: ,,max-age=-1',
    'WWW-Authenticate: ,',
    'Connection: close',
    'X-\u00ff: \u00ff',
    'Retry-After: 0',
  ],
];

function httpBy(random: Random): Buffer {
  const plain = bodyBy(random);
  const body = pick(random, [plain, plain, gzipSync(plain), brotliCompressSync(plain)]);
  const head = [
    `HTTP/1.${pick(random, [0, 1, 1, 1])} ${pick(random, statuses)} ${pick(random, ['OK', '', 'a b'])}`,
    `Content-Type: ${pick(random, types)}`,
    ...Array.from({ length: Math.floor(random() * 4) }, () => pick(random, fields)),
  ];
  const length = body.length + pick(random, [0, 0, 0, 1, -1]);
  const chunked = `${body.length.toString(16)}\r\n${body.toString('latin1')}\r\n0\r\n\r\n`;
  const [framing, sent] = pick(random, [
    [`Content-Length: ${length}`, body.toString('latin1')],
    ['Transfer-Encoding: chunked', chunked],
    ['Transfer-Encoding: chunked', chunked.slice(0, -4)],
    ['X-Unframed: yes', body.toString('latin1')],
  ] as const);
  return Buffer.from(`${[...head, framing].join('\r\n')}\r\n\r\n${sent}`, 'latin1');
}

const names = [
  'token',
  'id',
  'partyId',
  'matchId',
  'playerId',
  '__proto__',
  'constructor',
  'error',
  '',
  'version',
];

function bodyBy(random: Random): Buffer {
  const value = (depth: number): unknown => {
    const kind = Math.floor(random() * (depth > 4 ? 5 : 8));
    if (kind < 5)
      return pick<unknown>(random, [null, true, 1e308, -0, '', 'eyJhbGciOiJub25lIn0.e30.', '\ud800', 0.1]);
    const size = Math.floor(random() * 4);
    if (kind === 5) return Array.from({ length: size }, () => value(depth + 1));
    return Object.fromEntries(Array.from({ length: size }, () => [pick(random, names), value(depth + 1)]));
  };
  const json = JSON.stringify(value(0));
  return pick(random, [
    ...[Buffer.from(json), Buffer.from(json), Buffer.from(json, 'utf16le'), bytes(random, 300)],
    ...[Buffer.from('[1e999,{"a":1,"a":2}]'), Buffer.from('['.repeat(3_000)), Buffer.from('\ufeff{}')],
  ]);
}

const transport = { kind: 'bearer', source: '/token' } as const;
/** Somebody who once signed in, so that sessions are used, refused and renewed too. */
const found: Found = {
  kind: 'found',
  token: 'a.test.jwt',
  from: 'test JWT',
  recipe: { body: 'none', transport, rotates: false },
  session: { transport, credentials: [['authorization', 'Bearer s3ss10n']], secrets: ['s3ss10n'] },
  evidence: { operation: 'me.location', without: 401, spoiled: 401, with: 200, differs: 'status' },
};

const open: Noise[] = [];
afterEach(async () => {
  for (const noise of open.splice(0)) await noise.close();
});

/** All checks against a server of this seed. */
async function judged(seed: number): Promise<{ results: Result[]; answered: number }> {
  const checks = suites.flatMap((suite) => suite.checks);
  const noise = await startNoise(String(seed));
  open.push(noise);
  const hosts = { BASE_URL: noise.url, CDN_URL: `${noise.url}/cdn`, GAMELOGS_URL: `${noise.url}/logs` };
  const runner = openCheckRunner({
    target: readTarget(hosts, { cwd: '/', seed: String(seed) }),
    discovery: found,
    unreachable: {},
    journal: undefined,
    strict: true,
    readOnly: false,
    timeoutMs: 150,
    concurrency: 32,
    rate: undefined,
    deadline: Date.now() + 5_000,
  });
  const results = await Promise.all(checks.map((check) => runner.perform(check)));
  runner.close();
  return { results, answered: noise.answered() };
}

test('2,000 answers of random bytes crash nothing, and are no fault of ours', async () => {
  let answered = 0;
  for (let seed = 1; answered < 2_000; seed += 1) {
    const round = await judged(seed);
    const faults = round.results.filter(({ outcome }) => outcome === 'harness-error');
    expect(faults.map(({ id, detail }) => `seed ${seed} ${id}: ${detail}`)).toEqual([]);
    expect(round.answered).toBeGreaterThan(0);
    answered += round.answered;
  }
}, 180_000);
