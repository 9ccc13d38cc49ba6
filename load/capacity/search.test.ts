import { describe, expect, test } from 'vitest';
import { type Model, VirtualQueue } from '../../fixtures/analytic-targets/models.ts';
import { simulatedSearch, simulatedTarget } from '../../fixtures/kit/simulated-target.ts';
import { parseSlo } from '../slo.ts';
import type { RunStep } from '../step/plan.ts';
import type { SearchOptions, Wanted } from './model.ts';
import { advance, beginSearch, conclude, runSearch, type SearchEnvironment } from './search.ts';

const slo = parseSlo('p95=80ms');
const options: SearchOptions = {
  slo,
  start: 50,
  maxRate: 10_000,
  budgetMs: 300_000,
  seed: 7,
  arrivals: 'poisson',
  requestsPerJourney: 1,
};

/** Answers in 2 ms up to so many per second, counted over 100 ms; else as the overload says. */
function upTo(most: number, beyond: (atMs: number) => { ms: number; status: number }): Model {
  let window = 0;
  let taken = 0;
  return {
    serve(atMs) {
      const now = Math.floor(atMs / 100);
      if (now !== window) taken = 0;
      window = now;
      taken += 1;
      return taken > most / 10 ? beyond(atMs) : { ms: 2, status: 200 };
    },
  };
}

const fast: Model = { serve: () => ({ ms: 2, status: 200 }) };
const slow: Model = { serve: () => ({ ms: 500, status: 200 }) };
const queue = (): Model => {
  let state = 1;
  const random = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  const line = new VirtualQueue({ servers: 4, meanMs: 20 }, random);
  return { serve: (atMs) => ({ ms: line.take(atMs), status: 200 }) };
};

