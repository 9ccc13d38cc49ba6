import { describe, expect, test } from 'vitest';
import { sampleStep } from '../../fixtures/kit/sample-step.ts';
import { parseSlo } from '../slo.ts';
import type { Search, SearchOutcome, Verdict } from './model.ts';
import { exitCodeOf, outcomeLines, stepLine } from './outcome.ts';
import { advance, beginSearch } from './search.ts';

const found: SearchOutcome = {
  verdict: 'FOUND',
  reason: 'beyond it, the bound on latency breaks',
  capacity: 180,
  interval: [174, 187],
  limit: 'latency',
};
const outcome = (over: Partial<SearchOutcome>): SearchOutcome => ({ ...found, ...over });

describe('the exit code', () => {
  test.each([
    ['FOUND', 0],
    ['ERRORS', 0],
    ['ABOVE_MAX', 0],
    ['BELOW_START', 1],
    ['GENERATOR_LIMITED', 1],
    ['UNSTABLE', 1],
    ['TARGET_DID_NOT_RECOVER', 1],
    ['WRONG_UNDER_LOAD', 1],
    ['ABORTED', 1],
  ] as const satisfies readonly (readonly [Verdict, 0 | 1])[])('of %s is %i', (verdict, code) => {
    expect(exitCodeOf(outcome({ verdict }), undefined, false)).toBe(code);
  });

  test('is 1 where every answer was wrong', () => {
    expect(exitCodeOf(outcome({ verdict: 'ERRORS', capacity: null }), undefined, false)).toBe(1);
  });

  test('with a bound is 0 where the lower end of the interval reaches it', () => {
    expect(exitCodeOf(found, 174, false)).toBe(0);
    expect(exitCodeOf(found, 175, false)).toBe(1);
    expect(exitCodeOf(outcome({ interval: [null, 187] }), 1, false)).toBe(1);
  });

  test('with a bound is 0 where the generator was the limit above it, never where the target was not the same twice', () => {
    expect(exitCodeOf(outcome({ verdict: 'GENERATOR_LIMITED' }), 170, false)).toBe(0);
    expect(exitCodeOf(outcome({ verdict: 'UNSTABLE' }), 170, false)).toBe(1);
  });

  test('is 130 where the user ended it', () => {
    expect(exitCodeOf(found, undefined, true)).toBe(130);
  });
});

describe('the answer', () => {
  test('says what, how sure, and why', () => {
    expect(outcomeLines(found, 175)).toEqual([
      'FOUND: 180 journeys/s (95 % interval 174 to 187)',
      'beyond it, the bound on latency breaks',
      'at least 175: not met for sure',
    ]);
  });

  test('without a figure is the verdict and what to do', () => {
    const below = outcome({
      verdict: 'BELOW_START',
      capacity: null,
      interval: [null, 50],
      reason: 'too much',
    });
    expect(outcomeLines(below, undefined)).toEqual(['BELOW_START', 'too much']);
  });
});

test('what was answered wrongly in a step is reported by operation and status', () => {
  const begun = beginSearch({
    slo: parseSlo('p95=80ms'),
    start: 50,
    maxRate: 100,
    budgetMs: 60_000,
    seed: 1,
    arrivals: 'poisson',
    requestsPerJourney: 4,
  });
  const byOperation = [
    { operation: 'queue.cancel', answer: '404', count: 80 },
    { operation: 'party.create', answer: '500', count: 4 },
  ];
  const kinds = { 'status 404': 80, 'status 5xx': 4 };
  const errors = { wrong: 84, transport: 0, kinds, byOperation };
  const step = { ...sampleStep, sent: 800, journeys: 200, achieved: 50, errors };
  expect(stepLine(advance(begun, step, 5_000))).toContain(
    ', 84 wrong: queue.cancel 404 x 80, party.create 500 x 4',
  );
});

describe('a target that goes away', () => {
  const errors = { wrong: 0, transport: 50, kinds: { refused: 50 }, byOperation: [] };
  const away = { how: 'silent', since: 1.5, stopped: true } as const;
  const gone = {
    ...sampleStep,
    sent: 50,
    journeys: 50,
    achieved: 50,
    errors,
    away,
    startedAt: '2026-01-01T00:00:40.000Z',
  };
  const fine = {
    ...sampleStep,
    sent: 50,
    journeys: 50,
    achieved: 50,
    latency: { ...sampleStep.latency, p95: 1 },
  };
  const options = {
    slo: parseSlo('p95=80ms'),
    start: 50,
    maxRate: 1_000,
    budgetMs: 300_000,
    seed: 1,
    arrivals: 'poisson' as const,
    requestsPerJourney: 1,
  };

  /** The generator's own steps go to another target. */
  const ended = (begun: Search) => {
    let search = begun;
    while (search.next) search = advance(search, search.next.purpose === 'ceiling' ? fine : gone, 12_000);
    return search;
  };

  test('at once has no capacity, and a lower rate is no advice', () => {
    const search = ended(beginSearch(options));
    expect(search.outcome).toMatchObject({
      verdict: 'ABORTED',
      capacity: null,
      reason: 'the target is gone since t = 1.5 s: no call was answered',
    });
  });

  test('later is gone since then', () => {
    const search = ended(advance(beginSearch(options), fine, 3_000));
    expect(search.outcome).toMatchObject({ verdict: 'TARGET_DID_NOT_RECOVER' });
    expect(search.outcome?.reason).toContain('the target is gone since t = 41.5 s');
  });
});
