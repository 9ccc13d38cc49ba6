// Simulated nights against a server that nobody changes: none of them differs from the first.

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runInThisContext } from 'node:vm';
import { afterEach, expect, test } from 'vitest';
import { root } from '../../engine/files.ts';
import { openTarget } from '../../engine/run/open-target.ts';
import type { RunResult } from '../../engine/run/result.ts';
import { startRunner } from '../../engine/run/runner.ts';
import { scratchFolder } from '../../fixtures/kit/scratch.ts';
import { reference } from '../../fixtures/reference/existing-values.ts';
import { makeHosts } from '../../fixtures/reference/server.ts';

/** All kinds of nights are among eight; a workflow simulates twenty each night (NIGHTS=20), a second of processor each. */
const nights = Number(process.env.NIGHTS ?? 8);
const dayMs = 86_400_000;

/** What is compared: steps that observe, and a row of each kind of rule that does. */
const only = ['friends/*', 'match/*', 'queue/*', 'names/*', 'general.*#anonymous', 'general.*#shape'];

const RealDate = Date;
afterEach(() => {
  globalThis.Date = RealDate;
});

/** Moves the clock of a thread, as text, since a worker gets it so. */
const aheadBy = (ms: number) => `{
  const Real = globalThis.RealDate ??= Date;
  globalThis.Date = class extends Real {
    constructor(...given) { if (given.length === 0) super(Real.now() + ${ms}); else super(...given); }
    static now() { return Real.now() + ${ms}; }
  };
}`;

/** The worker of a run whose clock is ahead, as that of the server in this thread is. */
function workerAhead(ms: number): URL {
  const entry = pathToFileURL(join(root, 'commands/run/worker-thread.ts')).href;
  const code = `${aheadBy(ms)} await import(${JSON.stringify(entry)});`;
  return new URL(`data:text/javascript,${encodeURIComponent(code)}`);
}

interface Server {
  readonly env: Readonly<Record<string, string>>;
  readonly close: () => Promise<void>;
}

/** The reference server in this thread; two machines name themselves in turn, and their clocks are not the same. */
async function serverOf({ machines = 1, seed = 1 } = {}): Promise<Server> {
  const hosts = makeHosts({ seed });
  let served = 0;
  for (const host of machines === 1 ? [] : hosts)
    host.addHook('onRequest', async (_, reply) => {
      served += 1;
      const machine = served % machines;
      reply.header('x-served-by', `machine-${machine}`);
      reply.header('date', new Date(Date.now() - machine * 3_000).toUTCString());
    });
  const [BASE_URL = '', CDN_URL = '', GAMELOGS_URL = ''] = await Promise.all(
    hosts.map((host) => host.listen({ host: '127.0.0.1', port: 0 })),
  );
  const { cdnRootFolderPath, gameVersion, versionPattern } = reference;
  return {
    env: {
      BASE_URL,
      CDN_URL,
      GAMELOGS_URL,
      CDN_ROOT_FOLDER_PATH: cdnRootFolderPath,
      GAME_VERSION: gameVersion,
      VERSION_PATTERN: versionPattern,
    },
    close: async () => {
      await Promise.all(hosts.map((host) => host.close()));
    },
  };
}

async function night(
  server: Server,
  { seed, aheadMs, baseline }: { seed: string; aheadMs: number; baseline?: RunResult | undefined },
): Promise<RunResult> {
  runInThisContext(aheadBy(aheadMs));
  const opened = await openTarget({
    env: server.env,
    cwd: root,
    seed,
    profile: 'fixtures/profiles/reference.json',
  });
  const runner = startRunner({
    entry: workerAhead(aheadMs),
    selection: { only, again: undefined },
    out: scratchFolder(),
    onProgress: () => {},
  });
  return runner.run({
    opened,
    only,
    baseline,
    strict: false,
    readOnly: false,
    minJudged: 80,
    bail: undefined,
    rate: undefined,
    timeoutMs: 10_000,
    budgetMs: 300_000,
    startedAt: Date.now(),
    signal: new AbortController().signal,
  });
}

test(`${nights} nights: another day, data that grew, another seed, a restart, two machines; none is a false alarm`, {
  timeout: 480_000,
}, async () => {
  let server = await serverOf();
  const first = await night(server, { seed: '1', aheadMs: 0 });
  expect(first.exitCode).toBe(0);
  const alarms: unknown[] = [];
  for (let nth = 1; nth <= nights; nth += 1) {
    // Every fourth night finds a server that was restarted, and half of these are two machines.
    if (nth % 4 === 0) {
      await server.close();
      server = await serverOf({ machines: nth % 8 === 0 ? 2 : 1 });
    }
    const run = await night(server, { seed: `${nth}`, aheadMs: nth * dayMs, baseline: first });
    const since = run.checks.filter((check) => check.since !== undefined).map(({ id }) => id);
    if (run.exitCode !== 0 || since.length > 0) alarms.push([nth, run.headline.verdict, since.slice(0, 5)]);
  }
  await server.close();
  expect(alarms).toEqual([]);
});
