import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { catalog } from '../../catalog/catalog.ts';
import { type Outcome, outcomes } from '../../engine/judgement.ts';
import { reasonIn, reasons } from '../../engine/run/reason-codes.ts';
import type { Result, RunResult } from '../../engine/run/result.ts';
import { sampleResult, sampleResults, sampleRun } from '../../fixtures/kit/sample-run.ts';
import { reportFiles } from '../files.ts';
import { flowSection, leftBehindSection, renderSummary } from './console.ts';
import { columns, paint } from './layout.ts';

const step = (id: string, outcome: Outcome): Result => sampleResult({ id, outcome });
const shown = (...steps: readonly Result[]) =>
  flowSection(steps, 100).map((each) => paint(each, { colour: false, width: 100 }));

test('flows without a finding share a line', () => {
  const lines = shown(step('party/create', 'pass'), step('party/full', 'observed'), step('login/in', 'pass'));
  expect(lines).toEqual(['', 'flows without a finding: login, party (3 steps)']);
});

test('a flow with a finding is a line of steps, one sign each, in their order', () => {
  const outcomes = ['pass', 'fail', 'warn', 'inconclusive', 'observed', 'not-applicable'] as const;
  const lines = shown(...outcomes.map((outcome, nth) => step(`party/s${nth}`, outcome)));
  expect(lines[1]).toBe('  party  ✓✗!?·-');
});

test('what was not played is no flow without a finding, and is named', () => {
  const lines = shown(step('party/create', 'not-applicable'), step('login/in', 'pass'));
  expect(lines.slice(1)).toEqual(['flows without a finding: login (1 step)', 'flows not played: party']);
});

test('a flow that was not played says why', () => {
  const idle = { ...step('messages/read', 'not-applicable'), reason: 'not-triggered' as const };
  expect(shown(idle)).toEqual(['', 'flows not played: messages (not-triggered)']);
});

test('checks of operations are no flows', () => {
  expect(shown(step('party.create#routed', 'fail'))).toEqual([]);
});

test('lists what could not be undone, as far as it fits', () => {
  const leftBehind = Array.from({ length: 5 }, (_, nth) => `party ${nth}: party.delete answered 500`);
  const lines = leftBehindSection({ leftBehind }).map((each) => paint(each, { colour: false, width: 100 }));
  expect(lines).toEqual([
    '',
    '5 things that flows made could not be put back:',
    ...leftBehind.slice(0, 3).map((what) => `  ${what}`),
    '  … and 2 more in result.json',
  ]);
  expect(leftBehindSection({ leftBehind: [] })).toEqual([]);
});

const reasonCodes = Object.keys(reasons) as (keyof typeof reasons)[];
const remedyOf = (reason: keyof typeof reasons) =>
  reasonIn(sampleRun([]), reason, [sampleResult({ reason, outcome: 'inconclusive' })]).remedy;
const render = (checks: readonly Result[], over: Partial<RunResult> = {}, width = 100) =>
  renderSummary(sampleRun(checks, over), { colour: false, width, outDir: 'reports/out' });

const equalFailures = sampleResults(184, (index) => ({
  id: `${catalog[index]?.id}#routed`,
  outcome: 'fail',
  cause: 'every path is answered 404',
}));
const differentFailures = sampleResults(2000, (index) => ({
  id: `area.op${index}#rule`,
  title: `rule ${index} `.repeat(20),
  outcome: 'fail',
  expected: 'e '.repeat(500),
  actual: `${index} a`.repeat(500),
}));
const allInconclusive = sampleResults(2200, (index) => ({
  outcome: 'inconclusive',
  reason: reasonCodes[index % reasonCodes.length] ?? 'timeout',
}));
const mixed = sampleResults(4000, (index) => ({
  id: `a.o${index}#r`,
  title: `rule ${index % 300}`,
  host: (['base', 'cdn', 'gamelogs'] as const)[index % 3] ?? 'base',
  outcome: outcomes[index % outcomes.length] ?? 'pass',
  actual: `${index % 300}`,
  expected: 'x',
  reason: reasonCodes[index % reasonCodes.length] ?? 'timeout',
}));

