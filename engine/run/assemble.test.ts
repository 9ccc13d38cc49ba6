import { describe, expect, test } from 'vitest';
import { complete, facts, many, planned, ran, result } from '../../fixtures/kit/assembled.ts';
import type { Outcome, PlannedCheck } from '../judgement.ts';
import type { Waiver } from '../target/profile.ts';
import { readTarget } from '../target/target.ts';
import { assemble, type Ending } from './assemble.ts';
import { gatedStored } from './baseline.ts';
import type { OpenedTarget } from './open-target.ts';
import { judgedShares, type Result, type RunResult } from './result.ts';
import { factsOf } from './runner.ts';

describe('the headline', () => {
  test('counts operations, those served and those that answered 2xx', () => {
    const plan = ['a.x#routed', 'a.x#answers', 'a.y#routed', 'a.y#answers'].map((id) => planned(id));
    const outcomes: Outcome[] = ['pass', 'pass', 'pass', 'inconclusive'];
    const results = new Map(plan.map((check, at) => [check.id, result(check, outcomes[at] ?? 'pass')]));
    expect(assemble(plan, results, complete, facts()).headline).toMatchObject({
      operations: 2,
      served: 2,
      answered2xx: 1,
    });
  });

  test.each<readonly [string, readonly (Outcome | undefined)[], Ending, RegExp]>([
    ['that it conforms', ['pass'], complete, /^Conforms: nothing/],
    ['that it warned', ['pass', 'warn'], complete, /^Conforms, with 1 warning\.$/],
    ['how many failed', ['fail', 'fail', 'pass'], complete, /^Does not conform: 2 checks failed\.$/],
    ['one in the singular', ['fail'], complete, /1 check failed/],
    ['that nothing was judged', ['not-applicable'], complete, /^Nothing could be judged/],
    ['that it was interrupted', ['pass', undefined], { ...complete, ended: 'interrupted' }, /^Interrupted: /],
    ['that time was over', ['pass', undefined], { ...complete, ended: 'budget' }, /^Out of time: /],
    ['that our own judge failed', ['pass', 'harness-error'], complete, /Assay itself failed in 1 check\./],
  ])('says %s', (_, outcomes, ending, sentence) => {
    expect(ran(outcomes, { ending }).headline.verdict).toMatch(sentence);
  });

  test.each([
    [1, 'Conforms, with 1 warning, about data of another player: look at that first.'],
    [3, 'Conforms, with 3 warnings, 1 of them about data of another player: look at that first.'],
  ])('names the one of %i warnings that shows data of another player', (warnings, sentence) => {
    const plan = Array.from({ length: warnings }, (_, at) => planned(`a.x${at}#routed`));
    const results = new Map(
      plan.map((check, at) => [
        check.id,
        { ...result(check, 'warn'), ...(at === 0 && { othersData: true as const }) },
      ]),
    );
    expect(assemble(plan, results, complete, facts()).headline.verdict).toBe(sentence);
  });

  test('names the warnings of flows and attacks, a few of them', () => {
    const ids = ['a.x#routed', 'a/1', 'b/2', 'c/3', 'd/4'];
    const plan = ids.map((id) => planned(id));
    const results = new Map(plan.map((check) => [check.id, result(check, 'warn')]));
    expect(assemble(plan, results, complete, facts()).headline.verdict).toBe(
      'Conforms, with 5 warnings: look first at what was played (a/1, b/2, c/3 and 1 more).',
    );
  });

  test('says what was asked and what came, where nothing was judged', () => {
    const checks = ['a.x#shape', 'a.y#shape', 'a.z#shape'].map((id) => planned(id));
    const results = new Map(
      checks.map((check, at) => [
        check.id,
        at === 0
          ? result(check, 'not-applicable')
          : { ...result(check, 'inconclusive'), reason: 'needs-body' as const },
      ]),
    );
    expect(assemble(checks, results, complete, facts(0)).headline.verdict).toBe(
      'Nothing could be judged of 3 checks: 2 inconclusive (needs-body), 1 not applicable.',
    );
    expect(ran([]).headline.verdict).toBe('Nothing could be judged: no check was asked.');
  });

  test.each([
    ['fail', undefined, 'Does not conform: 20 checks failed.'],
    ['inconclusive', 'catch-all', 'Too little could be judged on base: 0 %'],
  ] as const)('doubts the URL first where every route of a host is %s', (outcome, reason, rest) => {
    const plan = Array.from({ length: 20 }, (_, at) => planned(`a.x${at}#routed`));
    const routed = (served: number) =>
      assemble(
        plan,
        new Map(
          plan.map((check, at) => [
            check.id,
            at < served ? result(check, 'pass') : { ...result(check, outcome), ...(reason && { reason }) },
          ]),
        ),
        complete,
        facts(),
      ).headline.verdict;
    expect(routed(0)).toMatch(
      /^BASE_URL may be the URL of another server: no operation of base is told apart from paths that do not exist\. Check that first \(npm run doctor\)\. /,
    );
    expect(routed(0)).toContain(rest);
    expect(routed(1)).not.toContain('another server');
  });

  test('says which flows could for the most part not be judged, and why', () => {
    const ids = ['party/a', 'party/b', 'party/c', 'login/a', 'login/b', 'login/c', 'a.x#routed'];
    const plan = ids.map((id) => planned(id));
    const open = (id: string) => id === 'party/a' || id === 'party/b' || id === 'login/a';
    const results = new Map(
      plan.map((check) => [
        check.id,
        open(check.id)
          ? { ...result(check, 'inconclusive'), reason: 'needs-players' as const }
          : result(check, 'pass'),
      ]),
    );
    expect(assemble(plan, results, complete, facts(10)).headline.verdict).toBe(
      'Conforms: nothing that was judged breaks a rule. Half or more of party could not be judged: 2 steps (2 needs-players).',
    );
  });

  test('is not green where a rerun could not judge what had failed or warned', () => {
    const plan = ['a/1', 'a/2', 'a/3', 'a.x#routed'].map((id) => planned(id));
    const results = new Map(
      plan.map((check, at) => [check.id, result(check, at < 2 ? 'inconclusive' : 'pass')]),
    );
    const earlier = new Map<string, Outcome>([
      ['a/1', 'warn'],
      ['a/2', 'inconclusive'],
      ['a/3', 'fail'],
    ]);
    const { exitCode, headline } = assemble(plan, results, complete, { ...facts(0), earlier });
    expect(headline.verdict).toBe(
      'Not settled: 1 finding of the earlier run could not be judged again, and may be there still (a/1).',
    );
    expect(exitCode).toBe(1);
    expect(assemble(plan, results, complete, facts(0)).exitCode).toBe(0);
  });

  test('names data of another player first where it got worse than the baseline', () => {
    const plan = ['a/1', 'a/2'].map((id) => planned(id));
    const run = (of: Partial<Result>, baseline?: RunResult) => {
      const results = new Map(plan.map((check) => [check.id, { ...result(check, 'fail'), ...of }]));
      const { 1: last } = plan;
      if (last) results.set(last.id, result(last, baseline ? 'fail' : 'pass'));
      return assemble(plan, results, complete, { ...facts(0), baseline });
    };
    const baseline = run({ outcome: 'pass' });
    expect(run({ othersData: true }, baseline).headline.verdict).toBe(
      'Got worse than the run of 2026-01-01 00:00 UTC: 2 checks, 1 of them about data of another player: look at that first.',
    );
  });

  test('holds what stands in the way where too little was judged, and only there', () => {
    const plan = [planned('a.x#routed')];
    const hints = ['sign-in: refused'];
    const of = (outcome: Outcome) =>
      assemble(plan, new Map(plan.map((check) => [check.id, result(check, outcome)])), complete, {
        ...facts(),
        hints,
      }).hints;
    expect([of('inconclusive'), of('pass')]).toEqual([hints, undefined]);
  });

  test('never says that it conforms where the exit code is not 0', () => {
    const endings = ['complete', 'interrupted', 'budget', 'worker-died', 'bail'] as const;
    const outcomes: readonly (Outcome | undefined)[] = [
      'pass',
      'fail',
      'inconclusive',
      'not-applicable',
      'harness-error',
      undefined,
    ];
    for (const ended of endings)
      for (const outcome of outcomes) {
        const { exitCode, headline } = ran(['pass', outcome], {
          ending: { ...complete, ended },
          minJudged: 10,
        });
        expect([ended, outcome, headline.verdict.startsWith('Conforms')]).toEqual([
          ended,
          outcome,
          exitCode === 0,
        ]);
      }
  });

  test('a profile that points at what no answer has is no green run', () => {
    const plan = [planned('a.x#routed')];
    const results = new Map(plan.map((check) => [check.id, result(check, 'pass')]));
    const unmatched = ['ids: /id of party.create matched nothing in 3 answers'];
    const { exitCode, headline } = assemble(plan, results, complete, { ...facts(), unmatched });
    expect(exitCode).toBe(1);
    expect(headline.verdict).toBe(
      'The profile does not fit: ids: /id of party.create matched nothing in 3 answers.',
    );
  });

  test('a host that went away and came back is reported, and is no green run', () => {
    const plan = [planned('a.x#routed')];
    const results = new Map(plan.map((check) => [check.id, result(check, 'pass')]));
    const incidents = ['base stopped answering after a.x (answered 200); it came back after 3 s'];
    const { exitCode, headline } = assemble(plan, results, complete, { ...facts(), incidents });
    expect(exitCode).toBe(1);
    expect(headline.verdict).toBe(`A host went away while it was judged. ${incidents[0]}.`);
  });

  test('checks of which no host answers are not judged, whatever other hosts answer', () => {
    const plan = [planned('a.x#routed'), planned('party/leave')];
    const [asked, left] = plan.map((check) => result(check, 'inconclusive'));
    const results = new Map([
      ['a.x#routed', { ...(asked as Result), reason: 'unreachable' } as Result],
      ['party/leave', { ...(left as Result), outcome: 'not-applicable' } as Result],
    ]);
    const { exitCode, headline } = assemble(plan, results, complete, facts());
    expect([exitCode, headline.verdict]).toEqual([
      2,
      'Nothing was judged: no host that the checks need answers.',
    ]);
  });

  test('a host that never answered did not go away', () => {
    const plan = ['a.x#no-internals', 'a.y#no-internals'].map((id) => planned(id, 'cdn', 'inferred'));
    const [first, second] = plan.map((check) => result(check, 'pass'));
    const results = new Map([
      ['a.x#no-internals', first as Result],
      [
        'a.y#no-internals',
        { ...(second as Result), outcome: 'inconclusive', reason: 'unreachable' } as Result,
      ],
    ]);
    const incidents = ['cdn was not reached: refused'];
    const { exitCode, headline } = assemble(plan, results, complete, { ...facts(), incidents });
    expect([exitCode, headline.verdict]).toEqual([
      1,
      `Not all could be judged: a host that these checks need does not answer. ${incidents[0]}.`,
    ]);
  });
});

