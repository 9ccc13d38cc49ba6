import { expect, test } from 'vitest';
import type { Result, RunResult, WaiverAccount } from '../../engine/run/result.ts';
import { sampleResult, sampleResults, sampleRun } from '../../fixtures/kit/sample-run.ts';
import { renderSummary } from './console.ts';

const render = (checks: readonly Result[], over: Partial<RunResult> = {}) =>
  renderSummary(sampleRun(checks, over), { colour: false, width: 120, outDir: 'reports/out' });

const waiver = (check: string, over: Partial<WaiverAccount> = {}): WaiverAccount => ({
  check,
  reason: 'not ready',
  link: 'https://tracker.example/1',
  expires: '2026-12-31',
  waived: 0,
  ...over,
});
const waived = { reason: 'not ready', link: 'https://tracker.example/1', expires: '2026-12-31' };
const baseline = {
  startedAt: '2026-01-01T00:00:00.000Z',
  runId: 'r',
  worse: [],
  knownFailures: 0,
  repaired: 0,
};

test('waived failures are counted with the ends of their waivers, the first end first, and take no block', () => {
  const shown = render(
    sampleResults(3, (index) => ({ id: `a.o${index}#r`, outcome: 'fail', waived })),
    { waivers: [waiver('a.*', { waived: 2 }), waiver('a.o2#r', { waived: 1, expires: '2026-11-30' })] },
  );
  expect(shown).toContain('3 failed (3 waived)');
  expect(shown).toContain('3 failures waived: a.o2#r until 2026-11-30, a.* until 2026-12-31');
  expect(shown).not.toContain('rerun');
});

test('a waived warning is named as one, and not counted among the failures', () => {
  const shown = render([sampleResult({ outcome: 'warn', waived }), sampleResult({ outcome: 'fail' })], {
    waivers: [waiver('a.o0#r', { waived: 1 })],
  });
  expect(shown).toContain('1 warning waived: a.o0#r until 2026-12-31');
  expect(shown).toContain('1 failed · 1 warned');
});

test('what the curl of a step leaves out stands above its rerun', () => {
  const call = { step: 'create', by: 'leader', operation: 'party.create', answer: '200', times: 1 };
  const shown = render([sampleResult({ id: 'party/left', outcome: 'fail', sequence: [call, call, call] })]);
  expect(shown).toMatch(/ {2}before it 2 calls of the flow, drawn in report\.html; [\s\S]* {2}rerun /);
  expect(render([sampleResult({ outcome: 'fail', sequence: [call] })])).not.toContain('before it');
});

test('one line says where the session of a curl comes from, and none does where no curl has one', () => {
  const curl = `curl -H 'authorization: Bearer '"$ASSAY_SESSION" http://h`;
  const line = '\n$ASSAY_SESSION of a curl: eval "$(npm run -s session)" sets it, with the same URLs\n';
  for (const outcome of ['fail', 'warn'] as const)
    expect(render([sampleResult({ outcome, curl })]).split(line)).toHaveLength(2);
  expect(render([sampleResult({ outcome: 'fail', curl: 'curl http://h' })])).not.toContain(
    '$ASSAY_SESSION of',
  );
  const profile = { file: 'my profile.json', digest: 'd' };
  const { options } = sampleRun([]);
  expect(render([sampleResult({ outcome: 'fail', curl })], { options: { ...options, profile } })).toContain(
    `eval "$(PROFILE='my profile.json' npm run -s session)" sets it`,
  );
});

test('of the changes since the baseline, the first has the commands that repeat it', () => {
  const changed = sampleResults(9, (index) => ({
    id: `a.o${index}#r`,
    outcome: 'warn',
    title: `rule ${index}`,
    cause: `${index}`,
    expected: 'its own',
    actual: 'of another',
    curl: 'curl http://h',
    since: { gate: 'worse', before: 'pass' },
  }));
  const shown = render(changed, { baseline: { ...baseline, worse: changed.map(({ id }) => id) } });
  const [first = ''] = shown.split(/^(?=CHANGED)/m).slice(1);
  expect(first).toMatch(
    /rule 0: no longer so: expected its own; actual of another\n {2}curl .*\n {2}rerun .*\n$/,
  );
  expect(shown).toContain('… and 3 more changes, in report.md');
});

test('what shows data of another player goes before a behaviour that changed', () => {
  const leak = { outcome: 'warn', othersData: true, since: { gate: 'worse', before: 'pass' } } as const;
  const shown = render([
    sampleResult({ id: 'a/b', outcome: 'observed', since: { gate: 'changed', before: 'refused' } }),
    sampleResult({ id: 'a/leak', ...leak }),
  ]);
  expect(shown).toMatch(/CHANGED {2}a\/leak[\s\S]*CHANGED {2}a\/b/);
});

test('no list of causes or reasons is a count alone', () => {
  const long = 'a long answer of the target '.repeat(9);
  const warned = sampleResults(9, (index) => ({
    id: `b.o${index}#r`,
    outcome: 'warn',
    actual: `${index} ${long}`,
  }));
  const shown = render(
    warned.map((each) => ({ ...each, since: { gate: 'worse', before: 'pass' } as const })),
  );
  expect(shown).toMatch(/9 warnings\n {5}\d× .*\n/);
});

