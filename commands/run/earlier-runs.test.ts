import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Outcome } from '../../engine/judgement.ts';
import { surroundingOptions } from '../../engine/run/asked.ts';
import type { Plan } from '../../engine/run/plan.ts';
import type { RunResult } from '../../engine/run/result.ts';
import { readStoredResult } from '../../engine/run/stored-result.ts';
import { readTarget } from '../../engine/target/target.ts';
import { defaultLimits } from '../../engine/values/default-limits.ts';
import { planned, ran } from '../../fixtures/kit/assembled.ts';
import { sampleResult } from '../../fixtures/kit/sample-run.ts';
import { scratchFolder } from '../../fixtures/kit/scratch.ts';
import {
  attackOn,
  goneLine,
  otherSettingsLines,
  otherTargetLines,
  readEarlierRuns,
  rerunEnd,
  rerunLines,
} from './earlier-runs.ts';

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

test('without either option there is nothing to read', () => {
  expect(readEarlierRuns({})).toEqual({
    baseline: undefined,
    again: undefined,
    strict: false,
    readOnly: false,
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
  expect(otherTargetLines(before, { embedded: false, hosts: { base } })).toEqual([]);
  expect(otherTargetLines(undefined, { embedded: true, hosts: {} })).toEqual([]);
  const other = 'https://api.example';
  expect(otherTargetLines(before, { embedded: false, hosts: { base: other } })).toEqual([
    `--rerun: that run asked ${base}, and this one asks ${other}; set the same URLs`,
  ]);
});

test('a rerun without a URL does not pass off the embedded server as the one that failed', () => {
  const { before } = readEarlierRuns({ rerun: stored(['fail']) });
  expect(() => otherTargetLines(before, { embedded: true, hosts: {} })).toThrow(
    `--rerun: that run asked ${before?.target.base}, and no URL is set; set the same URLs`,
  );
});

test('a rerun without the profile of the run that failed does not turn green', () => {
  const profile = { file: 'p.json', digest: '12ab34cd' };
  const { before } = readEarlierRuns({ rerun: stored(['fail'], { profile }) });
  const target = { embedded: false, hosts: { base: before?.target.base ?? '' } };
  expect(() => otherTargetLines(before, target)).toThrow(
    '--rerun: that run had the profile "p.json"; give it with --profile, too',
  );
  otherTargetLines(before, { ...target, profileFile: 'q.json' });
  otherTargetLines(readEarlierRuns({ rerun: stored(['fail']) }).before, target);
});

test('an earlier run with another profile or other settings is named', () => {
  const target = readTarget({ BASE_URL: 'http://127.0.0.1:1', GAME_VERSION: '2' }, { cwd: '/nowhere' });
  const opened = { target, preflight: { segments: undefined } };
  const limits = { rate: undefined, timeoutMs: defaultLimits.timeoutMs };
  const older = readStoredResult(stored(['fail']), '--rerun').options;
  const alike = { ...older, ...surroundingOptions(opened, limits) };
  const profile = { file: 'p.json', digest: '12ab34cd' };
  const settings = { ...alike.settings, GAME_VERSION: '1' };
  expect(otherSettingsLines({ '--rerun': { ...alike, profile, settings } }, opened, limits)).toEqual([
    '--rerun: that run was asked with PROFILE=p.json (12ab34cd), GAME_VERSION=1, and this one with no PROFILE, GAME_VERSION=2',
  ]);
  expect(otherSettingsLines({ '--rerun': alike, '--baseline': older }, opened, limits)).toEqual([]);
  expect(otherSettingsLines({ '--baseline': undefined }, opened, limits)).toEqual([]);
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

test('a rerun attacks the target that the first run was asked to attack, and no other', () => {
  const { before } = readEarlierRuns({ rerun: stored(['fail'], { attack: 'on' }) });
  const same = { embedded: false, hosts: { base: before?.target.base ?? '' } };
  const other = { embedded: false, hosts: { base: 'https://api.example' } };
  expect(before?.target.base).toMatch(/^http/);
  expect(attackOn('auto', same, before)).toBe('on');
  expect(attackOn('off', same, before)).toBe('off');
  expect(attackOn('auto', other, before)).toBe('auto');
  expect(attackOn('auto', { embedded: true, hosts: {} }, before)).toBe('auto');
  const { before: auto } = readEarlierRuns({ rerun: stored(['fail']) });
  expect(attackOn(undefined, same, auto)).toBe('auto');
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