describe('the judged share', () => {
  test('is of documented checks that are applicable, on each host by itself', () => {
    const checks = [
      result(planned('a', 'base'), 'pass'),
      result(planned('b', 'base'), 'inconclusive'),
      result(planned('c', 'base'), 'not-applicable'),
      result(planned('d', 'base', 'inferred'), 'inconclusive'),
      result(planned('e', 'cdn'), 'fail'),
      result(planned('f', 'gamelogs'), 'not-applicable'),
      result(planned('g', 'cdn', 'open'), 'observed'),
    ];
    expect(judgedShares(checks)).toEqual({ base: 0.5, cdn: 1 });
  });

  test('a harness-error is not judged', () => {
    expect(judgedShares([result(planned('a'), 'harness-error'), result(planned('b'), 'warn')])).toEqual({
      base: 0.5,
    });
  });

  test('of 80 % is enough, less is not, on any host', () => {
    expect(ran([...many(8, 'pass'), ...many(2, 'inconclusive')]).exitCode).toBe(0);
    expect(ran([...many(79, 'pass'), ...many(21, 'inconclusive')]).exitCode).toBe(1);
    expect(ran([...many(79, 'pass'), ...many(21, 'inconclusive')], { host: 'gamelogs' }).exitCode).toBe(1);
  });

  test.each([0, 7, 29, 57, 58, 100])('of just --min-judged %s is enough', (percent) => {
    const outcomes = [...many(percent, 'pass'), ...many(100 - percent, 'inconclusive')];
    expect(ran([...outcomes], { minJudged: percent }).exitCode).toBe(percent === 0 ? 1 : 0);
  });

  test('nothing judged is never 0, whatever --min-judged', () => {
    expect(ran(many(3, 'inconclusive'), { minJudged: 0 }).exitCode).toBe(1);
  });

  test('one host that is short spoils the others', () => {
    const plan = [planned('a', 'base'), planned('b', 'cdn')];
    const results = new Map([
      ['a', result(plan[0] as PlannedCheck, 'pass')],
      ['b', result(plan[1] as PlannedCheck, 'inconclusive')],
    ]);
    const { exitCode, headline } = assemble(plan, results, complete, facts());
    expect(exitCode).toBe(1);
    expect(headline.verdict).toBe(
      'Too little could be judged on cdn: 0 % of its documented checks, 80 % are needed.',
    );
  });
});

