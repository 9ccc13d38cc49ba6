import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Outcome } from '../../engine/judgement.ts';
import type { AttackMode } from '../../engine/run/attacks.ts';
import type { OpenedTarget } from '../../engine/run/open-target.ts';
import type { Plan } from '../../engine/run/plan.ts';
import type { RunResult } from '../../engine/run/result.ts';
import { factsOf } from '../../engine/run/run.ts';
import { planned, ran } from '../../fixtures/kit/assembled.ts';
import { sampleResult } from '../../fixtures/kit/sample-run.ts';
import { scratchFolder } from '../../fixtures/kit/scratch.ts';
import { resultFile } from '../../reports/files.ts';
import {
  attackOn,
  attackUntil,
  goneLine,
  keepEarlierResults,
  moveWholeRun,
  otherServerLines,
  outIn,
  readEarlierRuns,
  refuseContradiction,
  rerunEnd,
  rerunLines,
} from './run.ts';

function stored(outcomes: readonly Outcome[], over: Partial<RunResult['options']> = {}): string {
  const folder = scratchFolder();
  const path = join(folder, 'result.json');
  const run = ran(outcomes);
  writeFileSync(path, JSON.stringify({ ...run, options: { ...run.options, ...over } }));
  return path;
}

const plan = (checks: readonly string[], known: readonly string[] = checks): Plan => ({
  checks: checks.map((id) => planned(id)),
  known,
  calls: { read: 0, own: 0, shared: 0 },
  mistakes: [],
});

test('attacks that nobody asked for end in time where `npm start` judges the embedded server', () => {
  const own = { embedded: true };
  expect(attackUntil({}, own)).toBeLessThan(performance.timeOrigin + 4_000);
  for (const [options, target] of [
    [{ attack: 'on' }, own],
    [{ only: ['races'] }, own],
    [{ rerun: 'result.json' }, own],
    [{}, { embedded: false }],
  ] as const)
    expect(attackUntil(options, target)).toBeUndefined();
});

test('without either option there is nothing to read', () => {
  expect(readEarlierRuns({})).toEqual({
    ...{ baseline: undefined, again: undefined },
    ...{ strict: false, readOnly: false },
  });
});

test('a baseline is the whole result', () => {
  expect(readEarlierRuns({ baseline: stored(['pass', 'fail']) }).baseline?.checks).toHaveLength(2);
});

test('a rerun asks what failed, warned, was inconclusive, or made Assay stumble', () => {
  const outcomes: Outcome[] = [
    'pass',
    'fail',
    'warn',
    'inconclusive',
    'observed',
    'not-applicable',
    'harness-error',
  ];
  expect(readEarlierRuns({ rerun: stored(outcomes) }).again).toEqual([
    'area.op1#routed',
    'area.op2#routed',
    'area.op3#routed',
    'area.op6#routed',
  ]);
});

test('a rerun says what it asks again, and what became of that', () => {
  const { before, again = [] } = readEarlierRuns({ rerun: stored(['fail', 'inconclusive', 'fail']) });
  const checks = again.map((id) => sampleResult({ id, outcome: id === again[0] ? 'pass' : 'fail' }));
  expect(rerunLines(before, checks, { strict: true, readOnly: true })).toEqual([
    expect.stringMatching(
      /^--rerun: asks again 3 checks of ".*" \(run of .*\): 2 fail, 1 inconclusive, with --strict --read-only$/,
    ),
  ]);
  expect(rerunLines(before, checks.slice(0, 1), { strict: false, readOnly: false })).toEqual([
    expect.stringMatching(/asks again 1 check of .*: 1 fail$/),
  ]);
  expect(rerunEnd(before, checks)).toEqual([
    '--rerun: of 2 fail before, now 1 pass, 1 fail',
    '--rerun: of 1 inconclusive before, now 1 fail',
  ]);
  const how = { strict: true, readOnly: false };
  expect([...rerunLines(undefined, checks, how), ...rerunEnd(undefined, checks)]).toEqual([]);
});