test('many waivers are reported by the next ends', () => {
  const waivers = Array.from({ length: 9 }, (_, index) => waiver(`a.o${index}#r`, { waived: 1 }));
  const shown = render([sampleResult({ outcome: 'fail', waived })], { waivers });
  expect(shown.replaceAll('\n', ' ')).toMatch(
    /1 failure waived: (a\.o\d#r until 2026-12-31(, )?){4} and 5 more/,
  );
});

test('waivers that are out of date are reported, the first four of them', () => {
  const waivers = Array.from({ length: 6 }, (_, index) =>
    waiver(`w${index}`, { problem: `waiver ${index} expired` }),
  );
  const shown = render([], { waivers });
  expect(shown).toContain(
    'waiver 0 expired\nwaiver 1 expired\nwaiver 2 expired\nwaiver 3 expired\n… and 2 more waivers',
  );
});

test('what is known from the baseline is one line', () => {
  const known = sampleResults(12, (index) => ({ id: `a.o${index}#r`, outcome: 'fail', known: true }));
  const worse = sampleResult({ id: 'b.x#r', outcome: 'fail', cause: 'new' });
  const shown = render([...known, worse], { baseline: { ...baseline, worse: ['b.x#r'], knownFailures: 12 } });
  expect(shown).toContain('13 failed (12 known)');
  expect(shown).toContain(
    '12 failures known from the baseline; report.html and result.json mark each as known',
  );
  expect(shown.match(/^ {2}rerun .*/gm)).toEqual(["  rerun     npm start -- --only 'b.x#r'"]);
});

test('what passed in the baseline and cannot be asked any more is reported with what to do', () => {
  const silent = sampleResults(3, (index) => ({
    id: `a.o${index}#r`,
    outcome: 'inconclusive',
    reason: 'not-served',
  }));
  const shown = render(silent, { baseline: { ...baseline, worse: ['a.o0#r', 'a.o1#r'] } });
  expect(shown).toContain(
    '2 checks passed in the baseline, now not-served: serve it (see its #routed check), or omit it in the profile  a.o0, a.o1',
  );
});

test('what the baseline judged and this run did not is reported by reason, with its ids', () => {
  const reasons = ['needs-body', 'needs-state', 'needs-players', 'timeout', 'unstable-answers'];
  const lost = sampleResults(6, (index) => ({
    id: `a.o${index}#r`,
    outcome: 'inconclusive',
    reason: reasons[Math.max(0, index - 1)] as 'needs-body',
  }));
  const noLongerJudged = lost.map(({ id }) => id);
  const shown = render(
    [...lost, sampleResult({ id: 'b.x#r', outcome: 'inconclusive', reason: 'needs-body' })],
    {
      baseline: { ...baseline, noLongerJudged },
    },
  );
  expect(shown).toContain('2 checks of the baseline no longer judged (needs-body)  a.o0#r, a.o1#r\n');
  expect(shown).toContain('… and for 1 more reason, in report.html');
  const idle = sampleResult({ id: 'a.idle#r', outcome: 'not-applicable', reason: 'not-triggered' });
  const beside = render([idle, ...lost], {
    baseline: { ...baseline, noLongerJudged: ['a.idle#r', 'a.o0#r'] },
  });
  expect(beside).toMatch(/\(needs-body\) {2}a\.o0#r\n.*\(not-triggered\) {2}a\.idle#r\n/);
});

test('pointers of the profile that matched nothing are reported, the first four of them', () => {
  const lineOf = (nth: number) => `ids: /id${nth} of party.create matched nothing in 3 answers`;
  const shown = render([sampleResult()], { unmatched: [1, 2, 3, 4, 5].map(lineOf) });
  for (const nth of [1, 2, 3, 4]) expect(shown).toContain(`profile: ${lineOf(nth)}\n`);
  expect(shown).toContain('… and 1 more pointer that matched nothing, in result.json');
});

test('without waivers and baseline nothing is said', () => {
  expect(render([sampleResult()])).not.toMatch(/waive|baseline/);
});

const blocked = sampleResult({
  id: 'party/invited',
  outcome: 'inconclusive',
  reason: 'prerequisite-failed',
  detail: 'create: expected a party, got 500',
  curl: 'curl http://h/party',
  rerun: "npm start -- --only 'party/invited'",
});

test('a check that was asked for by name and could not be judged shows what came before it', () => {
  const { options } = sampleRun([]);
  const asked = { options: { ...options, only: ['party/invited'] } };
  const failed = { step: 'party/create', outcome: 'warn', expected: 'a party', actual: '500' } as const;
  const text = render([{ ...blocked, prerequisite: failed }], asked);
  for (const part of [
    'party/invited could not be judged',
    '  reason    prerequisite-failed: create: expected a party, got 500',
    '  before it party/create (warn): expected a party, got 500',
    '  curl      curl http://h/party',
    "  rerun     npm start -- --only 'party/invited'",
  ])
    expect(text.split('\n').map((each) => each.trimEnd())).toContain(part);
  const open = { step: 'two friends', outcome: 'inconclusive', reason: 'needs-body', detail: '400' } as const;
  expect(render([{ ...blocked, prerequisite: open }], asked)).toContain(
    'two friends is inconclusive: needs-body, 400',
  );
  expect(render([blocked])).not.toContain('could not be judged');
});
