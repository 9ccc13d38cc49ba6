import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { listen, serve } from '../../fixtures/kit/loopback.ts';
import { startWords } from '../../fixtures/kit/programs.ts';
import { scratchFolder } from '../../fixtures/kit/scratch.ts';
import { root } from '../files.ts';
import { openTarget } from './open-target.ts';
import type { RunResult } from './result.ts';
import { startRunner } from './runner.ts';

const limitMs = 60_000;

interface Started {
  readonly child: ChildProcess;
  readonly out: string;
  readonly text: () => string;
  readonly exit: Promise<number | null>;
}

/** The CLI as a user starts it, against one URL for all three hosts. */
const start = (url: string, ...args: string[]) => startAgainst(allAt(url), ...args);

const allAt = (url: string) => ({ BASE_URL: url, CDN_URL: url, GAMELOGS_URL: url });

const startAgainst = (hosts: Readonly<Record<string, string>>, ...args: string[]) =>
  startIn(scratchFolder(), hosts, ...args);

function startIn(out: string, hosts: Readonly<Record<string, string>>, ...args: string[]): Started {
  const child = spawn(process.execPath, [...startWords, 'run', '--out', out, ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, ...hosts },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: limitMs,
    killSignal: 'SIGKILL',
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (text += chunk));
  const exit = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  return { child, out, text: () => text, exit };
}

/** Until the first results are on disk; the run is then in its middle. */
async function underWay({ out, exit }: Started): Promise<void> {
  const journal = join(out, 'results.jsonl');
  let ended = false;
  void exit.then(() => (ended = true));
  while (!ended && !(existsSync(journal) && statSync(journal).size > 0))
    await new Promise((resolve) => setTimeout(resolve, 20));
}

const resultIn = (out: string): RunResult => JSON.parse(readFileSync(join(out, 'result.json'), 'utf8'));

/** Ids of all checks, as `--list` prints them; read once, since they are the same for every target. */
const planned = listed();

async function listed(): Promise<string[]> {
  const { text, exit } = startIn(scratchFolder(afterAll), allAt('http://127.0.0.1:9'), '--list');
  await exit;
  return text().trim().split('\n');
}

const slow404: RequestListener = (request, response) => {
  request.resume();
  setTimeout(() => response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"no"}'), 30);
};

test.each(['SIGINT', 'SIGTERM'] as const)(
  '%s in the middle: exit 130, every planned check in the result, a headline that says so',
  async (signal) => {
    const url = await serve(slow404);
    const started = start(url);
    await underWay(started);
    started.child.kill(signal);
    expect(await started.exit).toBe(130);
    const result = resultIn(started.out);
    expect(result.checks.map(({ id }) => id)).toEqual(await planned);
    expect(result.ended).toBe('interrupted');
    expect(result.headline.verdict).toContain('Interrupted');
    expect(result.summary.inconclusive).toBeGreaterThan(0);
    expect(started.text()).toContain('Interrupted');
  },
  limitMs * 2,
);

test(
  'a target that goes away in the middle: never exit 0, the rest is target-lost',
  async () => {
    let asked = 0;
    const { url, close } = await listen(
      createServer((request, response) => {
        asked += 1;
        if (asked === 300) void close();
        slow404(request, response);
      }),
    );
    onTestFinished(close);
    const started = start(url);
    expect(await started.exit).toBe(1);
    const { checks } = resultIn(started.out);
    expect(checks.map(({ id }) => id)).toEqual(await planned);
    expect(checks.filter(({ reason }) => reason === 'target-lost').length).toBeGreaterThan(1_000);
  },
  limitMs * 2,
);

test(
  'out of budget: exit 1, what was not asked is listed apart',
  async () => {
    const url = await serve((request, response) => {
      request.resume();
      setTimeout(() => response.writeHead(404).end(), 400);
    });
    const started = start(url, '--budget', '3');
    expect(await started.exit).toBe(1);
    const result = resultIn(started.out);
    expect(result.checks.map(({ id }) => id)).toEqual(await planned);
    expect(result.checks.some(({ reason }) => reason === 'budget')).toBe(true);
  },
  limitMs * 2,
);

test(
  'a worker that dies: exit 3, and the checks it took with it are in the result',
  async () => {
    const url = await serve(slow404);
    const entry = new URL('../../fixtures/kit/deadly-worker.ts', import.meta.url);
    const out = scratchFolder();
    const opened = await openTarget({ env: { BASE_URL: url }, cwd: tmpdir() });
    const result = await startRunner({ entry, selection: { only: [] }, out, onProgress: () => {} }).run({
      opened,
      only: [],
      strict: false,
      readOnly: false,
      minJudged: 80,
      bail: undefined,
      timeoutMs: 5_000,
      rate: undefined,
      startedAt: Date.now(),
      budgetMs: 20_000,
      signal: new AbortController().signal,
    });
    expect(result.checks.map(({ id, outcome }) => [id, outcome])).toEqual([
      ['general.config#first', 'pass'],
      ['general.config#deadly', 'inconclusive'],
      ['general.config#never', 'inconclusive'],
    ]);
    expect([result.ended, result.exitCode]).toEqual(['worker-died', 3]);
  },
  limitMs,
);

test(
  'a main API that nobody serves is one cause, reported once: it did not stop answering, and is not waited for',
  async () => {
    const url = await serve((request, response) => {
      request.resume();
      response.writeHead(404).end();
    });
    const hosts = { BASE_URL: 'http://127.0.0.1:9', CDN_URL: url };
    const { out, exit } = startAgainst(hosts, '--only', 'clientData.archiveQuests', 'party.get');
    expect(await exit).toBe(1);
    const { incidents, checks } = JSON.parse(readFileSync(join(out, 'result.json'), 'utf8')) as RunResult;
    expect(incidents).toEqual([
      'base was not reached: nothing accepts connections there; check the port, and that it is up',
    ]);
    expect(checks.filter(({ reason }) => reason === 'target-lost')).toEqual([]);
  },
  limitMs,
);

test(
  'a host that is not there is no incident for checks that do not need it',
  async () => {
    const config: RequestListener = (request, response) => {
      request.resume();
      const isServed = request.url === '/api/v1/config' && request.method === 'GET';
      response.writeHead(isServed ? 200 : 404, { 'content-type': 'application/json' }).end('{"a":1}');
    };
    const hosts = { BASE_URL: await serve(config), CDN_URL: 'http://127.0.0.1:9' };
    const { out, exit, text } = startAgainst(hosts, '--only', 'general.config#routed');
    expect(await exit).toBe(0);
    expect(text()).toContain('cdn: not reached');
    expect(resultIn(out)).not.toHaveProperty('incidents');
  },
  limitMs,
);
