// The whole way against the embedded server, as its own process.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, onTestFinished, test } from 'vitest';
import { k6ForTests } from '../install/for-tests.ts';
import { openLoad } from './open-load.ts';

const k6 = await k6ForTests();
const { PATH, HOME, CI, XDG_CACHE_HOME, K6_BIN } = process.env;
const env = { PATH, HOME, CI, XDG_CACHE_HOME, K6_BIN };

function anywhere(): string {
  const folder = mkdtempSync(`${tmpdir()}/assay-open-load-`);
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test.skipIf(k6 === undefined)(
  'a mix of all journeys goes through the embedded server without an error',
  async () => {
    const lines: string[] = [];
    const load = await openLoad({
      journey: 'mixed',
      env,
      cwd: anywhere(),
      rate: 30,
      say: (line) => lines.push(line),
    });
    onTestFinished(() => load.close());
    expect(lines.filter((line) => line.startsWith('left out'))).toEqual([]);
    const plan = {
      rate: 30,
      durationMs: 2_000,
      warmupMs: 200,
      seed: 1,
      arrivals: 'poisson',
      inFlight: 60,
      label: 'mixed',
    } as const;
    const step = await load.runStep(plan, new AbortController().signal);
    expect(step).toMatchObject({ ended: 'complete', errors: { wrong: 0, transport: 0 } });
    expect(Object.keys(step.operations).length).toBeGreaterThan(35);
    expect(await load.identity()).toMatchObject({ 'base: server': expect.any(String) });
  },
);

test.skipIf(k6 === undefined)(
  'a host that is not this machine is refused before anything is sent',
  async () => {
    const opening = openLoad({
      journey: 'queue',
      env: { ...env, BASE_URL: 'http://192.0.2.1:9' },
      cwd: anywhere(),
    });
    await expect(opening).rejects.toThrow('"192.0.2.1:9" is not this machine');
  },
);

test.skipIf(k6 === undefined)('a target that is down is told, and nothing is left behind', async () => {
  const opening = openLoad({
    journey: 'queue',
    env: { ...env, BASE_URL: 'http://127.0.0.1:9' },
    cwd: anywhere(),
  });
  await expect(opening).rejects.toThrow('load: base does not answer');
});

test.skipIf(k6 === undefined)('a journey whose host is not given says which one', async () => {
  const opening = openLoad({
    journey: 'logs',
    env: { ...env, BASE_URL: 'http://127.0.0.1:9' },
    cwd: anywhere(),
  });
  await expect(opening).rejects.toThrow('GAMELOGS_URL is not set');
});
