import { describe, expect, test } from 'vitest';
import type { Level } from '../../catalog/clauses/clause.ts';
import type { Host } from '../../catalog/operation.ts';
import { sampleResult, sampleRun } from '../../fixtures/kit/sample-run.ts';
import { alreadyUsed } from '../flow/used-up.ts';
import type { Outcome } from '../judgement.ts';
import { failsFor, gated, gatedStored, runDifferences, steadyDifferences } from './baseline.ts';
import type { Comparable } from './compare-runs.ts';
import type { Result } from './result.ts';

describe('what may fail a run that has a baseline', () => {
  const seen = (id: string, behaviour: string) =>
    sampleResult({ id, outcome: 'observed', level: 'open', behaviour });
  const step = (outcome: Outcome, reason?: Result['reason']) =>
    sampleResult({ id: 'party/kick', level: 'inferred', outcome, ...(reason && { reason }) });
  const since = (before: readonly Result[], after: readonly Result[]) =>
    Object.fromEntries(runDifferences(sampleRun(before), sampleRun(after)));

  test('a behaviour with another value, and a new warning', () => {
    expect(since([seen('party/full', 'takes 4')], [seen('party/full', 'takes 5')])).toEqual({
      'party/full': { gate: 'changed', before: 'takes 4' },
    });
    expect(since([step('pass')], [step('warn')])).toEqual({
      'party/kick': { gate: 'worse', before: 'pass' },
    });
  });

  test('not a behaviour that came with a repair: a step about the same operations no longer fails', () => {
    const of = (result: Result, ...operation: string[]): Result => ({ ...result, operation });
    const listed = (behaviour: string) => of(seen('party/other-side', behaviour), 'party.get', 'party.leave');
    const repaired = (...operation: string[]) =>
      since(
        [of(step('fail'), ...operation), listed('still listed')],
        [of(step('pass'), ...operation), listed('no longer listed')],
      );
    expect(repaired('party.get', 'party.leave', 'party.details')).toEqual({});
    expect(repaired('party.get')).toHaveProperty('party/other-side');
    const without = since([listed('still listed')], [listed('no longer listed')]);
    expect(without).toHaveProperty('party/other-side');
  });

  test('not a new warning that is waived', () => {
    const waived = { reason: 'r', link: 'l', expires: '2026-12-31' };
    expect(since([step('pass')], [{ ...step('warn'), waived }])).toEqual({});
  });

  test('a step and a documented check that can no longer be judged', () => {
    const gone = { 'party/kick': { gate: 'unjudged', before: 'pass' } };
    expect(since([step('pass')], [step('inconclusive', 'prerequisite-failed')])).toEqual(gone);
    expect(since([seen('party/kick', 'refused')], [step('inconclusive', 'needs-state')])).toEqual({
      'party/kick': { gate: 'unjudged', before: 'observed' },
    });
    const answers = (outcome: Outcome, level: Level) =>
      sampleResult({
        id: 'a.b#answers',
        level,
        outcome,
        ...(outcome !== 'pass' && { reason: 'needs-body' }),
      });
    expect(since([answers('pass', 'documented')], [answers('inconclusive', 'documented')])).not.toEqual({});
    expect(since([answers('pass', 'inferred')], [answers('inconclusive', 'inferred')])).toEqual({});
  });

  test('a step that passed and is open now, unless the player had used up what it needs', () => {
    const open = (value: string) => ({ ...step('observed'), behaviour: value, value });
    expect(since([step('pass')], [open('accepted')])).toEqual({
      'party/kick': { gate: 'unjudged', before: 'pass' },
    });
    expect(since([step('pass')], [open(alreadyUsed)])).toEqual({});
  });

  test('a step that passed and finds nothing to judge any more, unless it attacks', () => {
    const nothing = step('not-applicable', 'not-triggered');
    expect(since([step('pass')], [nothing])).toEqual({ 'party/kick': { gate: 'unjudged', before: 'pass' } });
    expect(since([step('pass')], [{ ...nothing, attack: true }])).toEqual({});
    expect(since([nothing], [nothing])).toEqual({});
  });

  test('a rule of files that has nothing to judge any more', () => {
    const head = (outcome: Outcome, host: Host, level: Level = 'standard') =>
      sampleResult({
        id: 'a.b#head',
        host,
        level,
        outcome,
        ...(outcome !== 'pass' && { reason: 'not-triggered' }),
      });
    expect(since([head('pass', 'cdn')], [head('not-applicable', 'cdn')])).toEqual({
      'a.b#head': { gate: 'unjudged', before: 'pass' },
    });
    // What a player is shown may be empty, or the same for all, at another time.
    expect(since([head('pass', 'base')], [head('not-applicable', 'base')])).toEqual({});
    expect(since([head('pass', 'cdn', 'inferred')], [head('not-applicable', 'cdn', 'inferred')])).toEqual({});
    expect(since([head('not-applicable', 'cdn')], [head('not-applicable', 'cdn')])).toEqual({});
  });

  test.each(['rate-limited', 'budget', 'needs-players', 'interrupted'] as const)(
    'not what could not be judged for the sake of %s',
    (reason) => {
      expect(since([step('pass')], [step('inconclusive', reason)])).toEqual({});
    },
  );

  test('not members that were added to the shape of an answer; members that went and other types', () => {
    const shape = (form: string) => [seen('a.b#shape', `200 ${form}`)];
    expect(since(shape('{"id":"string"}'), shape('{"id":"string","added":"number"}'))).toEqual({});
    expect(since(shape('{"id":"string","went":"number"}'), shape('{"id":"string"}'))).not.toEqual({});
    expect(since(shape('{"id":"string"}'), shape('{"id":"number"}'))).not.toEqual({});
    expect(since(shape('{"id":"string"}'), [seen('a.b#shape', '404 {"error":"string"}')])).not.toEqual({});
  });

  test('not what only one of the runs asked', () => {
    expect(since([], [step('warn'), seen('party/full', 'takes 4')])).toEqual({});
  });

  test('only what was the same each time it was asked', () => {
    const run = (text: string) => sampleRun([seen('party/full', text)]);
    const [before, after, same, like, otherwise] = [run('4'), run('5'), run('5'), run('4'), run('6')];
    const steady = (...samples: readonly Comparable[]) => [
      ...steadyDifferences(before, after, samples).keys(),
    ];
    expect(steady(same)).toEqual(['party/full']);
    expect(steady(same, same)).toEqual(['party/full']);
    expect(steady(same, like)).toEqual([]);
    expect(steady(otherwise)).toEqual([]);
    expect(steady(sampleRun([]))).toEqual([]);
    expect(steady()).toEqual([]);
  });

  test('a new warning that could not be judged again, and not one that passed', () => {
    const [before, after] = [sampleRun([step('pass')]), sampleRun([step('warn')])];
    const again = (sample: Result) => [...steadyDifferences(before, after, [sampleRun([sample])]).keys()];
    expect(again(step('inconclusive', 'prerequisite-failed'))).toEqual(['party/kick']);
    expect(again(step('pass'))).toEqual([]);
  });
});

