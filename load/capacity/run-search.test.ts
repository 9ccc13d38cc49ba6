import { describe, expect, test } from 'vitest';
import { simulatedTarget } from '../../fixtures/kit/simulated-target.ts';
import type { RunStep } from '../step/plan.ts';
import type { SearchOptions, Wanted } from './model.ts';
import { runSearch, type Surroundings } from './run-search.ts';
import { parseSlo } from './slo.ts';

const options: SearchOptions = {
  slo: parseSlo('p95=80ms'),
  start: 50,
  maxRate: 400,
  budgetMs: 300_000,
  seed: 7,
  arrivals: 'poisson',
  requestsPerJourney: 1,
};

/** A clock that steps and rests move, a target that answers in so many ms, a generator that is never late. */
function surroundings(ms: number) {
  const clock = { now: 0 };
  const asked: string[] = [];
  const by = (who: string, perform: RunStep): RunStep => {
    return (plan, signal) => {
      asked.push(`${who} ${plan.rate}`);
      clock.now += plan.warmupMs + plan.durationMs + 2_000;
      return perform(plan, signal);
    };
  };
  const served = simulatedTarget({ serve: () => ({ ms, status: 200 }) });
  const answering: RunStep = async (plan) =>
    served.perform({ purpose: 'grow', restMs: 0, plan } satisfies Wanted).step;
  const idle: RunStep = async (plan) => served.perform({ purpose: 'ceiling', restMs: 0, plan }).step;
  const around: Surroundings = {
    target: by('target', answering),
    nowhere: by('null', idle),
    now: () => clock.now,
    rest: async (restMs) => {
      asked.push(`rest ${restMs}`);
      clock.now += restMs;
    },
  };
  return { around, asked, clock };
}

describe('the search with a clock', () => {
  const never = new AbortController().signal;

  test('takes step after step until there is an outcome', async () => {
    const { around, asked } = surroundings(2);
    const { outcome } = await runSearch(options, around, never);
    expect(asked).toEqual(['target 50', 'target 100', 'target 200', 'target 400', 'target 400']);
    expect(outcome?.verdict).toBe('ABOVE_MAX');
  });

  test('asks the null target at the rate that failed, and rests before it asks a target again', async () => {
    const { around, asked } = surroundings(300);
    const { outcome } = await runSearch(options, around, never);
    expect(asked).toEqual(['target 50', 'null 50', 'rest 4000', 'target 50', 'rest 4000', 'target 50']);
    expect(outcome?.verdict).toBe('BELOW_START');
  });

  test('tells of each step before and after it', async () => {
    const { around } = surroundings(2);
    const events: string[] = [];
    await runSearch(
      options,
      {
        ...around,
        onNext: ({ plan }) => events.push(`next ${plan.rate}`),
        onStep: ({ taken }) => events.push(`done ${taken.length}`),
      },
      never,
    );
    expect(events.slice(0, 4)).toEqual(['next 50', 'done 1', 'next 100', 'done 2']);
  });

  test('that is interrupted keeps what is known', async () => {
    const { around } = surroundings(2);
    const stop = new AbortController();
    const { outcome } = await runSearch(
      options,
      {
        ...around,
        target: async (plan, signal) => {
          if (plan.rate > 50) stop.abort();
          const step = await around.target(plan, signal);
          return signal.aborted ? { ...step, ended: 'interrupted' } : step;
        },
      },
      stop.signal,
    );
    expect(outcome).toMatchObject({ verdict: 'ABORTED', capacity: 50, interval: [50, null] });
  });

  test('ends a step that outlives the budget', async () => {
    const { around, clock } = surroundings(2);
    const hanging: RunStep = async (plan, signal) => {
      const step = await around.target(plan, never);
      clock.now = options.budgetMs + 5_000;
      return plan.rate > 50 && signal.aborted ? { ...step, ended: 'interrupted' } : step;
    };
    const { outcome } = await runSearch(options, { ...around, target: hanging }, never);
    expect(outcome).toMatchObject({
      verdict: 'ABORTED',
      reason: expect.stringContaining('the time ran out'),
    });
  });
});