const waiver: Waiver = {
  check: 'a.*',
  reason: 'being mended',
  link: 'https://tracker.example/1',
  expires: '2026-06-30',
};

function run(
  outcomes: Readonly<Record<string, Outcome>>,
  { waivers = [waiver], minJudged = 80, startedAt = '2026-01-01T23:59:59.000Z' } = {},
): RunResult {
  const plan = Object.keys(outcomes).map((id) => planned(id));
  const results = new Map(plan.map((check) => [check.id, result(check, outcomes[check.id] ?? 'pass')]));
  const known = [...Object.keys(outcomes), 'a.filtered#out'];
  return assemble(plan, results, complete, { ...facts(minJudged), waivers, known, startedAt });
}

test('a waived failure does not count, and is reported', () => {
  const runResult = run({ 'a.x#r': 'fail', 'b.x#r': 'pass' });
  expect(runResult.exitCode).toBe(0);
  expect(runResult.headline.verdict).toBe('Conforms, but for 1 waived failure.');
  expect(runResult.summary.fail).toBe(1);
  expect(runResult.checks[0]).toMatchObject({ outcome: 'fail', waived: { reason: 'being mended' } });
  expect(runResult.waivers).toEqual([{ ...waiver, waived: 1 }]);
});

test('beside a failure that nobody waived it is only mentioned', () => {
  const runResult = run({ 'a.x#r': 'fail', 'b.x#r': 'fail' });
  expect(runResult.exitCode).toBe(1);
  expect(runResult.headline.verdict).toBe('Does not conform: 1 check failed (1 more is waived).');
});