const troubledFlows = Array.from({ length: 16 }, (_, flow) =>
  Array.from({ length: 30 }, (_, step) =>
    sampleResult({ id: `flow${flow}/step${step}`, outcome: step % 9 === 0 ? 'warn' : 'pass' }),
  ),
).flat();

describe.each([
  ['184 equal failures', equalFailures],
  ['2,000 different failures', differentFailures],
  ['2,000 different warnings', differentFailures.map((check): Result => ({ ...check, outcome: 'warn' }))],
  [
    '2,000 errors of our own',
    differentFailures.map((check): Result => ({ ...check, outcome: 'harness-error' })),
  ],
  ['everything inconclusive', allInconclusive],
  ['everything mixed', mixed],
  ['everything mixed but failures', mixed.filter(({ outcome }) => outcome !== 'fail')],
  ['an empty run', []],
])('%s', (_, checks) => {
  const verdict = 'DOES NOT CONFORM: too much to say here in one line. '.repeat(20);
  const long = { ...sampleRun(checks).headline, verdict };
  const target = { embedded: false, base: `http://h/${'p'.repeat(500)}` };

  test.each([20, 60, 80, 100, 200])('take at most 60 lines of %i columns', (width) => {
    const stale = Array.from({ length: 50 }, (_, index) => ({
      check: `${index}`,
      reason: 'r',
      link: 'l',
      expires: '2026-01-01',
      waived: 1,
      problem: 'expired '.repeat(50),
    }));
    const baseline = {
      startedAt: '2026-01-01T00:00:00.000Z',
      runId: 'r',
      knownFailures: 7,
      repaired: 0,
      worse: checks.map(({ id }) => id),
    };
    const most = { headline: long, target, ended: 'interrupted' as const, waivers: stale, baseline };
    for (const over of [{}, most]) {
      const lines = render(checks, over, width).split('\n');
      expect(lines.length).toBeLessThanOrEqual(60);
      const cut = lines.filter((each) => !/^ {2}(curl|rerun) |^reports\/out\//.test(each));
      expect(cut.filter((each) => columns(each) > Math.max(width, 40))).toEqual([]);
    }
  });

  test('tell the heaviest failure in full, or the heaviest warning where nothing fails', () => {
    const isFound = checks.some(({ outcome }) => outcome === 'fail' || outcome === 'warn');
    expect(/^ {2}clause /m.test(render(checks, {}, 100))).toBe(isFound);
  });

  test('end with the files', () => {
    const names = [...reportFiles.map(({ name }) => name), 'results.jsonl', 'run.json'];
    const last = render(checks).split('\n').slice(-names.length);
    expect(last.map((line) => line.split(' ', 1)[0])).toEqual(names.map((name) => `reports/out/${name}`));
  });
});

test('the headline is first', () => {
  const [verdict, scope, counts] = render(equalFailures, { ended: 'interrupted' }).split('\n');
  expect(verdict).toBe('DOES NOT CONFORM: 184 checks failed');
  expect(scope).toBe('0 of 184 operations served · 184 checks in 2.4 s');
  expect(counts).toBe('184 failed');
});

test('a verdict longer than a line is wrapped, not cut', () => {
  const verdict = 'TOO LITTLE COULD BE JUDGED: 61 % of the documented checks on base, where 80 % are needed';
  const shown = render([], { headline: { ...sampleRun([]).headline, verdict } }, 60);
  expect(shown.split('\n').slice(0, 2).join(' ')).toBe(verdict);
});

test('a target whose certificate was not checked is reported as such, however long its URLs are', () => {
  const target = { embedded: false, base: `https://h/${'p'.repeat(500)}` };
  const options = { ...sampleRun([]).options, insecure: true } as const;
  expect(render([], { target, options })).toContain('target (INSECURE: no certificate was checked): base');
  expect(render([], { target })).not.toContain('INSECURE');
});

test('133 equal failures are one block with everything in it', () => {
  const blocks = render(equalFailures.slice(0, 133)).split('\n\n');
  expect(blocks).toHaveLength(3);
  expect(blocks[1]?.split('\n').map((each) => each.slice(0, 60))).toEqual([
    'the call is served (133 failures)',
    '  clause    The calls in the table under "Main API: Party" e',
    '            (documented, endpoints.party)',
    '  why       A client calls them by exactly this method and p',
    '            does not work.',
    '  expected  an answer that differs from that of an unrouted ',
    '  actual    404, as /api/v1/qwhzk answers',
    '  curl      curl -sS -X POST -H "Authorization: Bearer $ASSA',
    "  rerun     npm start -- --only 'archives.journal#routed'",
    '  at        archives.journal, archives.readPage, archives.ch',
  ]);
  expect(blocks[1]).toMatch(/ … and 130 more$/);
});

test('causes that do not fit are counted', () => {
  const causeLines = render(differentFailures).match(/^ *1× /gm)?.length ?? 0;
  const blocks = render(differentFailures).match(/^ {2}rerun/gm)?.length ?? 0;
  const hiddenCauses = (2000 - causeLines - blocks).toLocaleString('en');
  expect(blocks).toBeGreaterThanOrEqual(2);
  expect(blocks + causeLines).toBeGreaterThanOrEqual(5);
  expect(render(differentFailures)).toContain(
    `… and ${hiddenCauses} more causes (${hiddenCauses} failures) in reports/out/report.html`,
  );
});

test('the slowest operation is named below the headline', () => {
  const figures = (ms: number) => [ms, ms, ms, ms, ms, 3] as const;
  const fast = Object.fromEntries(
    ['general.config', 'general.version', 'me.location'].map((id) => [id, figures(20)]),
  );
  const shown = render([], { latency: { ...fast, 'general.currencies': figures(2_503) } });
  expect(shown).toContain('slowest: general.currencies 2.5 s, where others of base take 20 ms');
});

test('five causes are shown, in short, before a second one takes its lines', () => {
  const shown = render([
    ...sampleResults(5, (index) => ({
      id: `a.o${index}#r`,
      outcome: 'fail',
      cause: `${index}`,
      title: `rule ${index}`,
    })),
    ...allInconclusive,
    ...sampleResults(9, (index) => ({ id: `b.o${index}#r`, outcome: 'warn', cause: `${index}` })),
  ]);
  for (const nth of [0, 1, 2, 3, 4]) expect(shown).toContain(`rule ${nth}`);
  expect(shown).not.toMatch(/more causes? \(/);
});

test('one cause that breaks several rules and clauses says so', () => {
  const shown = render([
    sampleResult({ outcome: 'fail', cause: 'x' }),
    sampleResult({
      id: 'party.create#answers',
      outcome: 'fail',
      cause: 'x',
      title: 'the answer is 2xx',
      clause: 'sense.answers',
    }),
  ]);
  expect(shown).toContain('the call is served, and 1 more rule (2 failures)');
  expect(shown.replace(/\n +/g, ' ')).toContain('(documented, endpoints.party and 1 more)');
  expect(shown).toContain('  checks    party.create#routed, party.create#answers\n');
});

test('beside failures, warnings and our own errors are one line each', () => {
  const shown = render([
    sampleResult({ outcome: 'fail' }),
    ...sampleResults(30, (index) => ({ id: `a.o${index}#r`, outcome: 'warn', title: '405 names methods' })),
    sampleResult({ outcome: 'harness-error', detail: 'cannot read x' }),
  ]);
  expect(shown).toMatch(
    /^30 warnings\n {4}30× 405 names methods: 404, as .* {2}a\.o0#r, .* … and \d+ more$/m,
  );
  expect(shown).toMatch(/^ {2}rerun .*\n {4}with --strict, warnings of inferred rules fail a run$/m);
  expect(shown).toMatch(
    /^1 error of Assay itself\n {5}1× the call is served: cannot read x {2}party\.create#routed$/m,
  );
});

test('where nothing fails, the heaviest warning is told in full, and what is played goes before headers', () => {
  const shown = render([
    ...sampleResults(3, (index) => ({
      id: `a.o${index}#host-date`,
      outcome: 'warn',
      cause: 'date',
      title: 'Date is sent',
    })),
    sampleResult({
      id: 'party/leader-kept',
      outcome: 'warn',
      cause: 'kept',
      title: 'a member does not remove the leader',
    }),
  ]);
  expect(shown).toMatch(
    /^4 warnings\n\na member does not remove the leader \(1 warning\)\n {2}clause [\s\S]*\n {2}why /m,
  );
  expect(shown).toMatch(/^ {2}curl .*\n {2}rerun .*\n[\s\S]*\n\n {5}3× Date is sent: /m);
  expect(shown.match(/^ {2}rerun/gm)).toHaveLength(1);
});

test('below warnings stands the command that repeats the first of them, whatever the width', () => {
  const rerun = (id: string) => `BASE_URL=http://127.0.0.1:8080 npm start -- --only '${id}'`;
  const checks = ['a.a#r', 'b.b#r'].map((id) =>
    sampleResult({ id, outcome: 'warn', cause: id, rerun: rerun(id) }),
  );
  const failed = sampleResult({ outcome: 'fail' });
  for (const width of [40, 120])
    expect(render([failed, ...checks], {}, width)).toMatch(
      /b\.b#r\n {2}rerun {5}BASE_URL=\S+ npm start -- --only 'a\.a#r'\n/,
    );
  expect(render([sampleResult({ outcome: 'harness-error', detail: 'x' })])).not.toContain('rerun');
});

test('where no host was reached, the summary does not repeat why: the first lines of the run say it', () => {
  const incidents = [
    'base was not reached: nothing accepts connections there',
    'cdn was not reached: no name',
  ];
  const verdict = `Nothing was judged: no host that the checks need answers. ${incidents.map((each) => `${each}.`).join(' ')}`;
  const checks = [sampleResult({ outcome: 'inconclusive', reason: 'unreachable' })];
  const headline = { ...sampleRun(checks).headline, verdict };
  expect(render(checks, { headline, incidents, exitCode: 2 }, 200)).toBe(
    'Nothing was judged: no host that the checks need answers. reports/out/result.json says so of each check.',
  );
});

test('inconclusive is reported by reason, the most frequent first, each with what to do', () => {
  const checks = [
    ...sampleResults(2, () => ({ outcome: 'inconclusive', reason: 'timeout' })),
    ...sampleResults(24, () => ({ outcome: 'inconclusive', reason: 'needs-body' })),
  ];
  const shown = render(checks, {}, 160);
  const lines = shown.split('26 checks inconclusive\n')[1]?.split('\n') ?? [];
  expect(lines[0]).toMatch(
    /^ {4}24× needs-body {2}give its body in the profile: party\.create · the call was refused/,
  );
  expect(lines[1]).toMatch(/^ {5}2× timeout {5}look at the target's log/);
});

test.each([
  [120, 'party.update, queue.enter, match.get and 2 more'],
  [80, 'party.update and 4 more'],
])('a reason names the operations that it stops most, as many as fit in %i columns', (width, named) => {
  const ids = [
    'party.update',
    'party.update',
    'queue.enter',
    'queue.enter',
    'match.get',
    'me.logout',
    'auth.login',
  ];
  const shown = render(
    sampleResults(ids.length, (index) => ({
      id: `${ids[index]}#r${index}`,
      operation: ids[index] ?? '',
      outcome: 'inconclusive',
      reason: 'needs-body',
    })),
    {},
    width,
  );
  expect(shown).toContain(`7× needs-body  give its body in the profile: ${named}`);
});

describe.each([60, 80, 120])('on %i columns', (width) => {
  const ids = ['left-view', 'left-own-view', 'alone-left'].map((name) => `party/${name}`);
  const checks = [
    ...ids.map((id) =>
      sampleResult({
        id,
        outcome: 'warn',
        cause: 'x',
        title: `after a member left the party, ${id} no longer lists them`,
        actual: '200 with it at /members/1/playerId, and so on'.repeat(9),
      }),
    ),
    ...(['unknown-resource', 'needs-state', 'auth-wall', 'no-session'] as const).map((reason) =>
      sampleResult({
        id: `me.location#${reason}`,
        operation: 'me.location',
        outcome: 'inconclusive',
        reason,
      }),
    ),
  ];
  const lines = render(checks, {}, width).split('\n');
  const text = lines.join('\n').replace(/\n +/g, ' ');

  test('advice is folded below its beginning, and nothing of it is cut', () => {
    for (const reason of ['unknown-resource', 'needs-state', 'auth-wall', 'no-session'] as const)
      expect(text).toContain(`1× ${reason.padEnd(16)}  ${remedyOf(reason)}: me.location`);
  });

  test('the ids of a warning stand whole, whatever the target sent', () => {
    expect(text).toMatch(
      /after a member left [^…]*\(3 warnings\) [\s\S]*200 with it [\s\S]* checks {4}party\/left-view[, ]/,
    );
    const beside = render([sampleResult({ outcome: 'fail' }), ...checks], {}, width);
    expect(beside.replace(/\n +/g, ' ')).toMatch(
      /3× after a member left [^…]*200 with it [^…]*… party\/left-view[, ]/,
    );
    const long = [...lines, ...beside.split('\n')].filter((line) => columns(line) > width);
    expect(long.filter((line) => !/^reports\/out|^ {2}(?:rerun|curl) /.test(line))).toEqual([]);
  });
});

test('steps of a flow that do not fit a line go on below', () => {
  const steps = Array.from({ length: 90 }, (_, nth) => step(`party/s${nth}`, nth === 0 ? 'warn' : 'pass'));
  const lines = flowSection(steps, 60).map((each) => paint(each, { colour: false, width: 60 }));
  expect(lines.slice(1, 3)).toEqual([`  party  !${'✓'.repeat(50)}`, `         ${'✓'.repeat(39)}`]);
});

test('a host that was not given is said loudly, with the variable to set', () => {
  const files = catalog.filter(({ host }) => host === 'cdn').map(({ id }) => id);
  const lost = sampleResults(98, (index) => ({
    id: `${files[index % 49]}#r${index}`,
    // A step of a flow judges an operation of another host besides.
    operation: index === 0 ? ['party.create', files[0] ?? ''] : (files[index % 49] ?? ''),
    host: index === 0 ? 'base' : 'cdn',
    outcome: 'not-applicable',
    reason: 'host-not-given',
  }));
  const other = sampleResult({ outcome: 'not-applicable', reason: 'not-triggered' });
  const target = { embedded: false, base: 'http://127.0.0.1:8080' };
  expect(render([...lost, other], { target })).toContain(
    'NOT JUDGED: 49 operations of cdn (98 checks). Set CDN_URL.\nnot applicable: 1 not-triggered\n',
  );
});

test('a reason or clause of a later version is reported by its code', () => {
  const reason = 'gremlins' as 'timeout';
  const shown = render([
    sampleResult({ outcome: 'inconclusive', reason }),
    sampleResult({ outcome: 'fail', clause: 'party.unheard-of' }),
  ]);
  expect(shown).toContain('1× gremlins  see result.json');
  expect(shown).toContain('party.unheard-of (documented, party.unheard-of)');
});

test('colour changes nothing but colour', () => {
  const options = { width: 80, outDir: 'reports/out' };
  const coloured = renderSummary(sampleRun(mixed), { ...options, colour: true });
  expect(coloured).toContain('\x1b[31m');
  expect(stripVTControlCharacters(coloured)).toBe(
    renderSummary(sampleRun(mixed), { ...options, colour: false }),
  );
});

test('a run in which no host answered is its verdict and its file, whatever there was before', () => {
  const checks = sampleResults(40, (at) => ({
    id: `party.create#rule-${at}`,
    ...(at < 30
      ? { outcome: 'inconclusive', reason: 'unreachable' }
      : { outcome: 'not-applicable', reason: 'host-not-given' }),
  }));
  const headline = { operations: 1, served: 0, answered2xx: 0, verdict: 'Nothing was judged.' };
  const text = renderSummary(sampleRun(checks, { exitCode: 2, headline }), {
    colour: false,
    width: 160,
    outDir: 'reports/out',
  });
  expect(text).toBe('Nothing was judged. reports/out/result.json says so of each check.');
});

test('flows are told in short where the heaviest failure had no room beside them', () => {
  const noise = { repeats: 9, machines: 2, copiesLiveMs: 100, lagMs: 90, wanders: ['/at'] };
  const host = { ...noise, passingErrors: { calls: 90, errors: 9 } };
  const over = {
    noise: { base: host, cdn: host, gamelogs: host },
    leftBehind: ['a party', 'a friend', 'a match', 'a name'],
  };
  const shown = render([...equalFailures, ...troubledFlows, ...allInconclusive], over, 100);
  expect(shown).toMatch(/^ {2}clause /m);
  expect(shown).toContain('flows with a finding, and how many: flow0 4, flow1 4');
});
