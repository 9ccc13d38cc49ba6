import { expect, test } from 'vitest';
import { sampleResult, sampleResults, sampleRun } from '../../fixtures/kit/sample-run.ts';
import { sarif } from './sarif.ts';

const placeOf = () => ({ file: 'catalog/areas/party.ts', line: 4 });
const runOf = (...args: Parameters<typeof sampleRun>) => {
  const [run] = sarif(sampleRun(...args), placeOf).runs;
  if (run === undefined) throw new Error('a log without a run');
  return run;
};

test('each failed check is an error, each warning a warning, and nothing else is a result', () => {
  const { results = [] } = runOf([
    sampleResult(),
    sampleResult({ id: 'a.b#c', outcome: 'fail' }),
    sampleResult({ id: 'd.e#f', outcome: 'warn' }),
    sampleResult({ outcome: 'observed', behaviour: '401' }),
    sampleResult({ outcome: 'inconclusive', reason: 'needs-body' }),
  ]);
  expect(results.map(({ level, properties }) => [properties?.check, level])).toEqual([
    ['a.b#c', 'error'],
    ['d.e#f', 'warning'],
  ]);
});

test('a log says which version of the format it is written in', () => {
  expect(sarif(sampleRun([]), placeOf)).toMatchObject({
    version: '2.1.0',
    $schema: expect.stringMatching(/sarif-schema-2\.1\.0\.json$/),
  });
});

test('equal failures are not folded, and each is an alert of its own', () => {
  const { results = [] } = runOf(sampleResults(9, (index) => ({ id: `a.b#c${index}`, outcome: 'fail' })));
  const prints = results.map(({ partialFingerprints }) => partialFingerprints);
  expect(prints.map((print) => print?.['assayCheckId/v1'])).toContain('a.b#c8');
  expect(new Set(prints.map((print) => print?.primaryLocationLineHash)).size).toBe(9);
});

test('a result points at the line of the catalog that documents its operation', () => {
  const [result] =
    runOf([sampleResult({ outcome: 'fail', operation: ['party.create', 'party.get'] })]).results ?? [];
  expect(result?.locations?.[0]).toMatchObject({
    physicalLocation: { artifactLocation: { uri: 'catalog/areas/party.ts' }, region: { startLine: 4 } },
    logicalLocations: [{ fullyQualifiedName: 'party.create' }, { fullyQualifiedName: 'party.get' }],
  });
});

test('a rule carries clause, why, advice and level; an RFC its link', () => {
  const { tool, results } = runOf([
    sampleResult({ outcome: 'fail' }),
    sampleResult({ outcome: 'fail', clause: 'rfc8259.text', level: 'standard' }),
    sampleResult({ outcome: 'warn', clause: 'sense.answers', level: 'inferred' }),
  ]);
  const { rules = [] } = tool.driver;
  expect(rules.map(({ id, defaultConfiguration }) => [id, defaultConfiguration?.level])).toEqual([
    ['endpoints.party', 'error'],
    ['rfc8259.text', 'error'],
    ['sense.answers', 'warning'],
  ]);
  expect(results?.map(({ ruleIndex }) => ruleIndex)).toEqual([0, 1, 2]);
  expect(rules[0]?.fullDescription?.text).toContain('A client calls them');
  expect(rules[0]?.help?.text).toContain('npm run explain -- endpoints.party');
  expect(rules[1]?.helpUri).toMatch(/^https:/);
});

test('a waived failure is suppressed, with its reason and its end', () => {
  const waived = { reason: 'being mended', link: 'https://h/1', expires: '2026-12-31' };
  expect(runOf([sampleResult({ outcome: 'fail', waived })]).results?.[0]?.suppressions).toEqual([
    { kind: 'external', status: 'accepted', justification: 'being mended (https://h/1), until 2026-12-31' },
  ]);
});

test('against a baseline a failure is known or new', () => {
  const baseline = {
    startedAt: '2026-01-01T00:00:00Z',
    runId: 'x',
    worse: ['a.b#c'],
    knownFailures: 1,
    repaired: 0,
  };
  const { results } = runOf(
    [
      sampleResult({ id: 'a.b#c', outcome: 'fail' }),
      sampleResult({ id: 'd.e#f', outcome: 'fail', known: true }),
      sampleResult({ id: 'g.h#i', outcome: 'warn' }),
    ],
    { baseline },
  );
  expect(results?.map(({ baselineState }) => baselineState)).toEqual(['new', 'unchanged', undefined]);
});

test('what the run itself got wrong is reported as its invocation', () => {
  const waiver = { reason: '', link: '', expires: '2020-01-01', check: 'a', waived: 0, problem: 'a expired' };
  const [invocation] =
    runOf([sampleResult({ id: 'a.b#c', outcome: 'harness-error', detail: 'our bug' })], { waivers: [waiver] })
      .invocations ?? [];
  expect(invocation).toMatchObject({
    executionSuccessful: false,
    startTimeUtc: '2026-01-02T03:04:05.678Z',
    endTimeUtc: '2026-01-02T03:04:08.090Z',
    toolExecutionNotifications: [{ message: { text: 'a.b#c: our bug' } }],
    toolConfigurationNotifications: [{ message: { text: 'a expired' } }],
  });
});

test('a message is cut where views cut it', () => {
  const [result] = runOf([sampleResult({ outcome: 'fail', actual: 'x'.repeat(9_000) })]).results ?? [];
  expect(result?.message.text).toHaveLength(1_000);
});
