import { describe, expect, test } from 'vitest';
import { outcomes } from '../../engine/judgement.ts';
import { reasons } from '../../engine/run/reason-codes.ts';
import type { Result, RunResult } from '../../engine/run/result.ts';
import { sampleResult, sampleResults, sampleRun } from '../../fixtures/kit/sample-run.ts';
import { columns } from '../console/layout.ts';
import { diffJson, diffViewOf, exitCodeOf } from './diff.ts';
import { renderDiff } from './render.ts';

const view = (before: RunResult, after: RunResult) => diffViewOf(before, after);
const render = (before: RunResult, after: RunResult, over: { all?: boolean; width?: number } = {}) =>
  renderDiff(view(before, after), { colour: false, width: 120, all: false, ...over });

const check = (id: string, outcome: Result['outcome'], over: Partial<Result> = {}) =>
  sampleResult({ id, outcome, ...over });

/** A night before and a night after, with one of everything. */
const before = sampleRun([
  check('party.create#routed', 'pass'),
  check('party.get#routed', 'pass'),
  check('party.get#answers', 'pass', { title: 'answers' }),
  check('me.location#answers', 'pass', { title: 'answers' }),
  check('me.logout#answers', 'fail', { title: 'ends the session' }),
  check('me.location#head', 'pass', { title: 'HEAD' }),
  check('queue.token#anonymous', 'observed', { behaviour: '401', title: 'without a credential' }),
  check('queue.token#shape', 'observed', { behaviour: '200 {"id":"number"}', title: 'its shape' }),
  check('old#x', 'pass'),
  check('still#x', 'fail'),
]);
const after = sampleRun(
  [
    check('party.create#routed', 'fail', { cause: 'one' }),
    check('party.get#routed', 'fail', { cause: 'one' }),
    check('party.get#answers', 'inconclusive', { reason: 'not-served' }),
    check('me.location#answers', 'inconclusive', { reason: 'no-session' }),
    check('me.logout#answers', 'pass', { title: 'ends the session' }),
    check('me.location#head', 'warn', { title: 'HEAD' }),
    check('queue.token#anonymous', 'observed', { behaviour: '403', title: 'without a credential' }),
    check('queue.token#shape', 'observed', { behaviour: '200 {"id":"string"}', title: 'its shape' }),
    check('new#x', 'pass'),
    check('still#x', 'fail'),
  ],
  { startedAt: '2026-01-03T03:04:05.678Z' },
);

test('reads from the verdict down to what needs no more than a number', () => {
  expect(render(before, after).split('\n')).toEqual([
    'Worse: 3 regressions · 1 no longer judged · 1 new warning · 2 behaviours changed · 1 repaired',
    'A  http://127.0.0.1:8080, http://127.0.0.1:8081 · 2026-01-02 03:04 UTC',
    'B  http://127.0.0.1:8080, http://127.0.0.1:8081 · 2026-01-03 03:04 UTC',
    '',
    '3 regressions',
    '  the call is served (2 checks; in A pass)',
    '  expected  an answer that differs from that of an unrouted path',
    '  actual    404, as /api/v1/qwhzk answers',
    "  rerun     npm start -- --only 'party.create#routed'",
    '  at        party.create, party.get',
    '     1× not-served: serve it (see its #routed check), or omit it in the profile  party.get',
    '',
    '1 check no longer judged',
    '     1× no-session: set LOGIN_TOKEN to a token the target accepts; npm run doctor names other causes  me.location',
    '',
    '1 new warning',
    '     1× HEAD: 404, as /api/v1/qwhzk answers  me.location#head',
    '',
    '2 behaviours changed',
    '  without a credential  queue.token',
    '  A         401',
    '  B         403',
    '  its shape  queue.token',
    '    /id: number → string',
    '',
    '1 repaired',
    '     1× ends the session  me.logout',
    '',
    '1 still failing · 1 new check · 1 check gone · 2 with the same outcome',
  ]);
});

test('one change at many operations is counted alike in the headline and above its section', () => {
  const night = (behaviour: string) =>
    sampleRun(sampleResults(3, (nth) => ({ id: `a.o${nth}#anonymous`, outcome: 'observed', behaviour })));
  const lines = render(night('401'), night('403')).split('\n');
  expect(lines[0]).toBe('Not the same: 3 behaviours changed in 1 way');
  expect(lines).toContain('3 behaviours changed in 1 way');
});