test('a waiver that is no longer right fails a run in which nothing else is wrong', () => {
  const runResult = run({ 'a.x#r': 'fail' }, { waivers: [waiver, { ...waiver, check: 'c.*' }] });
  expect(runResult.exitCode).toBe(1);
  expect(runResult.headline.verdict).toBe('1 waiver in the profile is out of date.');
  expect(runResult.waivers.map(({ problem }) => problem)).toEqual([
    undefined,
    expect.stringContaining('"c.*"'),
  ]);
});

test.each([
  ['2026-06-30T23:59:59.999Z', 0],
  ['2026-07-01T00:00:00.000Z', 1],
])('it holds through its day in UTC: a run begun at %s exits %i', (startedAt, exitCode) => {
  expect(run({ 'a.x#r': 'fail' }, { startedAt }).exitCode).toBe(exitCode);
});

test('a waiver whose checks were filtered out does not count', () => {
  expect(run({ 'b.x#r': 'pass' })).toMatchObject({ exitCode: 0, waivers: [{ waived: 0 }] });
});

test('the judged share leaves waived failures out, but not what else a waiver matches', () => {
  const outcomes = { 'a.x#r': 'fail', 'a.y#r': 'inconclusive', 'b.x#r': 'pass', 'b.y#r': 'pass' } as const;
  expect(run(outcomes).judgedShare.base).toBeCloseTo(2 / 3);
});

test('a waiver of everything does not make an unjudged run green', () => {
  const runResult = run({ 'a.x#r': 'inconclusive' }, { waivers: [{ ...waiver, check: '*' }] });
  expect(runResult.exitCode).toBe(1);
});