describe('the verdict', () => {
  test('FOUND has a capacity, an interval around it, and what breaks', () => {
    const { outcome } = simulatedSearch(queue(), { slo });
    const [low, high] = outcome.interval;
    expect(outcome).toMatchObject({ verdict: 'FOUND', limit: 'latency' });
    expect(outcome.capacity).toBeGreaterThan(low ?? Infinity);
    expect(outcome.capacity).toBeLessThan(high ?? 0);
  });

  test('WRONG_UNDER_LOAD where effects are lost, with the first rate at which that was seen', () => {
    const loses: Model = upTo(800, () => ({ ms: 2, status: 200, effects: 0 }));
    const { search, outcome } = simulatedSearch(loses, { slo });
    const broken = search.taken.filter(({ judgement }) => judgement.limit === 'effects' && !judgement.passed);
    expect(outcome).toMatchObject({
      verdict: 'WRONG_UNDER_LOAD',
      limit: 'effects',
      firstWrong: Math.min(...broken.map(({ plan }) => plan.rate)),
    });
    expect(outcome.reason).toContain('sample: every acknowledged write has its effect once: not so for ');
  });

  test('WRONG_UNDER_LOAD never names a rate at which an effect was lost as capacity', () => {
    let isOnce = true;
    const loses: Model = {
      serve(atMs) {
        const isLost = isOnce && atMs > 12_000;
        isOnce &&= !isLost;
        return { ms: 2, status: 200, effects: isLost ? 0 : 1 };
      },
    };
    const { outcome } = simulatedSearch(loses, { slo, maxRate: 200 });
    expect(outcome.verdict).toBe('WRONG_UNDER_LOAD');
    expect(outcome.capacity).toBeLessThan(outcome.firstWrong ?? 0);
  });

  test('FOUND by refusals, where a limiter says 429', () => {
    const { outcome } = simulatedSearch(
      upTo(800, () => ({ ms: 2, status: 429 })),
      { slo },
    );
    expect(outcome).toMatchObject({ verdict: 'FOUND', limit: 'refusals' });
  });

  test('ERRORS where answers go wrong before they go slow', () => {
    const { outcome } = simulatedSearch(
      upTo(800, () => ({ ms: 2, status: 500 })),
      { slo },
    );
    expect(outcome).toMatchObject({ verdict: 'ERRORS', limit: 'errors' });
  });

  test('ERRORS without a capacity where nothing is answered rightly', () => {
    const { outcome } = simulatedSearch({ serve: () => ({ ms: 1, status: 500 }) }, { slo });
    expect(outcome).toMatchObject({ verdict: 'ERRORS', capacity: null, interval: [null, 50] });
  });

  test('BELOW_START where the first rate is too much, after a few tries', () => {
    const { outcome, search } = simulatedSearch(slow, { slo });
    expect(outcome).toMatchObject({ verdict: 'BELOW_START', capacity: null, interval: [null, 50] });
    expect(search.taken.length).toBeLessThan(8);
  });

  test('ABOVE_MAX where the highest rate that is allowed is taken for long', () => {
    const { outcome, search } = simulatedSearch(fast, { slo, maxRate: 700 });
    expect(outcome).toMatchObject({ verdict: 'ABOVE_MAX', capacity: 700, interval: [700, null] });
    expect(search.taken.at(-1)?.plan.durationMs).toBeGreaterThanOrEqual(20_000);
    expect(Math.max(...search.taken.map(({ plan }) => plan.rate))).toBe(700);
  });

  test('GENERATOR_LIMITED where the generator is slow before the target is', () => {
    const { outcome, search } = simulatedSearch(fast, { slo }, () => 1_000);
    expect(outcome).toMatchObject({ verdict: 'GENERATOR_LIMITED', limit: 'generator' });
    expect(search.ceiling.proven).toBeLessThanOrEqual(1_000);
    expect(outcome.capacity).toBeGreaterThan(700);
  });

  test('GENERATOR_LIMITED where the generator sends a third of a rate and is in time with it', () => {
    const held = (rate: number) => (rate > 1_000 ? rate / 3 : rate);
    const { outcome } = simulatedSearch(fast, { slo, maxRate: 4_000 }, undefined, held);
    expect(outcome).toMatchObject({ verdict: 'GENERATOR_LIMITED', limit: 'generator' });
    expect(outcome.capacity).toBeGreaterThan(700);
    expect(outcome.capacity).toBeLessThanOrEqual(1_000);
  });

  test('a generator that was slow for a while is asked again before it is the answer', () => {
    const { outcome } = simulatedSearch(queue(), { slo }, (atMs) => (atMs < 80_000 ? 60 : 10_000));
    expect(outcome.verdict).toBe('FOUND');
  });

  test('TARGET_DID_NOT_RECOVER where too much load once is the end of it', () => {
    let isBroken = false;
    const model = upTo(400, () => {
      isBroken = true;
      return { ms: 300, status: 200 };
    });
    const brittle: Model = { serve: (at) => (isBroken ? { ms: 300, status: 200 } : model.serve(at)) };
    const { outcome, search } = simulatedSearch(brittle, { slo });
    expect(outcome.verdict).toBe('TARGET_DID_NOT_RECOVER');
    expect(search.taken.filter(({ purpose }) => purpose === 'probe').map(({ restMs }) => restMs)).toEqual([
      0, 6_000, 12_000, 24_000,
    ]);
  });

  test('UNSTABLE where what was taken is not taken later', () => {
    let served = 0;
    const tiring: Model = { serve: () => ({ ms: served++ < 6_000 ? 2 : 100, status: 200 }) };
    expect(simulatedSearch(tiring, { slo }).outcome.verdict).toBe('UNSTABLE');
  });

  test('ABORTED where the time is too short to have an answer', () => {
    const { outcome, search } = simulatedSearch(queue(), { slo, budgetMs: 12_000 });
    expect(outcome).toMatchObject({ verdict: 'ABORTED', capacity: 50, interval: [50, null] });
    expect(search.spentMs).toBeLessThanOrEqual(12_000);
  });
});

