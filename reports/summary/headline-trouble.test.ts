import { expect, test } from 'vitest';
import type { RunResult } from '../../engine/run/result.ts';
import { sampleResult, sampleRun } from '../../fixtures/kit/sample-run.ts';
import { ctrf } from '../ci/ctrf.ts';
import { githubAnnotations } from '../ci/github-annotations.ts';
import { junit } from '../ci/junit.ts';
import { sarif } from '../ci/sarif.ts';

const placeOf = () => ({ file: 'catalog/areas/party.ts', line: 4 });
const passed = sampleResult();
const failed = sampleResult({ id: 'a.b#c', outcome: 'fail' });
const lost = sampleResult({ id: 'd.e#f', outcome: 'inconclusive', reason: 'target-lost', detail: 'gone' });
const waiver = { reason: 'r', link: 'https://h/1', expires: '2020-01-01', check: 'a.*', waived: 0 };
const stale = { ...waiver, problem: '"a.*" expired' };
const baseline = {
  startedAt: '2026-01-01T00:00:00Z',
  runId: 'x',
  worse: ['d.e#f'],
  knownFailures: 0,
  repaired: 0,
};

/** What a reader of each file alone counts as red. */
function redIn(run: RunResult) {
  const xml = junit(run);
  const { results = [] } = sarif(run, placeOf).runs[0] ?? {};
  const { tests, summary } = ctrf(run, placeOf).results;
  expect(xml.match(/<testcase /g)?.length ?? 0).toBe(Number(/tests="(\d+)"/.exec(xml)?.[1]));
  expect(summary).toMatchObject({
    tests: tests.length,
    failed: tests.filter(({ status }) => status === 'failed').length,
  });
  return {
    failures: Number(/failures="(\d+)"/.exec(xml)?.[1]),
    errors: Number(/errors="(\d+)"/.exec(xml)?.[1]),
    name: /<testcase classname="assay" name="([^"]+)"><error/.exec(xml)?.[1],
    sarif: results.filter(({ level, suppressions }) => level === 'error' && !suppressions).length,
    ctrf: tests.filter(({ status }) => status === 'failed').length,
    github: githubAnnotations(run, placeOf).filter((line) => line.startsWith('::error')).length,
  };
}

test.each<[string, Partial<RunResult>, readonly (typeof passed)[]]>([
  ['assay: too little judged', { exitCode: 1, judgedShare: { base: 0.4, cdn: 1 } }, [passed, lost]],
  ['assay: out of time', { exitCode: 1, ended: 'budget' }, [passed, lost]],
  ['assay: interrupted', { exitCode: 130, ended: 'interrupted' }, [passed, lost]],
  ['assay: interrupted, nothing judged', { exitCode: 130, ended: 'interrupted' }, [lost]],
  ['assay: Assay itself broke off', { exitCode: 3, ended: 'worker-died' }, [passed, lost]],
  ['assay: no host answers', { exitCode: 2, judgedShare: { base: 0 } }, [lost]],
  ['assay: nothing judged', { exitCode: 1 }, [lost]],
  ['assay: got worse', { exitCode: 1, baseline }, [passed, lost]],
  ['assay: not green', { exitCode: 1, ended: 'bail' }, [passed, lost]],
])('%s is one error of the run in every file, and no failure of a check', (name, over, checks) => {
  expect(redIn(sampleRun(checks, over))).toEqual({
    failures: 0,
    errors: 1,
    name,
    sarif: 1,
    ctrf: 1,
    github: 1,
  });
});

test('a green run has none', () => {
  const none = { failures: 0, errors: 0, name: undefined, sarif: 0, ctrf: 0, github: 0 };
  expect(redIn(sampleRun([passed, lost]))).toEqual(none);
  expect(redIn(sampleRun([passed], { judgedShare: { base: 0.1 }, exitCode: 0 }))).toEqual(none);
});

test('what failed checks say is not said twice', () => {
  const one = { failures: 1, errors: 0, name: undefined, sarif: 1, ctrf: 1, github: 1 };
  expect(redIn(sampleRun([passed, failed]))).toEqual(one);
  const rerun = { ...sampleRun([]).options, rerun: true };
  expect(redIn(sampleRun([failed], { options: rerun, judgedShare: { base: 0 } }))).toEqual(one);
});

test('too little judged is said beside failed checks: they are not all that is to be mended', () => {
  expect(redIn(sampleRun([failed, lost], { judgedShare: { base: 0.5 } }))).toMatchObject({
    failures: 1,
    errors: 1,
    sarif: 2,
    ctrf: 2,
    github: 2,
  });
});

test('a waiver out of date is red in every file', () => {
  expect(redIn(sampleRun([passed], { exitCode: 1, waivers: [stale, waiver] }))).toMatchObject({
    failures: 1,
    errors: 0,
    sarif: 1,
    ctrf: 1,
  });
});

test("Assay's own error is red in every file", () => {
  const stumbled = sampleResult({ outcome: 'harness-error', detail: 'our bug' });
  expect(redIn(sampleRun([stumbled, passed], { exitCode: 3 }))).toMatchObject({
    errors: 1,
    sarif: 1,
    ctrf: 1,
    github: 1,
  });
});

test('the error carries the verdict and the exit code', () => {
  const run = sampleRun([passed], { exitCode: 1, judgedShare: { base: 0.4 } });
  const hostileRun = { ...run, headline: { ...run.headline, verdict: 'Too little <could> be judged.' } };
  expect(junit(hostileRun)).toContain(
    '<error type="run" message="Too little &lt;could&gt; be judged.">Too little &lt;could&gt; be judged.\nexit code: 1</error>',
  );
  expect(sarif(hostileRun, placeOf).runs[0]?.tool.driver.rules?.map(({ id }) => id)).toEqual(['assay.run']);
});
