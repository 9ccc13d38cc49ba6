import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Outcome } from '../../engine/judgement.ts';
import type { AttackMode } from '../../engine/run/attacks.ts';
import type { OpenedTarget } from '../../engine/run/open-target.ts';
import type { RunResult } from '../../engine/run/result.ts';
import { factsOf } from '../../engine/run/runner.ts';
import { ran } from '../../fixtures/kit/assembled.ts';
import { scratchFolder } from '../../fixtures/kit/scratch.ts';
import { resultFile } from '../../reports/files.ts';
import { attackUntil, keepEarlierResults, makeRoom, outIn, refuseContradiction, rerunOut } from './run.ts';

function stored(outcomes: readonly Outcome[], over: Partial<RunResult['options']> = {}): string {
  const folder = scratchFolder();
  const path = join(folder, 'result.json');
  const run = ran(outcomes);
  writeFileSync(path, JSON.stringify({ ...run, options: { ...run.options, ...over } }));
  return path;
}

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

test('attacks that are asked for and forbidden at once are a mistake', () => {
  expect(() => refuseContradiction({ attack: 'on', readOnly: true })).toThrow(/--attack on: .*--read-only/);
  expect(() => refuseContradiction({ attack: 'on', rate: 20 })).toThrow(/--attack on: .*--rate/);
  expect(() => refuseContradiction({ attack: 'auto', readOnly: true, rate: 20 })).not.toThrow();
  expect(() => refuseContradiction({ attack: 'on' })).not.toThrow();
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

test('a run moves the run of all checks aside that it would replace, and no other', () => {
  const files = [resultFile, 'report.html'];
  const file = stored(['pass', 'fail']);
  const out = dirname(file);
  const whole = readFileSync(file, 'utf8');
  for (const only of [['a.b'], undefined]) {
    writeFileSync(file, whole);
    expect(makeRoom(out, { files }, only)).toEqual([expect.stringContaining('is kept in')]);
    expect(readFileSync(join(out, 'before', resultFile), 'utf8')).toBe(whole);
    expect(existsSync(file)).toBe(false);
  }

  writeFileSync(file, readFileSync(stored(['pass'], { only: ['a.b'] })));
  for (const only of [['a.b'], undefined])
    expect(makeRoom(out, { files }, only)).toEqual([
      expect.stringMatching(/^the run with --only a\.b in ".*" \(.*Z\) is replaced; --out DIR/),
    ]);
  expect(existsSync(file)).toBe(true);
  expect(readFileSync(join(out, 'before', resultFile), 'utf8')).toBe(whole);
});

test('the head of a run is enough to know it by', () => {
  const file = stored(['pass']);
  const { checks: _, ...head } = JSON.parse(readFileSync(file, 'utf8')) as RunResult;
  rmSync(file);
  writeFileSync(join(dirname(file), 'run.json'), JSON.stringify({ ...head, ended: 'budget' }));
  expect(makeRoom(dirname(file), { files: [] }, undefined)).toEqual([
    expect.stringContaining('the run that was cut off (budget)'),
  ]);
});

test('a run that was cut off is said to be replaced by the next', () => {
  const file = stored(['pass']);
  const cutOff = { ...(JSON.parse(readFileSync(file, 'utf8')) as RunResult), ended: 'interrupted' };
  writeFileSync(file, JSON.stringify(cutOff));
  expect(makeRoom(dirname(file), { files: [resultFile] }, undefined)).toEqual([
    expect.stringContaining('the run that was cut off (interrupted)'),
  ]);
});

test('a whole run that takes the place of another says so, and is not mixed with it', () => {
  const files = [resultFile, 'report.html', 'ctrf.json'];
  const out = dirname(stored(['pass']));
  writeFileSync(join(out, 'ctrf.json'), '{}');
  expect(makeRoom(out, { files }, ['a.b'])).toEqual([expect.stringMatching(/is kept in ".*before"$/)]);
  writeFileSync(join(out, resultFile), readFileSync(stored(['fail'])));
  expect(makeRoom(out, { files }, ['a.b'])).toEqual([
    expect.stringMatching(/is kept in ".*before", in place of the one of \d{4}-.*Z$/),
  ]);
  expect(existsSync(join(out, 'before', 'ctrf.json'))).toBe(false);
});

test('a result says that attacks were asked for, and nothing of those that ran by themselves', () => {
  const target = {
    embedded: true,
    hosts: {},
    given: [],
    ambient: {},
    seed: '1',
    runId: 'r',
    loginTokens: [],
  };
  const opened = { target, preflight: { lines: [] } } as unknown as OpenedTarget;
  const options = { strict: false, readOnly: false, minJudged: 80, only: [], startedAt: 0 };
  const limits = { rate: undefined, timeoutMs: 10_000 };
  const asked = (attack: AttackMode) =>
    factsOf(
      { opened, ...options, ...limits, attack },
      { done: 0, failed: 0, requests: 0 },
      { known: [], rerun: false },
    ).options;
  expect(asked('on')).toMatchObject({ attack: 'on' });
  expect(asked('auto')).not.toHaveProperty('attack');
});

test('a rerun leaves the result that it asks again where it is', () => {
  expect(outIn({ rerun: 'reports/out/result.json' })).toBe(join('reports', 'out', 'rerun'));
  expect(outIn({ rerun: 'reports/out/result.json', out: 'here' })).toBe('here');
  expect(outIn({})).toBe('reports/out');
});

test('a command that repeats one check leaves the reports alone that name it', () => {
  expect(rerunOut({})).toBe(join('reports', 'out', 'rerun'));
  expect(rerunOut({ out: 'here' })).toBe(join('here', 'rerun'));
  expect(rerunOut({ rerun: 'here/result.json' })).toBe(join('here', 'rerun'));
});