test('a rerun that asks another server says so', () => {
  const { before } = readEarlierRuns({ rerun: stored(['fail']) });
  const base = before?.target.base ?? '';
  expect(otherServerLines(before, { embedded: false, hosts: { base } })).toEqual([]);
  expect(otherServerLines(undefined, { embedded: true, hosts: {} })).toEqual([]);
  expect(otherServerLines(before, { embedded: true, hosts: {} })).toEqual([
    `--rerun: that run asked ${base}, and this one asks the embedded server; set the same URLs`,
  ]);
});

test('a rerun of a strict run is strict, for its failures are warnings otherwise', () => {
  expect(readEarlierRuns({ rerun: stored(['fail'], { strict: true }) }).strict).toBe(true);
  expect(readEarlierRuns({ rerun: stored(['fail']) }).strict).toBe(false);
  expect(readEarlierRuns({ rerun: stored(['fail']), strict: true }).strict).toBe(true);
});

test('a rerun of a run that was to change nothing changes nothing either', () => {
  expect(readEarlierRuns({ rerun: stored(['fail'], { readOnly: true }) }).readOnly).toBe(true);
  expect(readEarlierRuns({ rerun: stored(['fail']) }).readOnly).toBe(false);
});

test('attacks that are asked for and forbidden at once are a mistake', () => {
  expect(() => refuseContradiction({ attack: 'on', readOnly: true })).toThrow(/--attack on: .*--read-only/);
  expect(() => refuseContradiction({ attack: 'on', rate: 20 })).toThrow(/--attack on: .*--rate/);
  expect(() => refuseContradiction({ attack: 'auto', readOnly: true, rate: 20 })).not.toThrow();
  expect(() => refuseContradiction({ attack: 'on' })).not.toThrow();
});

test('a rerun attacks the target that the first run was asked to attack, and no other', () => {
  const { before } = readEarlierRuns({ rerun: stored(['fail'], { attack: 'on' }) });
  const same = { embedded: false, hosts: { base: before?.attacked?.base ?? '' } };
  const other = { embedded: false, hosts: { base: 'https://api.example' } };
  expect(before?.attacked?.base).toMatch(/^http/);
  expect(attackOn('auto', same, before)).toBe('on');
  expect(attackOn('off', same, before)).toBe('off');
  expect(attackOn('auto', other, before)).toBe('auto');
  expect(attackOn('auto', { embedded: true, hosts: {} }, before)).toBe('auto');
  const { before: auto } = readEarlierRuns({ rerun: stored(['fail']) });
  expect(attackOn(undefined, same, auto)).toBe('auto');
});

test('a run that reaches no host keeps what an earlier one judged, and replaces what one like it left', () => {
  const keep = (file: string) => () => {
    keepEarlierResults({ preflight: { nothingReachable: true, lines: [] } }, dirname(file));
  };
  const file = stored(['pass']);
  expect(keep(file)).toThrow('keeps the results of an earlier run');
  writeFileSync(file, 'no result');
  expect(keep(file)).toThrow('keeps the results of an earlier run');
  writeFileSync(file, JSON.stringify({ ...ran(['inconclusive']), exitCode: 2 }));
  expect(keep(file)).not.toThrow();
  rmSync(file);
  expect(keep(file)).not.toThrow();
});

test('a run with --only moves the run of all checks aside that it would replace, and no other', () => {
  const files = [resultFile, 'report.html'];
  const file = stored(['pass', 'fail']);
  const out = dirname(file);
  const whole = readFileSync(file, 'utf8');
  expect(moveWholeRun(out, { files }, undefined)).toEqual([]);
  expect(existsSync(file)).toBe(true);

  expect(moveWholeRun(out, { files }, ['a.b'])).toEqual([expect.stringContaining('is kept in')]);
  expect(readFileSync(join(out, 'before', resultFile), 'utf8')).toBe(whole);
  expect(existsSync(file)).toBe(false);

  writeFileSync(file, readFileSync(stored(['pass'], { only: ['a.b'] })));
  expect(moveWholeRun(out, { files }, ['a.b'])).toEqual([]);
  expect(existsSync(file)).toBe(true);
  expect(readFileSync(join(out, 'before', resultFile), 'utf8')).toBe(whole);
});