test('where only one run was --strict, what it fails is shown among the new warnings that it is counted with', () => {
  const one = (outcome: Result['outcome'], strict: boolean) =>
    sampleRun([check('a.b#c', outcome, { level: 'inferred', title: 'reads back' })], {
      options: { ...before.options, strict },
    });
  const lines = render(one('pass', false), one('fail', true)).split('\n');
  expect(lines[0]).toBe('Worse: 1 new warning');
  expect(lines.slice(lines.indexOf('1 new warning')).slice(0, 2)).toEqual([
    '1 new warning',
    expect.stringMatching(/^ {5}1× reads back: /),
  ]);
});

test('what was asked differently comes before what came of it', () => {
  const attack = check('races/redeem', 'pass', { attack: true });
  const options = { ...before.options, only: ['party', 'races'], readOnly: true };
  const partly = { ...before, options, seed: 'other', checks: [...before.checks, attack] };
  const [first, second] = render(before, partly).split('\n');
  expect(first).toBe(
    'asked differently: A SEED=7, without attacks; B --only party races, --read-only, SEED=other, with attacks',
  );
  expect(second).toBe('Nothing changed in what both runs asked.');
  expect(render(partly, partly)).toMatch(/^Nothing changed/);
  const leftOut = { ...attack, outcome: 'not-applicable', reason: 'attack-off' } as const;
  expect(render(before, { ...before, checks: [...before.checks, leftOut] })).toMatch(/^Nothing changed/);
});

test('another profile is named first, and what it shows is no regression', () => {
  const asked = { ...before.options, version: '0.2.0' };
  const plain = { ...before, options: asked };
  const options = { ...asked, profile: { file: 'p.json', digest: '12ab34cd' } };
  const [first, verdict] = render(plain, { ...after, options }).split('\n');
  expect(first).toMatch(/^asked differently: A no PROFILE.*; B PROFILE=p\.json \(12ab34cd\)/);
  expect(verdict).toMatch(/^Worse: \d new failures? /);
  expect(render(plain, { ...after, options })).not.toMatch(/regression/);
  expect(JSON.parse(diffJson(view(plain, { ...before, options }))).askedDifferently).toEqual([
    ['no PROFILE'],
    ['PROFILE=p.json (12ab34cd)'],
  ]);
});

test('a run and its rerun are compared in what both asked', () => {
  const unjudged = check('a.b#c', 'inconclusive', { reason: 'needs-body' });
  const whole = sampleRun([check('a.b#d', 'pass'), unjudged], { judgedShare: { base: 0.9 } });
  const rerun = sampleRun([unjudged], {
    judgedShare: { base: 0 },
    options: { ...whole.options, rerun: true },
  });
  const [first, second] = render(whole, rerun).split('\n');
  expect(first).toBe('asked differently: A none of these; B --rerun');
  expect(second).toBe('Nothing changed in what both runs asked.');
  expect(exitCodeOf(view(whole, rerun))).toBe(0);
});

test('a run compared with itself has not changed', () => {
  const [verdict, , , , rest] = render(before, before).split('\n');
  expect(verdict).toBe('Nothing changed.');
  expect(rest).toBe('2 still failing · 8 with the same outcome');
  expect(exitCodeOf(view(before, before))).toBe(0);
});

test('what is repaired is not worse, and what is lost is not the same', () => {
  const [verdict] = render(after, before).split('\n');
  expect(verdict).toMatch(/^Worse: 1 regression /);
  const lost = sampleRun([check('a.b#c', 'inconclusive', { reason: 'no-session' })], {
    judgedShare: { base: 0.9 },
  });
  const whole = sampleRun([check('a.b#c', 'pass')], { judgedShare: { base: 0.9 } });
  expect(render(whole, lost)).toMatch(/^Not the same: 1 no longer judged\n/);
  expect(exitCodeOf(view(whole, lost))).toBe(1);
  expect(exitCodeOf(diffViewOf(whole, lost, ['worse', 'changed']))).toBe(0);
});

test('a host of which too little is judged now is worse', () => {
  const short = { ...before, judgedShare: { base: 0.412 } };
  expect(render(before, short).split('\n').slice(0, 4)).toEqual([
    'Worse: too little judged on base',
    expect.any(String),
    expect.any(String),
    'too little was judged on base: 41 % of its documented checks (97 % in A)',
  ]);
  expect(exitCodeOf(view(before, short))).toBe(1);
});

