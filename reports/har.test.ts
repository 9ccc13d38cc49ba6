import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { env } from 'node:process';
import { expect, test } from 'vitest';
import { observedCallIn, readHar } from '../commands/learn/har/read-har.ts';
import type { RecordedExchange } from '../engine/http/exchange.ts';
import { sampleResult, sampleRun } from '../fixtures/kit/sample-run.ts';
import { scratchFolder } from '../fixtures/kit/scratch.ts';
import { har } from './har.ts';
import { portableJson } from './write.ts';

const refused: RecordedExchange = {
  request: {
    method: 'POST',
    url: 'http://127.0.0.1:8080/api/v1/party?a=1&a=2',
    headers: [
      ['content-type', 'application/json'],
      ['authorization', 'Bearer [redacted]'],
    ],
    body: '{"name":"x"}',
  },
  response: {
    status: 500,
    headers: [['content-type', 'application/json']],
    body: '{"error":"no"}',
    bytes: 14,
  },
  startedAt: 1_795_252_729_982,
  durationMs: 38.6,
  attempts: 1,
  waits: 0,
};

const broken: RecordedExchange = {
  request: { method: 'GET', url: 'http://127.0.0.1:8080/api/v1/me', headers: [] },
  error: { kind: 'reset', message: 'GET http://127.0.0.1:8080/api/v1/me: the connection broke' },
  startedAt: 1_795_252_729_000,
  durationMs: 3,
  attempts: 2,
  waits: 0,
};

const run = sampleRun([
  sampleResult(),
  sampleResult({ id: 'party.create#answers', outcome: 'fail', exchange: refused, actual: '500' }),
  sampleResult({
    id: 'party.create#media',
    outcome: 'warn',
    exchange: structuredClone(refused),
    actual: 'odd',
  }),
  sampleResult({ id: 'me.get#answers', operation: 'me.get', outcome: 'fail', exchange: broken }),
  sampleResult({ id: 'me.get#shape', outcome: 'observed', exchange: broken, behaviour: '200' }),
]);
const { entries } = har(run).log;

test('the exchanges of failures and warnings are there, each once, in the order of sending', () => {
  expect(entries.map(({ request, comment }) => [request.url, comment])).toEqual([
    ['http://127.0.0.1:8080/api/v1/me', 'me.get#answers: 404, as /api/v1/qwhzk answers'],
    ['http://127.0.0.1:8080/api/v1/party?a=1&a=2', 'party.create#answers: 500\nparty.create#media: odd'],
  ]);
});

test('an exchange that broke has no status, and says what happened', () => {
  expect(entries[0]?.response).toMatchObject({
    status: 0,
    _error: expect.stringMatching(/broke/),
  });
});

test('what was sent is written as it was, query and body included', () => {
  expect(entries[1]?.request).toMatchObject({
    queryString: [
      { name: 'a', value: '1' },
      { name: 'a', value: '2' },
    ],
    postData: { mimeType: 'application/json', text: '{"name":"x"}' },
  });
  expect(entries[1]?.response).toMatchObject({
    status: 500,
    content: { size: 14, mimeType: 'application/json' },
  });
});

test('our own reader of captures reads it', async () => {
  const folder = scratchFolder();
  const path = join(folder, 'failures.har');
  writeFileSync(path, portableJson(har(run)));
  const seen: unknown[] = [];
  expect(await readHar(path, (entry) => seen.push(entry))).toEqual({ entries: 2, skipped: 0 });
  expect(observedCallIn(seen[1], 'failures.har')).toMatchObject({
    method: 'POST',
    status: 500,
    request: { type: 'application/json', body: { kind: 'json', value: { name: 'x' } } },
    answer: { body: { kind: 'json', value: { error: 'no' } } },
  });
});

/** har-validator, from npm in the folder named by ASSAY_CONSUMERS. */
function reader(): { har: (value: unknown) => Promise<unknown> } | undefined {
  if (env.ASSAY_CONSUMERS === undefined) return undefined;
  try {
    return createRequire(join(env.ASSAY_CONSUMERS, 'package.json'))('har-validator/lib/promise.js');
  } catch {
    return undefined;
  }
}

const consumer = reader();
const skipped = consumer === undefined && !env.CI;
if (skipped) {
  console.warn(
    'SKIPPED: failures.har is not read back; npm install har-validator in a folder, and name that in ASSAY_CONSUMERS',
  );
}

test.skipIf(skipped)('a reader that is not ours finds HAR 1.2', async () => {
  const written = JSON.parse(portableJson(har(run)));
  await expect(consumer?.har(written)).resolves.toEqual(written);
});