describe('every planned check is in the result', () => {
  test('lists checks in plan order, those without a result with the reason', () => {
    const { checks, summary } = ran(['pass', undefined, 'warn'], {
      ending: { ended: 'budget', missing: { reason: 'budget', detail: 'no time' } },
    });
    expect(checks.map(({ id, outcome, reason }) => [id, outcome, reason])).toEqual([
      ['area.op0#routed', 'pass', undefined],
      ['area.op1#routed', 'inconclusive', 'budget'],
      ['area.op2#routed', 'warn', undefined],
    ]);
    expect(checks[1]).toMatchObject({
      detail: 'no time',
      rerun: "npm start -- --only 'area.op1#routed'",
      durationMs: 0,
    });
    expect(summary).toEqual({
      pass: 1,
      warn: 1,
      inconclusive: 1,
      fail: 0,
      observed: 0,
      'not-applicable': 0,
      'harness-error': 0,
    });
  });

  test('and nothing that was not planned', () => {
    const stray = planned('stray#routed');
    const { checks } = assemble(
      [planned('a#routed')],
      new Map([[stray.id, result(stray, 'fail')]]),
      complete,
      facts(),
    );
    expect(checks.map(({ id }) => id)).toEqual(['a#routed']);
  });
});

describe('the exit code', () => {
  const interrupted: Ending = { ended: 'interrupted', missing: complete.missing };
  const died: Ending = { ended: 'worker-died', missing: complete.missing };

  test.each<readonly [string, number, readonly (Outcome | undefined)[], Ending]>([
    ['0: nothing failed', 0, ['pass', 'warn', 'observed'], complete],
    ['0: what is not applicable does not count', 0, ['pass', 'not-applicable', 'not-applicable'], complete],
    ['1: something failed', 1, ['pass', 'fail'], complete],
    ['1: too little was judged', 1, ['pass', 'inconclusive'], complete],
    ['1: nothing was judged', 1, ['inconclusive'], complete],
    ['1: nothing was applicable', 1, ['not-applicable'], complete],
    ['1: nothing was planned', 1, [], complete],
    [
      '1: out of time, though all that was asked passed',
      1,
      [...many(9, 'pass'), undefined],
      { ...complete, ended: 'budget' },
    ],
    ['1: stopped by --bail', 1, many(9, 'pass'), { ...complete, ended: 'bail' }],
    ['3: our own error, though all else passed', 3, [...many(9, 'pass'), 'harness-error'], complete],
    ['3 outranks 1', 3, ['fail', 'harness-error'], complete],
    ['3: the worker died', 3, many(9, 'pass'), died],
    ['130 outranks 3', 130, ['harness-error'], interrupted],
    ['130 outranks 1', 130, ['fail'], interrupted],
    ['130: interrupted, though all passed', 130, ['pass'], interrupted],
  ])('%s', (_, code, outcomes, ending) => {
    expect(ran(outcomes, { ending }).exitCode).toBe(code);
  });
});

function runOf(
  outcomes: Readonly<Record<string, Outcome>>,
  baseline?: RunResult,
  {
    minJudged = 80,
    ended = 'complete' as RunResult['ended'],
    over = {} as Partial<Result>,
    samples = [] as readonly RunResult[],
  } = {},
): RunResult {
  const plan = Object.keys(outcomes).map((id) => planned(id));
  const results = new Map(
    plan.map((check) => [check.id, { ...result(check, outcomes[check.id] ?? 'pass'), ...over }]),
  );
  return assemble(plan, results, { ...complete, ended }, { ...facts(minJudged), baseline, samples });
}

test('failures that the baseline has too are known, and do not fail the run', () => {
  const runResult = runOf({ a: 'fail', b: 'fail', c: 'pass' }, runOf({ a: 'fail', b: 'fail', c: 'fail' }));
  expect(runResult.exitCode).toBe(0);
  expect(runResult.headline.verdict).toBe(
    'Nothing got worse than the run of 2026-01-01 00:00 UTC: 2 known failures, 1 repaired.',
  );
  expect(runResult.checks.map(({ known }) => known)).toEqual([true, true, undefined]);
  expect(runResult.summary.fail).toBe(2);
  expect(runResult.baseline).toEqual({
    startedAt: '2026-01-01T00:00:00.000Z',
    runId: 'r',
    worse: [],
    knownFailures: 2,
    repaired: 1,
  });
});