test('two servers are distinguished, and so is a run that was cut off or is the older one', () => {
  const rewrite = {
    ...before,
    target: { embedded: false, base: 'http://rewrite' },
    startedAt: '2025-01-01T00:00:00.000Z',
    ended: 'budget' as const,
    options: { ...before.options, strict: true },
  };
  const lines = render(before, rewrite).split('\n');
  expect(lines).toContain('B  http://rewrite · 2025-01-01 00:00 UTC · cut off (budget)');
  expect(lines).toContain('two targets: worse means worse on B than on A');
  expect(lines).toContain('A is the later of the two runs');
  expect(lines).toContain('only one run was --strict: inferred clauses are compared as warnings');
});

describe('whatever changed', () => {
  const reasonCodes = Object.keys(reasons) as (keyof typeof reasons)[];
  const all = sampleResults(4_000, (index) => ({
    id: `a.o${index}#r${index % 400}`,
    title: `rule ${index % 400} `.repeat(30),
    outcome: outcomes[index % outcomes.length] ?? 'pass',
    cause: `${index}`,
    actual: `\x1b[2J${index}`.repeat(100),
    reason: reasonCodes[index % reasonCodes.length] ?? 'timeout',
    behaviour: `b ${index}`,
  }));
  const over = (index: number): Partial<Result> => ({
    outcome: outcomes[(index + 1 + (index % 3)) % outcomes.length] ?? 'pass',
    behaviour: `c ${index}`,
  });
  const turned = all.map((check, index): Result => ({ ...check, ...over(index) }));
  const observed = (letter: string) =>
    sampleResults(500, (index) => ({
      id: `a.o${index}#anonymous`,
      outcome: 'observed',
      behaviour: `${letter} ${index}`,
    }));
  const runs = [sampleRun([...all, ...observed('b')]), sampleRun([...turned, ...observed('c')])] as const;

  test.each([20, 80, 160])('it takes at most 80 lines of %i columns, safe for a terminal', (width) => {
    for (const [a, b] of [runs, [runs[1], runs[0]]] as const) {
      const lines = render(a, b, { width }).split('\n');
      expect(lines.length).toBeLessThanOrEqual(80);
      expect(lines.join('')).not.toContain('\x1b');
      const cut = lines.filter((each) => !/^ {2}rerun /.test(each));
      expect(cut.filter((each) => columns(each) > Math.max(width, 40))).toEqual([]);
    }
  });

  test('a section takes the room that the others leave', () => {
    const night = (count: number, outcome: Result['outcome']) =>
      sampleRun(
        sampleResults(count, (nth) => ({
          id: `a.o${nth}#r${nth}`,
          title: `rule ${nth}`,
          outcome,
          cause: `${nth}`,
        })),
      );
    const lines = render(night(14, 'pass'), night(14, 'fail')).split('\n');
    expect(lines.filter((each) => each.startsWith('  rerun '))).toHaveLength(14);
    expect(lines.join()).not.toContain('--all');
    const more = render(night(40, 'pass'), night(40, 'fail')).split('\n');
    expect(more.length).toBeGreaterThan(74);
    expect(more.join()).toContain('(--all shows them)');
  });

  test('what is left out is counted, and --all shows it', () => {
    expect(render(...runs)).toMatch(/… and \d+ more causes \(--all shows them\)/);
    const shown = render(...runs, { all: true });
    expect(shown).not.toContain('--all shows them');
    expect(shown.split('\n').length).toBeGreaterThan(2_000);
  });
});

test('as data it holds the same, with both results of what got worse', () => {
  const json = JSON.parse(diffJson(view(before, after)));
  expect(json).toMatchObject({
    schema: 'assay.diff/1',
    exitCode: 1,
    before: { startedAt: '2026-01-02T03:04:05.678Z' },
    regressions: [
      { id: 'party.create#routed', was: 'pass', outcome: 'fail', rerun: expect.any(String) },
      { id: 'party.get#routed' },
      { id: 'party.get#answers', outcome: 'inconclusive', reason: 'not-served' },
    ],
    noLongerJudged: [{ id: 'me.location#answers' }],
    newlyWarned: [{ id: 'me.location#head' }],
    repaired: ['me.logout#answers'],
    stillFailing: ['still#x'],
    gone: ['old#x'],
    added: ['new#x'],
  });
  expect(json.behaviours).toHaveLength(2);
});

test('a step that finds nothing to judge any more fails the comparison, and is told', () => {
  const [was, is] = [
    sampleRun([check('queue/others-stay', 'pass')]),
    sampleRun([check('queue/others-stay', 'not-applicable', { reason: 'not-triggered' })]),
  ];
  expect(exitCodeOf(view(was, is))).toBe(1);
  expect(render(was, is)).toMatch(
    /Not the same: 1 no longer judged.*1 check no longer judged.*not-triggered/s,
  );
});
