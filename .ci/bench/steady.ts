// `npm run bench -- --steady`: compares the verdicts of run after run against one target, on an idle machine and on a busy one.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Result } from '../../engine/run/result.ts';
import { measure } from './measure.ts';
import { serve } from './targets.ts';
import { type Outcomes, unsteady } from './unsteady.ts';

const runs = 10;
const reference = 'fixtures/profiles/reference.json';

/** @returns the exit code: 1 where a check had two outcomes */
export async function steady(): Promise<0 | 1> {
  const server = await serve();
  const settings = [
    { what: 'a server of its own for each run', env: {}, args: [] },
    { what: 'one server and its profile', env: server.urls, args: ['--profile', reference] },
  ];
  let differing = 0;
  try {
    for (const { what, env, args } of settings) {
      const idle = await several(args, env);
      const busy = await underLoad(() => several(args, env));
      for (const [when, outcomes] of [
        [`${runs} in a row`, idle],
        [`${runs} under load of ${availableParallelism()} cores`, busy],
        ['all of them', [...idle, ...busy]],
      ] as const) {
        const found = unsteady(outcomes);
        differing += found.length;
        console.log(
          `${what}, ${when}: ${found.length === 0 ? `${outcomes[0]?.size} checks say the same` : ''}`,
        );
        for (const line of found) console.log(`  ${line}`);
      }
    }
  } finally {
    server.close();
  }
  return differing === 0 ? 0 : 1;
}

async function several(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Outcomes[]> {
  const all: Outcomes[] = [];
  for (let nth = 0; nth < runs; nth += 1) {
    const out = mkdtempSync(join(tmpdir(), 'assay-steady-'));
    await measure(['cli.ts', 'run', '--out', out, ...args], env, out);
    const { checks } = JSON.parse(readFileSync(join(out, 'result.json'), 'utf8')) as { checks: Result[] };
    rmSync(out, { recursive: true });
    all.push(new Map(checks.map((check) => [check.id, phrase(check)])));
  }
  return all;
}

const phrase = ({ outcome, reason, behaviour }: Result) =>
  [outcome, reason, behaviour].filter((part) => part !== undefined).join(' ');

/** Does the work while threads keep every core busy; they end with this process, however it ends. */
async function underLoad<T>(work: () => Promise<T>): Promise<T> {
  const spinning = Array.from(
    { length: availableParallelism() },
    () => new Worker('for (;;);', { eval: true }),
  );
  try {
    return await work();
  } finally {
    await Promise.all(spinning.map((thread) => thread.terminate()));
  }
}