test('a failure that the baseline has not fails the run', () => {
  const runResult = runOf({ a: 'fail', b: 'fail' }, runOf({ a: 'fail', b: 'pass' }));
  expect(runResult.exitCode).toBe(1);
  expect(runResult.headline.verdict).toBe('Got worse than the run of 2026-01-01 00:00 UTC: 1 check.');
  expect(runResult.baseline?.worse).toEqual(['b']);
  expect(runResult.checks.map(({ known }) => known)).toEqual([true, undefined]);
});

test('a failure that a baseline that was cut off had not judged fails the run, but is not reported as worse', () => {
  const cutOff = runOf({ a: 'inconclusive', b: 'inconclusive' }, undefined, {
    ended: 'interrupted',
    over: { reason: 'interrupted' },
  });
  const runResult = runOf({ a: 'fail', b: 'fail' }, cutOff);
  expect(runResult.exitCode).toBe(1);
  expect(runResult.headline.verdict).toBe(
    '2 checks fail that the run of 2026-01-01 00:00 UTC did not judge: it was cut off.',
  );
  expect(runResult.baseline).toMatchObject({ worse: [], unjudgedBefore: ['a', 'b'], knownFailures: 0 });
  expect(runResult.checks.map(({ known }) => known)).toEqual([undefined, undefined]);
});

test('what got worse and what was not judged before are reported side by side', () => {
  const cutOff = runOf({ a: 'inconclusive' }, undefined, { ended: 'budget', over: { reason: 'budget' } });
  const baseline = { ...cutOff, checks: [...cutOff.checks, ...runOf({ b: 'pass' }).checks] };
  expect(runOf({ a: 'fail', b: 'fail' }, baseline).headline.verdict).toBe(
    'Got worse than the run of 2026-01-01 00:00 UTC: 1 check. 1 check fails that the run of 2026-01-01 00:00 UTC did not judge: it was cut off.',
  );
});

test('a check that passed and cannot be asked any more fails the run', () => {
  const runResult = runOf({ a: 'inconclusive', b: 'pass' }, runOf({ a: 'pass', b: 'pass' }), {
    minJudged: 0,
    over: { reason: 'not-served' },
  });
  expect(runResult.exitCode).toBe(1);
  expect(runResult.baseline?.worse).toEqual(['a']);
});

test('a check that was judged and cannot be judged any more is named where it fails the run, each time it was asked', () => {
  const before = runOf({ a: 'pass', b: 'fail', c: 'pass' });
  const now = { a: 'inconclusive', b: 'inconclusive', c: 'pass' } as const;
  const over = { reason: 'needs-body' } as const;
  const sample = runOf(now, undefined, { over });
  const run = runOf(now, before, { minJudged: 0, over, samples: [sample] });
  expect(run.exitCode).toBe(1);
  expect(run.baseline).toMatchObject({ worse: [], noLongerJudged: ['a', 'b'] });
  expect(run.headline.verdict).toBe('2 checks are no longer judged.');
  const worse = runOf({ ...now, c: 'fail' }, before, { minJudged: 0, over, samples: [sample] });
  expect(worse.headline.verdict).toBe(
    'Got worse than the run of 2026-01-01 00:00 UTC: 1 check. 2 checks are no longer judged.',
  );
});

test('what is no longer judged is not named where it fails nothing', () => {
  const before = runOf({ a: 'pass' });
  for (const [outcome, reason] of [
    ['not-applicable', 'not-triggered'],
    ['inconclusive', 'rate-limited'],
  ] as const) {
    const over = { reason };
    const sample = runOf({ a: outcome }, undefined, { over });
    const run = runOf({ a: outcome }, before, { minJudged: 0, over, samples: [sample] });
    expect(run.baseline).not.toHaveProperty('noLongerJudged');
    expect(run.headline.verdict).not.toContain('no longer judged');
  }
});

test.each(['budget', 'interrupted'] as const)(
  'what a run did not come to is not reported as such: %s',
  (reason) => {
    const before = runOf({ a: 'pass', b: 'pass' });
    const runResult = runOf({ a: 'inconclusive', b: 'pass' }, before, { minJudged: 0, over: { reason } });
    expect(runResult.baseline).not.toHaveProperty('noLongerJudged');
  },
);

