import { MessageChannel } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { runInWorker, warmWorker } from '../../engine/run/runner.ts';
import { startServerThread, warmServerThread } from '../../fixtures/reference/own-thread.ts';

const assignment = () => ({ selection: { only: [] }, link: new MessageChannel().port2 });

test('a thread that was begun early serves one server; the next has one of its own', async () => {
  warmServerThread();
  warmServerThread();
  const servers = await Promise.all([startServerThread(), startServerThread()]);
  try {
    const urls = servers.map(({ baseUrl }) => baseUrl);
    expect(new Set(urls).size).toBe(2);
    for (const url of urls) expect((await fetch(`${url}/api/v1/healthcheck`)).status).toBe(200);
  } finally {
    for (const { close } of servers) await close();
  }
});

test('a worker that dies before it gets its work is reported once it gets it', async () => {
  const entry = new URL('file:///there/is/no/such.ts');
  warmWorker(entry);
  const ending = await runInWorker(entry, assignment());
  expect(ending).toMatchObject({ ended: 'worker-died', missing: { reason: 'interrupted' } });
  expect(ending.missing.detail).toContain('such.ts');
});
