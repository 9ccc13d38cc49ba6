import { expect, test } from 'vitest';
import type { Result, RunResult } from '../../engine/run/result.ts';
import { sampleResult, sampleRun } from '../../fixtures/kit/sample-run.ts';
import { diffJson, diffViewOf, exitCodeOf } from './diff.ts';
import { renderDiff } from './render.ts';

const view = (before: RunResult, after: RunResult) => diffViewOf(before, after);
const render = (before: RunResult, after: RunResult) =>
  renderDiff(view(before, after), { colour: false, width: 120, all: false });

const check = (id: string, outcome: Result['outcome'], over: Partial<Result> = {}) =>
  sampleResult({ id, outcome, ...over });

test('warnings that are gone are reported, and only what is equal counts as the same outcome', () => {
  const one = sampleRun([
    check('me.location#head', 'warn', { title: 'HEAD' }),
    check('party.get#head', 'warn', { title: 'HEAD' }),
    check('a.b#c', 'inconclusive', { reason: 'needs-body' }),
    check('a.b#d', 'inconclusive', { reason: 'needs-body' }),
    check('a.b#e', 'pass'),
  ]);
  const two = sampleRun([
    check('me.location#head', 'pass', { title: 'HEAD' }),
    check('party.get#head', 'observed', { title: 'HEAD' }),
    check('a.b#c', 'not-applicable', { reason: 'not-triggered' }),
    check('a.b#d', 'inconclusive', { reason: 'needs-body' }),
    check('a.b#e', 'pass'),
    check('new#x', 'inconclusive', { reason: 'needs-body' }),
  ]);
  const [verdict, , , ...rest] = render(one, two).split('\n');
  expect(verdict).toBe('Not worse: 2 warnings gone');
  expect(rest).toEqual([
    '',
    '2 warnings gone',
    '     2× HEAD  me.location, party.get',
    '',
    '1 new check · 1 with another outcome, neither better nor worse · 2 with the same outcome',
  ]);
  expect(JSON.parse(diffJson(view(one, two)))).toMatchObject({
    warningsGone: ['me.location#head', 'party.get#head'],
    otherwise: [{ id: 'a.b#c', was: 'inconclusive', outcome: 'not-applicable' }],
  });
  expect(exitCodeOf(view(one, two))).toBe(0);
});

test('what fails and was not judged in a run that was cut off is red, and no regression', () => {
  const cutOff = sampleRun([check('a.b#c', 'inconclusive', { reason: 'interrupted' })], {
    ended: 'interrupted',
  });
  const failing = sampleRun([check('a.b#c', 'fail', { title: 'answers' })]);
  const lines = render(cutOff, failing).split('\n');
  expect(lines[0]).toBe('Not shown to be old: 1 failing, not judged in A');
  expect(lines).toContain('1 failing, not judged in A, which was cut off');
  expect(lines.filter((each) => /regression|[Ww]orse/.test(each))).toEqual([]);
  expect(exitCodeOf(view(cutOff, failing))).toBe(1);
  expect(JSON.parse(diffJson(view(cutOff, failing)))).toMatchObject({
    exitCode: 1,
    regressions: [],
    unjudgedBefore: [{ id: 'a.b#c', was: 'inconclusive', outcome: 'fail' }],
  });
});
