import { expect, test } from 'vitest';
import { sampleResult, sampleResults, sampleRun } from '../../fixtures/kit/sample-run.ts';
import { renderHtml } from '../html/html.ts';
import { headline, noiseLines, noisyLines, slowestLine, usedLine } from './headline.ts';

test('the headline shows served, answered 2xx, checks and time', () => {
  const checks = sampleResults(2143, () => ({}));
  const answers = { operations: 184, served: 133, answered2xx: 97, verdict: 'CONFORMS' };
  checks[0] = sampleResult({ id: 'party.create#answers' });
  expect(headline(sampleRun(checks, { headline: answers }))).toMatchObject({
    verdict: 'CONFORMS',
    scope: '133 of 184 operations served · 97 answered 2xx · 2,143 checks in 2.4 s',
  });
});

test('operations that the profile leaves out are reported beside those that are counted', () => {
  const checks = sampleResults(3, (index) => ({
    id: `a.o${index}#routed`,
    ...(index < 2 && { outcome: 'not-applicable', reason: 'left-out' }),
  }));
  checks.push(sampleResult({ id: 'a.o0#answers', outcome: 'not-applicable', reason: 'left-out' }));
  const counts = { operations: 1, served: 1, answered2xx: 1, verdict: 'x' };
  const run = sampleRun(checks, { headline: counts });
  expect(headline(run).scope).toMatch(/^1 of 1 operations served \(2 left out by the profile\) · /);
  expect(renderHtml(run)).toContain('<dd>1 <small>of 1, 2 left out</small></dd>');
});

test('what was not asked is not counted as zero', () => {
  const scope = (id: string) => headline(sampleRun([sampleResult({ id })])).scope;
  expect(scope('party.create#answers')).not.toContain('served');
  expect(scope('party.create#routed')).not.toContain('2xx');
});

test('a run says how much of it earlier runs have used up', () => {
  const used = sampleResult({ outcome: 'observed', behaviour: 'already used' });
  expect(usedLine({ checks: [used, sampleResult()] })).toMatch(
    /^already used: 1 check is .* let it be judged$/,
  );
  expect(usedLine({ checks: [used, used] })).toMatch(/^already used: 2 checks are .* let them be judged$/);
  expect(usedLine({ checks: [sampleResult()] })).toBeUndefined();
});

test('the headline says how many open points are as the profile pins them', () => {
  const checks = sampleResults(3, () => ({ outcome: 'observed', behaviour: '200' }));
  expect(headline(sampleRun(checks, { asPinned: 3 })).outcomes).toBe('3 observed, all as pinned');
  expect(headline(sampleRun(checks, { asPinned: 2 })).outcomes).toBe('3 observed, 2 of them as pinned');
  expect(headline(sampleRun(checks)).outcomes).toBe('3 observed');
});

test('an operation that takes more than a second, and far more than others of its host, is named', () => {
  const figures = (ms: number) => [ms, ms, ms, ms, ms, 3] as const;
  const others = {
    'general.config': figures(20),
    'general.version': figures(24),
    'me.location': figures(900),
    'logs.logsBatch': figures(3_800),
  };
  const line = (ms: number, beside: Record<string, ReturnType<typeof figures>> = others) =>
    slowestLine({ latency: { ...beside, 'general.currencies': figures(ms) } });
  expect(line(2_503)).toBe('slowest: general.currencies 2.5 s, where others of base take 24 ms');
  expect(line(950)).toBeUndefined();
  expect(slowestLine({})).toBeUndefined();
  // A host that is slow as a whole, or of which too little is known.
  const slow = Object.fromEntries(Object.keys(others).map((id) => [id, figures(400)]));
  expect(line(2_503, slow)).toBeUndefined();
  expect(line(2_503, { 'general.config': figures(20) })).toBeUndefined();
});

test('outcomes nobody had are left out, failures come first', () => {
  const checks = [
    sampleResult(),
    sampleResult({ outcome: 'fail' }),
    sampleResult({ outcome: 'not-applicable' }),
  ];
  expect(headline(sampleRun(checks)).outcomes).toBe('1 failed · 1 passed · 1 not applicable');
});

test('the judged share is rounded down, so that 100 % means all', () => {
  expect(headline(sampleRun([], { judgedShare: { base: 0.9999, cdn: 1 } })).judged).toBe(
    'base 99 % · cdn 100 %',
  );
});

test.each([
  [0, '0 s'],
  [2412, '2.4 s'],
  [9949, '9.9 s'],
  [9950, '10 s'],
  [301_000, '301 s'],
])('%i ms are %s', (durationMs, words) => {
  expect(headline(sampleRun([], { durationMs })).scope).toContain(`in ${words}`);
});

test('a member that changes by itself is named in plain words, whatever the target calls it', () => {
  const base = { repeats: 9, machines: 1, copiesLiveMs: 0, lagMs: 0, wanders: ['/now', '/<script>alert(1)'] };
  expect(noiseLines({ noise: { base } })).toEqual([
    'base: /now, a member of another name change by themselves',
  ]);
});

test('what needs nothing done says so', () => {
  const base = { repeats: 9, machines: 1, copiesLiveMs: 400, lagMs: 0, wanders: ['/now'] };
  expect(noisyLines({ noise: { base } })).toEqual([
    'base: answers are cached for 0.4 s, /now changes by itself (Assay allows for that; nothing to do)',
  ]);
});

test('server errors that do not come again stand before all else that a host does by itself', () => {
  const base = { repeats: 9, machines: 2, copiesLiveMs: 0, lagMs: 0, wanders: [] };
  expect(noisyLines({ noise: { base: { ...base, passingErrors: { calls: 1_212, errors: 26 } } } })).toEqual([
    expect.stringMatching(/^base: 26 calls of 1,212 met a server error .*, answers as from 2 machines$/),
  ]);
});
