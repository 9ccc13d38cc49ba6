import { spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { root } from '../../engine/files.ts';
import type { RunResult } from '../../engine/run/result.ts';
import { insteadOfSuccess, makeTokens, replyBytes } from '../../fixtures/hostile/hostile.ts';
import { hostileForms, hostileTexts, placesInBodies } from '../../fixtures/hostile/hostile-texts.ts';
import { serveHostile } from '../../fixtures/hostile/serve.ts';
import { startWords } from '../../fixtures/kit/programs.ts';
import { scratchFolder } from '../../fixtures/kit/scratch.ts';
import { watchTree } from '../hostile/trial.ts';

const mebibyte = 2 ** 20;
/** Two threads that work for two seconds each. What else the machine does makes no difference to it. */
const mostProcessorSeconds = 4;
const killedAfterMs = 60_000;

const place = (text: string, where: string, size: number) =>
  placesInBodies[where]?.(hostileTexts[text]?.(size) ?? '') ?? '';

/** By name: what takes the place of every success but that of a sign-in. */
const bodies: Readonly<Record<string, string>> = {
  'a version of a mebibyte of digits and dots': place('digits and dots', 'as the body', mebibyte),
  'a name of 40 KiB of digits before a line end': place('digits before a line end', 'as a name', 40 * 1024),
  'a mebibyte of beginnings of a PEM': place('beginnings of a PEM', 'in a member', mebibyte),
  'a quarter of a million names': hostileForms['an object of many names']?.(2.9e6) ?? '',
  'fifteen megabytes of objects': hostileForms['a list of equal objects']?.(15e6) ?? '',
};

/** A run as a user starts it, against a target that sends this; interrupted once `isTime`. */
async function interrupted(body: string, isTime: (asked: number, out: string) => boolean) {
  const tokens = makeTokens(6);
  let asked = 0;
  const bytes = Buffer.from(body);
  const served = await serveHostile(
    {
      name: 'as given',
      does: 'sends what it was given',
      exits: [130],
      answer: (trialHost) =>
        insteadOfSuccess(trialHost, (call, socket, reply) => {
          asked += 1;
          socket.write(replyBytes(call, reply, bytes));
        }),
    },
    { elsewhere: 'http://127.0.0.1:1', tokens },
  );
  onTestFinished(served.close);
  const out = scratchFolder();
  const { base, cdn, gamelogs } = served.hosts;
  const child = spawn(process.execPath, [...startWords, 'run', '--out', out], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_V8_COVERAGE: undefined,
      BASE_URL: base,
      CDN_URL: cdn,
      GAMELOGS_URL: gamelogs,
      LOGIN_TOKEN: tokens.join(' '),
    },
    stdio: 'ignore',
  });
  const tree = watchTree(child.pid ?? 0);
  const limit = setTimeout(() => child.kill('SIGKILL'), killedAfterMs);
  let isOver = false;
  const exit = new Promise<number | string>((resolve) =>
    child.once('close', (code, signal) => {
      isOver = true;
      resolve(code ?? signal ?? 'no exit');
    }),
  );
  while (!isOver && !isTime(asked, out)) await pause(20);
  // In the middle of what it makes of that answer, if it takes long over it.
  await pause(300);
  const before = tree.cpuSeconds() ?? 0;
  child.kill('SIGINT');
  const code = await exit;
  clearTimeout(limit);
  tree.stop();
  const path = join(out, 'result.json');
  const result = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as RunResult) : undefined;
  return { code, result, processorSeconds: (tree.cpuSeconds() ?? 0) - before };
}

const journal = (out: string) => join(out, 'results.jsonl');
const hasResults = (_: number, out: string) => existsSync(journal(out)) && statSync(journal(out)).size > 0;

test.each(Object.keys(bodies))(
  'Ctrl-C before the first check ends a run within two seconds, whatever was sent: %s',
  async (what) => {
    const { code, processorSeconds } = await interrupted(bodies[what] ?? '', (asked) => asked > 6);

    expect(code).toBe(130);
    expect(processorSeconds).toBeLessThan(mostProcessorSeconds);
  },
  2 * killedAfterMs,
);

test.each(Object.keys(bodies).slice(0, 3))(
  'Ctrl-C amid the checks ends a run within two seconds and keeps its results, whatever was sent: %s',
  async (what) => {
    const { code, result, processorSeconds } = await interrupted(bodies[what] ?? '', hasResults);

    expect(code).toBe(130);
    expect(processorSeconds).toBeLessThan(mostProcessorSeconds);
    expect(result).toMatchObject({ ended: 'interrupted', exitCode: 130 });
    expect(result?.checks.some(({ outcome }) => outcome !== 'inconclusive')).toBe(true);
  },
  2 * killedAfterMs,
);