describe('whatever happens to a step', () => {
  const begun = () => {
    const target = simulatedTarget(queue());
    const search = beginSearch(options);
    if (!search.next) throw new Error('a search begins with a step');
    return { search, ...target.perform(search.next) };
  };

  test('one that was interrupted ends the search with what is known', () => {
    const { search, step, elapsedMs } = begun();
    const once = advance(search, step, elapsedMs);
    const { outcome, next } = advance(once, { ...step, ended: 'interrupted' }, 1_000);
    expect(outcome).toMatchObject({ verdict: 'ABORTED', capacity: 50 });
    expect(next).toBeUndefined();
  });

  test('one without figures is repeated once, then the search ends', () => {
    const { search, step, elapsedMs } = begun();
    const broken = advance(search, { ...step, ended: 'no-summary' }, elapsedMs);
    expect(broken.next?.plan.rate).toBe(search.next?.plan.rate);
    expect(advance(broken, { ...step, ended: 'threw' }, elapsedMs).outcome?.verdict).toBe('ABORTED');
  });

  test('one that failed while the generator was late is repeated, not believed', () => {
    const { search, step, elapsedMs } = begun();
    const late = { ...step, latency: { ...step.latency, p95: 400 }, lagMs: { p95: 900, max: 950 } };
    const after = advance(search, late, elapsedMs);
    expect(after.belief).toBeUndefined();
    expect(after.next).toMatchObject({ purpose: 'grow', restMs: 2_000, plan: { rate: 50 } });
  });

  test('one that passed, but was not sent whole, is repeated and proves nothing', () => {
    const { search, step, elapsedMs } = begun();
    const third = { ...step, journeys: step.journeys / 3, missing: (step.journeys * 2) / 3 };
    const after = advance(search, third, elapsedMs);
    expect(after.taken.at(-1)?.judgement).toMatchObject({ passed: false, suspect: true });
    expect(after.next).toMatchObject({ purpose: 'grow', restMs: 2_000, plan: { rate: 50 } });
    const { outcome } = advance(after, { ...step, ended: 'interrupted' }, 1_000);
    expect(outcome).toMatchObject({ capacity: null });
  });

  test('each step has arrivals of its own, and in flight four times what the bound allows for', () => {
    const { search, step, elapsedMs } = begun();
    const after = advance(search, step, elapsedMs);
    expect(after.next?.plan).toMatchObject({ rate: 100, inFlight: 32, label: '02-grow' });
    expect(after.next?.plan.seed).not.toBe(search.next?.plan.seed);
  });

  test('a search that was ended stays so', () => {
    const { search, step, elapsedMs } = begun();
    const ended = conclude(search, 'interrupted');
    expect(advance(ended, step, elapsedMs)).toBe(ended);
  });
});

const clockOptions: SearchOptions = {
  slo: parseSlo('p95=80ms'),
  start: 50,
  maxRate: 400,
  budgetMs: 300_000,
  seed: 7,
  arrivals: 'poisson',
  requestsPerJourney: 1,
};

/** A clock that steps and rests move, a target that answers in so many ms, a generator that is never late. */
function environmentOf(ms: number) {
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
  const environment: SearchEnvironment = {
    target: by('target', answering),
    nullTarget: by('null', idle),
    now: () => clock.now,
    pause: async (restMs) => {
      asked.push(`rest ${restMs}`);
      clock.now += restMs;
    },
  };
  return { environment, asked, clock };
}

describe('the search with a clock', () => {
  const never = new AbortController().signal;

  test('takes step after step until there is an outcome', async () => {
    const { environment, asked } = environmentOf(2);
    const { outcome } = await runSearch(clockOptions, environment, never);
    expect(asked).toEqual(['target 50', 'target 100', 'target 200', 'target 400', 'target 400']);
    expect(outcome?.verdict).toBe('ABOVE_MAX');
  });

  test('asks the null target at the rate that failed, and rests before it asks a target again', async () => {
    const { environment, asked } = environmentOf(300);
    const { outcome } = await runSearch(clockOptions, environment, never);
    expect(asked).toEqual(['target 50', 'null 50', 'rest 4000', 'target 50', 'rest 4000', 'target 50']);
    expect(outcome?.verdict).toBe('BELOW_START');
  });

  test('reports each step before and after it', async () => {
    const { environment } = environmentOf(2);
    const events: string[] = [];
    await runSearch(
      clockOptions,
      {
        ...environment,
        onNext: ({ plan }) => events.push(`next ${plan.rate}`),
        onStep: ({ taken }) => events.push(`done ${taken.length}`),
      },
      never,
    );
    expect(events.slice(0, 4)).toEqual(['next 50', 'done 1', 'next 100', 'done 2']);
  });

  test('that is interrupted keeps what is known', async () => {
    const { environment } = environmentOf(2);
    const stop = new AbortController();
    const { outcome } = await runSearch(
      clockOptions,
      {
        ...environment,
        target: async (plan, signal) => {
          if (plan.rate > 50) stop.abort();
          const step = await environment.target(plan, signal);
          return signal.aborted ? { ...step, ended: 'interrupted' } : step;
        },
      },
      stop.signal,
    );
    expect(outcome).toMatchObject({ verdict: 'ABORTED', capacity: 50, interval: [50, null] });
  });

  test('ends a step that outlives the budget', async () => {
    const { environment, clock } = environmentOf(2);
    const hanging: RunStep = async (plan, signal) => {
      const step = await environment.target(plan, never);
      clock.now = clockOptions.budgetMs + 5_000;
      return plan.rate > 50 && signal.aborted ? { ...step, ended: 'interrupted' } : step;
    };
    const { outcome } = await runSearch(clockOptions, { ...environment, target: hanging }, never);
    expect(outcome).toMatchObject({
      verdict: 'ABORTED',
      reason: expect.stringContaining('the time ran out'),
    });
  });
});
