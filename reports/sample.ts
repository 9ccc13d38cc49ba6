// Made-up results for the tests of reports, each of them one that a run could have left.
import {
  type Outcome,
  outcomes,
  type Result,
  type RunResult,
  type Summary,
} from '../fixtures/check/result.ts';
import { schemaProblem } from './schema/hold.ts';

/** A result; without `over` a check that passed. */
export function sampleResult(over: Partial<Result> = {}): Result {
  const id = over.id ?? 'party.create#routed';
  const failed: Partial<Result> = {
    expected: 'an answer that differs from that of an unrouted path',
    actual: '404, as /api/v1/qwhzk answers',
    curl: `curl -sS -X POST -H "Authorization: Bearer $ASSAY_TOKEN" 'http://127.0.0.1:8080/api/v1/party'`,
  };
  return {
    id,
    title: 'the call is served',
    operation: id.split('#', 1)[0] ?? id,
    host: 'base',
    clause: 'endpoints.party',
    level: 'documented',
    outcome: 'pass',
    rerun: `npm start -- --only '${id}'`,
    startedAt: '2026-01-02T03:04:05.678Z',
    durationMs: 12,
    ...(over.outcome === 'fail' || over.outcome === 'warn' ? failed : {}),
    ...over,
  };
}

/** `count` results that `make` tells apart. */
export function sampleResults(count: number, make: (index: number) => Partial<Result>): Result[] {
  return Array.from({ length: count }, (_, index) => sampleResult(make(index)));
}

/**
 * A run of these checks; its summary counts them.
 * @throws Error where `assay.result/1` does not allow it
 */
export function sampleRun(checks: readonly Result[], over: Partial<RunResult> = {}): RunResult {
  const count = (outcome: Outcome) => checks.filter((check) => check.outcome === outcome).length;
  const failed = count('fail');
  const run: RunResult = {
    schema: 'assay.result/1',
    target: { embedded: false, base: 'http://127.0.0.1:8080', cdn: 'http://127.0.0.1:8081' },
    startedAt: '2026-01-02T03:04:05.678Z',
    durationMs: 2412,
    seed: '7',
    runId: 'k3v9',
    options: { strict: false, readOnly: false, minJudged: 80, only: [], rerun: false },
    ended: 'complete',
    exitCode: failed > 0 ? 1 : 0,
    summary: Object.fromEntries(outcomes.map((outcome) => [outcome, count(outcome)])) as Summary,
    headline: {
      operations: 184,
      served: 184 - Math.min(failed, 184),
      answered2xx: 40,
      verdict: failed > 0 ? `DOES NOT CONFORM: ${failed} checks failed` : 'CONFORMS',
    },
    leftBehind: [],
    judgedShare: { base: 0.974, cdn: 1 },
    preflight: [],
    requests: 4711,
    ledger: {},
    waivers: [],
    checks,
    ...over,
  };
  const problem = schemaProblem(run);
  if (problem !== undefined) throw new Error(`no sample of a result: ${problem}`);
  return run;
}
