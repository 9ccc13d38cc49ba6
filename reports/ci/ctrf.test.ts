import { createRequire } from 'node:module';
import { join } from 'node:path';
import { env } from 'node:process';
import { expect, test } from 'vitest';
import type { Outcome } from '../../engine/judgement.ts';
import { sampleResult, sampleRun } from '../../fixtures/kit/sample-run.ts';
import { portableJson } from '../write.ts';
import { ctrf } from './ctrf.ts';

const placeOf = () => ({ file: 'catalog/areas/party.ts', line: 4 });
const testsOf = (...args: Parameters<typeof sampleRun>) => ctrf(sampleRun(...args), placeOf).results.tests;

test.each([
  ['pass', 'passed'],
  ['fail', 'failed'],
  ['warn', 'other'],
  ['observed', 'other'],
  ['inconclusive', 'skipped'],
  ['not-applicable', 'skipped'],
  ['harness-error', 'failed'],
] as [Outcome, string][])('%s is %s', (outcome, status) => {
  expect(testsOf([sampleResult({ outcome })])[0]).toMatchObject({ status, rawStatus: outcome });
});

test('a failure that does not count is skipped, and says why', () => {
  const waived = { reason: 'being mended', link: 'https://h/1', expires: '2026-12-31' };
  expect(testsOf([sampleResult({ outcome: 'fail', waived })])[0]).toMatchObject({
    status: 'skipped',
    rawStatus: 'fail',
    extra: { waived },
  });
});

test('the summary counts the tests, and times are whole milliseconds', () => {
  const run = sampleRun([sampleResult({ durationMs: 1.6 }), sampleResult({ outcome: 'fail' })]);
  const { summary, tests } = ctrf(run, placeOf).results;
  expect(summary).toMatchObject({ tests: 2, passed: 1, failed: 1, suites: 1, duration: 2412 });
  expect(tests[0]).toMatchObject({ duration: 2, start: Date.parse('2026-01-02T03:04:05.678Z'), line: 4 });
});

/** The reference implementation, from npm in the folder named by ASSAY_CONSUMERS. */
async function reference(): Promise<
  { validate: (report: unknown) => { valid: boolean; errors: unknown } } | undefined
> {
  if (env.ASSAY_CONSUMERS === undefined) return undefined;
  try {
    return createRequire(join(env.ASSAY_CONSUMERS, 'package.json'))('ctrf');
  } catch {
    return undefined;
  }
}

const consumer = await reference();
const skipped = consumer === undefined && !env.CI;
if (skipped) {
  console.warn(
    'SKIPPED: ctrf.json is not read back; npm install ctrf in a folder, and name that in ASSAY_CONSUMERS',
  );
}

test.skipIf(skipped)('the reference implementation of the format finds nothing wrong', () => {
  const outcomes = [
    'pass',
    'fail',
    'warn',
    'observed',
    'inconclusive',
    'not-applicable',
    'harness-error',
  ] as const;
  const checks = outcomes.map((outcome) =>
    sampleResult({ outcome, actual: '\uD800\0]]>🦊', durationMs: 0.4 }),
  );
  const { valid, errors } =
    consumer?.validate(JSON.parse(portableJson(ctrf(sampleRun(checks), placeOf)))) ?? {};
  expect({ valid, errors }).toEqual({
    valid: true,
    errors: expect.toSatisfy((e) => e === undefined || e.length === 0),
  });
});