test('too little judged counts only where it was more before', () => {
  const little = runOf({ a: 'pass', b: 'inconclusive' });
  expect(little.exitCode).toBe(1);
  expect(runOf({ a: 'pass', b: 'inconclusive' }, little).exitCode).toBe(0);
  expect(runOf({ a: 'pass', b: 'inconclusive' }, runOf({ a: 'pass', b: 'pass' })).exitCode).toBe(1);
});

test('a run in which nothing was judged, or that was cut off, is never green', () => {
  const nothing = runOf({ a: 'inconclusive' });
  expect(runOf({ a: 'inconclusive' }, nothing).exitCode).toBe(1);
  const whole = runOf({ a: 'pass' });
  expect(runOf({ a: 'pass' }, whole, { ended: 'budget' }).exitCode).toBe(1);
  expect(runOf({ a: 'harness-error', b: 'pass' }, whole).exitCode).toBe(3);
});

test('without a baseline nothing is known', () => {
  const runResult = runOf({ a: 'fail' });
  expect(runResult.baseline).toBeUndefined();
  expect(runResult.checks[0]?.known).toBeUndefined();
});

describe('what differs from the baseline without failing', () => {
  const check = planned('party/full');
  const observed = (behaviour: string): Result => ({ ...result(check, 'observed'), behaviour });
  const runWith = (behaviour: string, over: Partial<Parameters<typeof assemble>[3]> = {}) =>
    assemble([check], new Map([[check.id, observed(behaviour)]]), complete, { ...facts(0), ...over });
  const baseline = runWith('takes 4');

  test('fails the run where it was the same each time, and says how it was', () => {
    const run = runWith('takes 5', { baseline, samples: [runWith('takes 5')] });
    expect(run.checks[0]?.since).toEqual({ gate: 'changed', before: 'takes 4' });
    expect(run.exitCode).toBe(1);
    expect(run.headline.verdict).toMatch(
      /^Behaves otherwise than in the run of .*: 1 behaviour: .*now takes 5 \(before: takes 4\)\.$/,
    );
  });

  test('is named and does not fail the run where it was not', () => {
    for (const samples of [[], [runWith('takes 4')]]) {
      const run = runWith('takes 5', { baseline, samples });
      expect(run.checks[0]).not.toHaveProperty('since');
      expect(run.baseline?.unsteady).toEqual(['party/full']);
      expect(run.headline.verdict).not.toContain('otherwise');
    }
  });

  test('does not fail the run where it is what the profile expects, and a comparison of both results agrees', () => {
    const samples = [runWith('takes 5')];
    const known = [check.id];
    const run = runWith('takes 5', { baseline, samples, known, expects: { 'party/*': 'takes 5' } });
    expect(run.asPinned).toBe(1);
    expect(run.exitCode).toBe(0);
    expect(run.baseline).toMatchObject({ accepted: ['party/full'] });
    expect(gatedStored(baseline, run).since.size).toBe(0);
    const other = runWith('takes 5', { baseline, samples, known, expects: { 'party/*': 'takes 4' } });
    expect(other.exitCode).toBe(1);
  });

  test('does not fail a run that is to fail on something else', () => {
    const samples = [runWith('takes 5')];
    const run = runWith('takes 5', { baseline, samples, failOn: ['worse'] });
    expect(run.checks[0]).not.toHaveProperty('since');
    expect(run.headline.verdict).not.toContain('otherwise');
    expect(run.baseline).toMatchObject({ failOn: ['worse'], behaviours: [{ points: ['party/full'] }] });
  });
});

test('a check that never ran is run again with the options of the run', () => {
  const target = readTarget({}, { cwd: '/nowhere', jwtAlg: 'ES256' });
  const opened = { target, preflight: { lines: [] } } as unknown as OpenedTarget;
  const options = { strict: true, readOnly: false, minJudged: 80, only: [], startedAt: 0 };
  const limits = { rate: undefined, timeoutMs: 10_000, rerunOut: 'my out' };
  const runFacts = factsOf(
    { opened, ...options, ...limits, attack: 'off' },
    { done: 0, failed: 0, requests: 0 },
    { known: [], rerun: false },
  );
  const [check] = assemble([planned('area.op#routed')], new Map(), complete, runFacts).checks;
  expect(check?.rerun).toBe("npm start -- --strict --jwt-alg ES256 --out 'my out' --only 'area.op#routed'");
});
