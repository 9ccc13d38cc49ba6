// Two ways to run the checks, `npm start` and `npx vitest run --project conformance`: equal results.
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { root } from '../../../engine/files.ts';
import type { RunResult } from '../../../engine/run/result.ts';
import { serve, serveConnections } from '../../../fixtures/kit/loopback.ts';
import { scratchFolder } from '../../../fixtures/kit/scratch.ts';
import { type RunningServer, startServer } from '../../../fixtures/reference/server.ts';
import { mutantNamed, startMutant } from '../../prove/serve-mutant.ts';

const limitMs = 120_000;
const nowhere = 'http://127.0.0.1:9';

type Environment = Readonly<Record<string, string>>;
type Ended = { readonly code: unknown; readonly text: string; readonly out: string };

function ended(args: readonly string[], env: Environment, out: string): Promise<Ended> {
  const options = {
    cwd: root,
    timeout: limitMs,
    env: { PATH: process.env.PATH, NO_COLOR: '1', SEED: '1', ...env },
  };
  return new Promise((resolve) => {
    execFile(process.execPath, args, options, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, text: stdout + stderr, out }),
    );
  });
}

/** The checks of one small area by vitest, as a user does, against these hosts. */
function conformance(
  hosts: Environment,
  { options = [], filters = [] }: { options?: readonly string[]; filters?: readonly string[] } = {},
) {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const command = [vitest, 'run', '--configLoader', 'native', '--project', 'conformance', 'suites/features'];
  const out = scratchFolder();
  return ended(
    [...command, ...filters],
    { ...hosts, ASSAY_OPTIONS: ['--out', out, ...options].map((word) => `"${word}"`).join(' ') },
    out,
  );
}

/** The same checks by the runner of the CLI. */
function start(hosts: Environment, options: readonly string[] = []) {
  const out = scratchFolder();
  const command = ['--import', './runtime.js', 'cli.ts', 'run', '--only', 'features', '--out', out];
  return ended([...command, ...options], hosts, out);
}

/** Ids with their outcomes, and what fails the run. */
function foundIn({ code, out }: Ended) {
  const { checks, exitCode, headline, waivers } = JSON.parse(
    readFileSync(join(out, 'result.json'), 'utf8'),
  ) as RunResult;
  const outcomes = checks.map(({ id, outcome, reason }) => `${id} ${outcome} ${reason ?? ''}`).sort();
  return {
    code,
    exitCode,
    verdict: headline.verdict.replace(/:9\/\w+/g, ':9/…'),
    waivers,
    outcomes,
    files: readdirSync(out).sort(),
  };
}

const allAt = (url: string) => ({ BASE_URL: url, CDN_URL: url, GAMELOGS_URL: url });

test(
  'a host that accepts connections and never answers: nothing was judged, exit 2',
  async () => {
    const { code, text } = await conformance(allAt(await serveConnections(() => {})));
    expect(text).toContain('conformance: Nothing was judged: no host that the checks need answers.');
    expect(code).toBe(2);
  },
  limitMs,
);

test(
  'one of three hosts closed, which no check that was asked for needs: exit 0 as with all three',
  async () => {
    const server = await startServer();
    onTestFinished(server.close);
    const hosts = { BASE_URL: server.baseUrl, GAMELOGS_URL: server.gamelogsUrl };
    const [short, whole] = await Promise.all([
      conformance({ ...hosts, CDN_URL: nowhere }),
      conformance({ ...hosts, CDN_URL: server.cdnUrl }),
    ]);
    expect(short.text).toContain('conformance: Conforms');
    expect(whole.text).toContain('conformance: Conforms');
    expect([short.code, whole.code]).toEqual([0, 0]);
  },
  limitMs,
);

test(
  'a filter that selects nothing: nothing was judged, exit 1',
  async () => {
    const { code, text } = await conformance({}, { filters: ['-t', 'no check has this name'] });
    expect(text).toContain('conformance: Nothing could be judged');
    expect(code).toBe(1);
  },
  limitMs,
);

const wall = () =>
  serve((request, response) => {
    request.resume();
    response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":"no"}');
  });

const hostsOf = ({ baseUrl, cdnUrl, gamelogsUrl }: RunningServer) => ({
  BASE_URL: baseUrl,
  CDN_URL: cdnUrl,
  GAMELOGS_URL: gamelogsUrl,
});

const mutant = 'answers (any name refused) on features.archives';

/** A profile that waives a failure of the mutant, and one waiver that matches nothing. */
function waiving(): string {
  const path = join(scratchFolder(), 'profile.json');
  const waiver = { reason: 'later', link: 'https://tracker.example/1', expires: '2999-01-01' };
  const waivers = ['features.*#answers', 'features.gone#answers'].map((check) => ({ check, ...waiver }));
  writeFileSync(path, JSON.stringify({ waivers }));
  return path;
}

test.each([
  [
    'the embedded server, strict and read-only',
    ['--strict', '--read-only', '--rate', '200'],
    async () => ({}),
    0,
  ],
  ['a closed port', [], async () => allAt(nowhere), 2],
  ['a wall of 401', [], async () => allAt(await wall()), 1],
  ['a mutant with waivers, one of which matches nothing', ['--profile', 'PROFILE'], served, 1],
] as const)(
  '%s: npm start and vitest find the same, write the same files and end alike',
  async (_, options, target, exitCode) => {
    const given = options.map((word) => (word === 'PROFILE' ? waiving() : word));
    const hosts = await target();
    const [cli, vitest] = await Promise.all([start(hosts, given), conformance(hosts, { options: given })]);
    expect(foundIn(vitest)).toEqual(foundIn(cli));
    expect(vitest.code).toBe(exitCode);
    expect(vitest.text).toContain(`conformance: ${foundIn(vitest).verdict.slice(0, 20)}`);
  },
  limitMs,
);

async function served() {
  const server = await startMutant(await mutantNamed(mutant), {});
  onTestFinished(server.close);
  return hostsOf(server);
}

test(
  'a baseline that has the failure too: both exit 0',
  async () => {
    const hosts = await served();
    const before = await start(hosts);
    const options = ['--baseline', join(before.out, 'result.json')];
    const [cli, vitest] = await Promise.all([start(hosts, options), conformance(hosts, { options })]);
    expect(before.code).toBe(1);
    expect(foundIn(vitest)).toEqual(foundIn(cli));
    expect(vitest.code).toBe(0);
  },
  limitMs,
);

test(
  'an option that is wrong, or that vitest has its own word for: exit 2 and one line',
  async () => {
    const [wrong, own] = await Promise.all([
      conformance({}, { options: ['--min-judged', 'many'] }),
      conformance({}, { options: ['--only', 'party'] }),
    ]);
    expect([wrong.code, own.code]).toEqual([2, 2]);
    expect(wrong.text).toMatch(/assay: ASSAY_OPTIONS: --min-judged: [^\n]*many/);
    expect(own.text).toContain('assay: ASSAY_OPTIONS: --only: vitest selects by file and -t');
  },
  limitMs,
);