test('a whole run that takes the place of another says so, and is not mixed with it', () => {
  const files = [resultFile, 'report.html', 'ctrf.json'];
  const out = dirname(stored(['pass']));
  writeFileSync(join(out, 'ctrf.json'), '{}');
  expect(moveWholeRun(out, { files }, ['a.b'])).toEqual([expect.stringMatching(/is kept in ".*before"$/)]);
  writeFileSync(join(out, resultFile), readFileSync(stored(['fail'])));
  expect(moveWholeRun(out, { files }, ['a.b'])).toEqual([
    expect.stringMatching(/is kept in ".*before", in place of the one of \d{4}-.*Z$/),
  ]);
  expect(existsSync(join(out, 'before', 'ctrf.json'))).toBe(false);
});

test('a result says that attacks were asked for, and nothing of those that ran by themselves', () => {
  const target = { embedded: true, hosts: {}, given: [], ambient: {}, seed: '1', runId: 'r' };
  const opened = { target, preflight: { lines: [] } } as unknown as OpenedTarget;
  const options = { strict: false, readOnly: false, minJudged: 80, only: [], startedAt: 0 };
  const asked = (attack: AttackMode) =>
    factsOf({ opened, ...options, attack }, { done: 0, failed: 0, requests: 0 }, { known: [], rerun: false })
      .options;
  expect(asked('on')).toMatchObject({ attack: 'on' });
  expect(asked('auto')).not.toHaveProperty('attack');
});

test('a rerun leaves the result that it asks again where it is', () => {
  expect(outIn({ rerun: 'reports/out/result.json' })).toBe(join('reports', 'out', 'rerun'));
  expect(outIn({ rerun: 'reports/out/result.json', out: 'here' })).toBe('here');
  expect(outIn({})).toBe('reports/out');
});

test('a rerun of a run in which nothing was wrong is a mistake that says what to do', () => {
  expect(() => readEarlierRuns({ rerun: stored(['pass', 'observed']) })).toThrow(
    /^--rerun: in ".*" nothing failed, warned or was inconclusive; run without --rerun$/,
  );
});

test('a file that cannot be used is reported by the option that named it', () => {
  expect(() => readEarlierRuns({ baseline: '/nowhere.json' })).toThrow(
    '--baseline: "/nowhere.json" does not',
  );
  expect(() => readEarlierRuns({ rerun: '/nowhere.json' })).toThrow('--rerun: "/nowhere.json" does not');
});

describe('checks that no longer exist', () => {
  test('are reported by name, the first three of them', () => {
    expect(goneLine(['a', 'b', 'c', 'd', 'e'], plan(['a']))).toBe(
      '--rerun: 4 of its 5 checks no longer exist: b, c, d and 1 more',
    );
  });

  test('are nothing to speak of where all exist, selected or not', () => {
    expect(goneLine(['a', 'b'], plan(['a'], ['a', 'b']))).toBeUndefined();
    expect(goneLine(undefined, plan([]))).toBeUndefined();
  });

  test('are a mistake where none is left', () => {
    expect(() => goneLine(['x'], plan([], ['a']))).toThrow('--rerun: 1 of its 1 checks no longer exist: x');
  });

  test('are shown safely', () => {
    expect(goneLine(['a', '\x1b[2J'], plan(['a']))).toBe(
      '--rerun: 1 of its 2 checks no longer exist: \\u001b[2J',
    );
  });
});

test('--only that leaves nothing of --rerun is a mistake', () => {
  expect(() => goneLine(['a'], plan([], ['a', 'b']))).toThrow(
    '--rerun: --only leaves none of its checks to ask; run with one of the two alone',
  );
});
