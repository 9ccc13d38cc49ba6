// Writes ctrf.json (Common Test Report Format 0.0.0, ctrf.io): one test per check, nothing folded; and one
// for the run itself where it fails for a reason that no check shows.

import type { Outcome } from '../../engine/judgement.ts';
import { operationsOf, type Result, type RunResult } from '../../engine/run/result.ts';
import { assayVersion } from '../../engine/version.ts';
import { foundText, type PlaceOf, suiteOf } from '../summary/causes.ts';
import { runTrouble, staleWaivers } from '../summary/headline.ts';

export type CtrfStatus = 'passed' | 'failed' | 'skipped' | 'pending' | 'other';

export interface CtrfTest {
  readonly name: string;
  readonly status: CtrfStatus;
  /** Whole milliseconds, as are start and stop since the epoch. */
  readonly duration: number;
  readonly start: number;
  readonly stop: number;
  readonly suite: readonly string[];
  readonly message?: string;
  readonly rawStatus: Outcome | 'run' | 'waiver';
  readonly tags: readonly string[];
  readonly type: 'conformance';
  /** A file of the catalog; absent where the test belongs to no check. */
  readonly filePath?: string;
  readonly line?: number;
  readonly extra: Readonly<Record<string, unknown>>;
}

const statuses: Readonly<Record<Outcome, CtrfStatus>> = {
  pass: 'passed',
  fail: 'failed',
  warn: 'other',
  observed: 'other',
  inconclusive: 'skipped',
  'not-applicable': 'skipped',
  'harness-error': 'failed',
};

/**
 * The run as a CTRF document.
 * @param placeOf where the catalog documents what a check judges
 */
export function ctrf(run: RunResult, placeOf: PlaceOf) {
  const start = Date.parse(run.startedAt);
  const tests = withOwn(
    run.checks.map((check) => testOf(check, placeOf)),
    run,
  );
  const count = (status: CtrfStatus) => tests.filter((test) => test.status === status).length;
  return {
    reportFormat: 'CTRF',
    specVersion: '0.0.0',
    generatedBy: 'Assay',
    timestamp: new Date(start + run.durationMs).toISOString(),
    results: {
      tool: { name: 'Assay', version: assayVersion },
      summary: {
        tests: tests.length,
        passed: count('passed'),
        failed: count('failed'),
        skipped: count('skipped'),
        pending: count('pending'),
        other: count('other'),
        suites: new Set(tests.map(({ suite }) => suite[0])).size,
        start,
        stop: start + Math.round(run.durationMs),
        duration: Math.round(run.durationMs),
        extra: { verdict: run.headline.verdict, exitCode: run.exitCode, ended: run.ended },
      },
      tests,
      environment: { extra: { target: run.target, seed: run.seed, runId: run.runId } },
    },
  } as const;
}

/** Adds failed tests for waivers out of date and for the run's own trouble: both fail the run. */
function withOwn(checks: readonly CtrfTest[], run: RunResult): readonly CtrfTest[] {
  const start = Date.parse(run.startedAt);
  const ownTest = (name: string, rawStatus: 'run' | 'waiver', message: string): CtrfTest => ({
    name,
    status: 'failed',
    duration: 0,
    start,
    stop: start,
    suite: [rawStatus === 'run' ? 'assay' : 'waivers'],
    message,
    rawStatus,
    tags: [],
    type: 'conformance',
    extra: {},
  });
  const waivers = staleWaivers(run).map(({ check, problem = '' }) =>
    ownTest(check || 'waiver', 'waiver', problem),
  );
  const shown = [...checks, ...waivers];
  const trouble = runTrouble(
    run,
    shown.some(({ status }) => status === 'failed'),
  );
  return trouble === undefined ? shown : [...shown, ownTest(trouble.name, 'run', trouble.verdict)];
}

function testOf(check: Result, placeOf: PlaceOf): CtrfTest {
  const { id, title, outcome, level, clause, waived, known } = check;
  const start = Date.parse(check.startedAt) || 0;
  const duration = Math.round(check.durationMs);
  const isExcused = waived !== undefined || known !== undefined;
  const { file, line } = placeOf(check);
  const message = messageOf(check);
  return {
    name: `${id} ${title}`,
    status: isExcused ? 'skipped' : statuses[outcome],
    duration,
    start,
    stop: start + duration,
    suite: [suiteOf(id)],
    ...(message !== '' && { message }),
    rawStatus: outcome,
    tags: [level],
    type: 'conformance',
    filePath: file,
    line,
    extra: {
      check: id,
      clause,
      operations: operationsOf(check),
      ...(waived && { waived }),
      ...(known && { known }),
      ...(check.curl !== undefined && { curl: check.curl }),
      rerun: check.rerun,
    },
  };
}

function messageOf(check: Result): string {
  const { outcome, detail, reason, behaviour } = check;
  if (outcome === 'fail' || outcome === 'warn') return foundText(check);
  return [reason, behaviour ?? detail].filter((part) => part !== undefined).join(': ');
}
