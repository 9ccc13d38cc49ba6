import { expect, test } from 'vitest';
import { sampleResult, sampleResults, sampleRun } from '../../fixtures/kit/sample-run.ts';
import { gitlabCodeQuality } from './gitlab-code-quality.ts';

const placeOf = () => ({ file: 'catalog/areas/party.ts', line: 4 });

test('a failure is a finding with all that GitLab asks for', () => {
  expect(gitlabCodeQuality(sampleRun([sampleResult({ outcome: 'fail' })]), placeOf)).toEqual([
    {
      description:
        'party.create#routed: the call is served: expected an answer that differs from that of an unrouted path; actual 404, as /api/v1/qwhzk answers',
      check_name: 'endpoints.party',
      fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
      severity: 'critical',
      location: { path: 'catalog/areas/party.ts', lines: { begin: 4 } },
    },
  ]);
});

test('a warning is minor, a broken standard major', () => {
  const checks = [
    sampleResult({ outcome: 'warn' }),
    sampleResult({ id: 'a.b#c', outcome: 'fail', level: 'standard' }),
  ];
  expect(gitlabCodeQuality(sampleRun(checks), placeOf).map(({ severity }) => severity)).toEqual([
    'minor',
    'major',
  ]);
});

test('fingerprints are unique, and equal from run to run', () => {
  const run = sampleRun(sampleResults(50, (index) => ({ id: `a.b#c${index}`, outcome: 'fail' })));
  const prints = gitlabCodeQuality(run, placeOf).map(({ fingerprint }) => fingerprint);
  expect(new Set(prints).size).toBe(50);
  expect(
    gitlabCodeQuality({ ...run, runId: 'other' }, placeOf).map(({ fingerprint }) => fingerprint),
  ).toEqual(prints);
});

test('what passed, was waived or is known is no finding', () => {
  const waived = { reason: '', link: '', expires: '' };
  const checks = [
    sampleResult(),
    sampleResult({ outcome: 'fail', waived }),
    sampleResult({ outcome: 'fail', known: true }),
  ];
  expect(gitlabCodeQuality(sampleRun(checks), placeOf)).toEqual([]);
});