describe('one meaning of worse', () => {
  const check = (id: string, outcome: Outcome) => sampleResult({ id, outcome, level: 'inferred' });
  const seen = (id: string, behaviour: string) =>
    sampleResult({ id, outcome: 'observed', level: 'open', behaviour });
  const before = sampleRun([check('a/b', 'pass'), check('a/c', 'pass'), seen('a/d', '200')]);
  const after = sampleRun([check('a/b', 'fail'), check('a/c', 'warn'), seen('a/d', '404')]);

  test('a new warning is worse, as a new failure is', () => {
    expect(gatedStored(before, after)).toMatchObject({ worse: ['a/b', 'a/c'], unsteady: [] });
    expect(gatedStored(before, after, ['changed']).worse).toEqual(['a/b']);
  });

  test('what one of the runs saw vary does not count, nor what a run shows that was cut off', () => {
    const baseline = { startedAt: '', runId: '', worse: [], knownFailures: 0, repaired: 0 };
    const varied = { ...after, baseline: { ...baseline, unsteady: ['a/c', 'a/d'] } };
    expect(gatedStored(before, varied)).toMatchObject({ worse: ['a/b'], unsteady: ['a/c', 'a/d'] });
    expect(gatedStored(varied, before).since.size).toBe(0);
    expect(gatedStored(before, { ...after, ended: 'interrupted' }).since.size).toBe(0);
  });

  test('the run and the comparison of two results agree, whatever was asked again', () => {
    for (const sample of [after, before])
      for (const failOn of [undefined, ['worse'], ['changed'], ['unjudged']] as const) {
        const steady = steadyDifferences(before, after, [sample]);
        const run = gated(before, after, { failOn, steady });
        const account = { startedAt: '', runId: '', worse: [], knownFailures: 0, repaired: 0 };
        const stored = { ...after, baseline: { ...account, unsteady: run.unsteady } };
        const compared = gatedStored(before, stored, failOn);
        expect(failsFor(compared, failOn)).toBe(failsFor(run, failOn));
        expect(compared).toEqual(run);
      }
  });
});
