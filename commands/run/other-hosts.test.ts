// Logging API and client data that want a session: that of the main API, or another one.
import { expect, onTestFinished, test } from 'vitest';
import type { Host } from '../../catalog/operation.ts';
import { openCheckRunner } from '../../engine/run/check-runner.ts';
import { openTarget } from '../../engine/run/open-target.ts';
import { reasonIn } from '../../engine/run/reason-codes.ts';
import { judgedShares, type Result } from '../../engine/run/result.ts';
import { readTarget } from '../../engine/target/target.ts';
import { defaultLimits } from '../../engine/values/default-limits.ts';
import { type ServerOptions, startServer } from '../../fixtures/reference/server.ts';
import logsFlow from '../../scenarios/logs.ts';
import clientData from '../../suites/client-data.ts';
import hosts from '../../suites/hosts.ts';
import logs from '../../suites/logs.ts';

const limitMs = 120_000;

const serve = async (options: ServerOptions) => {
  const server = await startServer(options);
  onTestFinished(server.close);
  return server;
};

const checks = [logs, clientData, hosts, logsFlow].flatMap((suite) => suite.checks);

/** Judges all of both hosts, as `npm start` does. */
async function judged(env: Readonly<Record<string, string>>) {
  const opened = await openTarget({ env, cwd: '/' });
  const { timeoutMs, loopbackConcurrency: concurrency } = defaultLimits;
  const { target, preflight } = opened;
  const runner = openCheckRunner({
    target,
    discovery: preflight.discovery,
    unreachable: preflight.unreachable,
    journal: undefined,
    strict: false,
    readOnly: false,
    timeoutMs,
    concurrency,
    rate: undefined,
    deadline: Date.now() + limitMs,
  });
  onTestFinished(runner.close);
  const results = await Promise.all(checks.map(runner.perform));
  const run = {
    options: { strict: false, readOnly: false, minJudged: 80, only: [], rerun: false },
    ended: 'complete' as const,
    target: { embedded: false, ...readTarget(env, { cwd: '/' }).hosts },
  };
  return {
    results,
    lines: preflight.lines,
    shares: judgedShares(results),
    accused: results.filter(({ outcome }) => ['fail', 'warn', 'harness-error'].includes(outcome)),
    remedy: (host: Host, reason: string) => {
      const found = results.filter((each) => each.host === host && each.reason === reason);
      return found.length === 0 ? undefined : reasonIn(run, reason, found).remedy;
    },
  };
}

const versions = {
  CDN_ROOT_FOLDER_PATH: 'live',
  GAME_VERSION: '7.2.0_1',
  VERSION_PATTERN: '7.2',
};

test.each(['bearer', 'cookie', 'header'] as const)(
  'hosts that want the session of the main API are judged as any other: %s',
  async (session) => {
    const sessionHosts = ['cdn', 'gamelogs'] as const;
    const { baseUrl, cdnUrl, gamelogsUrl } = await serve({ session, sessionHosts });
    const env = { ...versions, BASE_URL: baseUrl, CDN_URL: cdnUrl, GAMELOGS_URL: gamelogsUrl };
    const { shares, accused, results, lines } = await judged(env);
    expect(accused).toEqual([]);
    expect(shares.gamelogs).toBe(1);
    // Nobody said which news file there is.
    expect(shares.cdn).toBeGreaterThan(0.99);
    expect(lines).toContain(
      'gamelogs: wants the session too, and gets it (logs.logsBatch answers 200 with it, 401 without)',
    );
    // No sentence of the document says that these hosts refuse anybody; what the logging API does is recorded.
    const aboutRefusals =
      /^(logs|clientData)\..*#(anonymous|anonymous-private|spoiled|dead-session|private)$/;
    const judgedRefusals = results.filter(
      ({ id, outcome }) => aboutRefusals.test(id) && outcome !== 'observed',
    );
    expect(judgedRefusals).toEqual([]);
  },
  limitMs,
);

test(
  'hosts that refuse the session of the main API too are reported as such, with what helps',
  async () => {
    const { baseUrl } = await serve({});
    const { cdnUrl, gamelogsUrl } = await serve({ sessionHosts: ['cdn', 'gamelogs'] });
    const env = { ...versions, BASE_URL: baseUrl, CDN_URL: cdnUrl, GAMELOGS_URL: gamelogsUrl };
    const { accused, shares, remedy, results, lines } = await judged(env);
    expect(accused).toEqual([]);
    expect(shares.gamelogs).toBeLessThan(0.8);
    expect(shares.cdn).toBeLessThan(0.8);
    expect(remedy('gamelogs', 'auth-wall')).toMatch(
      /^let the logging API take calls without a sign-in or with/,
    );
    expect(remedy('cdn', 'auth-wall')).toMatch(/^let files be fetched without a sign-in or with the session/);
    expect(lines.filter((line) => line.includes('is refused there too'))).toHaveLength(2);
    const [answers] = results.filter(({ id }) => id === 'logs.logsBatch#answers');
    expect(answers).toMatchObject({ outcome: 'inconclusive', reason: 'auth-wall' } satisfies Partial<Result>);
    expect(answers?.detail).toBe(
      'its plain call is answered 401; the session of the main API is refused there too',
    );
  },
  limitMs,
);

test(
  'where folder and version are not known either, the refusal is what is reported',
  async () => {
    const { baseUrl } = await serve({});
    const { cdnUrl } = await serve({ sessionHosts: ['cdn'] });
    const { remedy, results, lines } = await judged({ BASE_URL: baseUrl, CDN_URL: cdnUrl });
    const reasons = new Set(
      results.flatMap(({ host, outcome, reason }) =>
        host === 'cdn' && outcome === 'inconclusive' ? [reason] : [],
      ),
    );
    expect(reasons).not.toContain('segments-unknown');
    expect(remedy('cdn', 'auth-wall')).toMatch(/^let files be fetched without a sign-in/);
    expect(lines.filter((line) => line.includes('GAME_VERSION and CDN_ROOT_FOLDER_PATH'))).toEqual([]);
  },
  limitMs,
);

test(
  'without a main API to sign in to, that is what is asked for',
  async () => {
    const { gamelogsUrl } = await serve({ sessionHosts: ['gamelogs'] });
    const { accused, remedy, lines } = await judged({ GAMELOGS_URL: gamelogsUrl });
    expect(accused).toEqual([]);
    expect(remedy('gamelogs', 'no-session')).toBe('set BASE_URL, since players sign in there');
    expect(lines.at(-1)).toMatch(
      /^gamelogs: logs\.logsBatch answers 401; nobody is signed in, so no session/,
    );
  },
  limitMs,
);
