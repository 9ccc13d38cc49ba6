// Searches for capacity as a pure state machine: a finished step in, the next step or an outcome out. It ends when the
// budget is spent, the target does not recover from a step far beyond the bound, or next-step.ts finds an outcome.
import { brokenIn } from '../conserved/rule.ts';
import type { RunStep, Step } from '../step/plan.ts';
import { beliefOf, evidence, isSpoilt, lastGood, learn } from './estimate.ts';
import {
  lengths,
  numbered,
  type Search,
  type SearchOptions,
  type SearchOutcome,
  shortestMs,
  type Taken,
  type Wanted,
  want,
} from './model.ts';
import { afterCeiling, ceilingWanted, decide, isComfortable } from './next-step.ts';
import { outcomeOf } from './outcome.ts';
import { errorsIn, type Faults, judgeStep, noFaults } from './step-judgement.ts';

/** Rests before each further probe, in ms. */
const rests = [6_000, 12_000, 24_000];

/** Asks for a probe at half of the last good rate, since at the full rate it would pass or fail by chance. */
function probeWanted(search: Search, { judgement }: Taken): Wanted[] {
  const good = lastGood(search);
  if (!judgement.gross || good === undefined) return [];
  return [want(search, 'probe', good / 2, lengths.probe)];
}

/** A target that stalls now and then has recovered once the median of its latency is within the tightest bound. */
function hasRecovered({ options }: Search, { step, judgement }: Taken): boolean {
  if (judgement.passed) return true;
  const tightest = Math.min(...options.slo.bounds.map(({ ms }) => ms));
  return judgement.limit === 'latency' && step.latency.p50 <= tightest && step.dropped < step.journeys;
}

function afterProbe(search: Search, taken: Taken): Search {
  const { plan } = taken;
  if (hasRecovered(search, taken)) return search;
  const failed = search.taken.length - 1 - search.taken.findLastIndex(({ purpose }) => purpose !== 'probe');
  const restMs = rests[failed - 1];
  if (restMs === undefined) return { ...search, outcome: outcomeOf(search, 'not-recovered') };
  return { ...search, pending: [want(search, 'probe', plan.rate, lengths.probe, restMs), ...search.pending] };
}

const mostSteps = 60;
/** The assumed time to start a k6 process with its data, until a step has shown it. */
const guessedOverheadMs = 2_500;

export function beginSearch(options: SearchOptions): Search {
  const empty: Search = {
    options,
    taken: [],
    pending: [],
    ceiling: { proven: 0, failed: Number.POSITIVE_INFINITY },
    forgotten: 0,
    lapses: 0,
    faults: noFaults,
    belief: undefined,
    spentMs: 0,
    overheadMs: guessedOverheadMs,
    next: undefined,
    outcome: undefined,
  };
  return { ...empty, next: want(empty, 'grow', options.start, lengths.grow) };
}

/**
 * @param step the result of performing `search.next`
 * @param elapsedMs the time that it took, including the rest and the start of the process
 */
export function advance(search: Search, step: Step, elapsedMs: number): Search {
  if (search.next === undefined) return search;
  const { slo } = search.options;
  const isTarget = search.next.purpose !== 'ceiling';
  const faults = isTarget ? faultsWith(search.faults, step) : search.faults;
  const judgement = judgeStep(step, slo, isTarget ? faults : noFaults);
  const taken: Taken = { ...search.next, step, judgement, elapsedMs };
  const plannedMs = taken.restMs + taken.plan.warmupMs + taken.plan.durationMs;
  const isNews = faults.errors !== search.faults.errors || faults.effects !== search.faults.effects;
  const before = isNews ? judgedAgain(search, faults) : search;
  const updated: Search = {
    ...before,
    faults,
    taken: [...before.taken, taken],
    spentMs: search.spentMs + elapsedMs,
    overheadMs: Math.max(search.overheadMs, elapsedMs - plannedMs),
    next: undefined,
  };
  if (step.ended === 'interrupted') return conclude(updated, 'interrupted');
  if (step.ended !== 'complete') return afterBroken(updated, taken);
  return schedule(react(updated, taken));
}

const faultsWith = ({ errors, effects }: Faults, step: Step): Faults => ({
  errors: errors || errorsIn(step) > 0,
  effects: effects || brokenIn(step.conserved) > 0,
});

/** Judges earlier steps again after the first wrong answer or lost effect: a step without one is evidence now. */
function judgedAgain(search: Search, faults: Faults): Search {
  const { slo } = search.options;
  const taken = search.taken.map((each) => ({
    ...each,
    judgement: judgeStep(each.step, slo, each.purpose === 'ceiling' ? noFaults : faults),
  }));
  return { ...search, taken, belief: beliefOf({ ...search, taken }) };
}

/** Ends the search with what is known. */
export function conclude(search: Search, why: 'interrupted' | 'budget'): Search {
  return { ...search, next: undefined, outcome: search.outcome ?? outcomeOf(search, why) };
}

/** A step without figures is repeated once. */
function afterBroken(search: Search, broken: Taken): Search {
  if (search.taken.at(-2)?.step.ended !== 'complete' && search.taken.length > 1)
    return { ...search, outcome: outcomeOf(search, 'broken') };
  const { purpose, plan, restMs } = broken;
  return affordable(search, want(search, purpose, plan.rate, plan.durationMs, restMs));
}

/** Draws the consequences of the step itself, before the next step is chosen. */
function react(search: Search, taken: Taken): Search {
  if (taken.purpose === 'ceiling') {
    const ceiling = afterCeiling(search, taken);
    const updated = { ...search, ...ceiling };
    return { ...updated, belief: beliefOf(updated) };
  }
  if (taken.purpose === 'probe') return afterProbe(search, taken);
  const { plan } = taken;
  if (isSpoilt(search.taken))
    return { ...search, pending: [want(search, taken.purpose, plan.rate, plan.durationMs, 2_000)] };
  const updated = { ...search, ...lapse(search, taken) };
  return { ...updated, pending: [...ceilingWanted(updated, taken), ...probeWanted(updated, taken)] };
}

/** Adds the step to the belief, or forgets the earlier steps that it disproves. */
function lapse(search: Search, taken: Taken): Pick<Search, 'forgotten' | 'lapses' | 'belief'> {
  const { plan, judgement } = taken;
  const { belief, lapses } = search;
  const all = evidence(search);
  const isFirst = all.every((each) => each === taken || !each.judgement.passed);
  const cold = search.taken.findLastIndex(
    (each) =>
      all.includes(each) && each !== taken && (isFirst ? judgement.passed : isOverthrown(each, taken)),
  );
  if (cold >= 0) {
    const forgotten = cold + 1;
    return { forgotten, lapses: lapses + 1, belief: beliefOf({ ...search, forgotten }) };
  }
  const counts = all.includes(taken);
  const isCovered = belief !== undefined && counts && plan.rate < belief.highest / 1.3;
  const grown = isCovered ? learn(belief, plan.rate, judgement) : beliefOf(search);
  return { forgotten: search.forgotten, lapses, belief: grown };
}

/** Whether a later step, no shorter, disproves an early latency failure: by a comfortable pass, or at a third more. */
function isOverthrown(early: Taken, late: Taken): boolean {
  if (early.judgement.passed || early.judgement.limit !== 'latency' || !late.judgement.passed) return false;
  if (early.plan.rate > late.plan.rate || early.plan.durationMs > late.plan.durationMs) return false;
  if (early.judgement.excess > 0.3 && isComfortable(late)) return true;
  return early.plan.rate * 1.3 <= late.plan.rate;
}

function schedule(search: Search): Search {
  if (search.outcome) return search;
  const [first, ...pending] = search.pending;
  if (first) return affordable({ ...search, pending }, first);
  const decided = decide(search);
  return isOutcome(decided) ? { ...search, outcome: decided } : affordable(search, decided);
}

const isOutcome = (decided: Wanted | SearchOutcome): decided is SearchOutcome => 'verdict' in decided;

/** Schedules the step, shortened to what is left of the budget, or ends the search. */
function affordable(search: Search, wanted: Wanted): Search {
  const { options, spentMs, overheadMs, taken } = search;
  const { plan, restMs, purpose } = wanted;
  const remainingMs = options.budgetMs - spentMs - overheadMs - restMs - plan.warmupMs;
  const least = Math.min(plan.durationMs, shortestMs);
  if (remainingMs < least || taken.length >= mostSteps) return conclude(search, 'budget');
  // Other steps may have run since this one was wanted, so it gets a new number.
  const next = {
    ...plan,
    ...numbered(search, purpose),
    durationMs: Math.floor(Math.min(plan.durationMs, remainingMs)),
  };
  return { ...search, next: { ...wanted, plan: next } };
}

// The search with a clock: takes its steps one after the other, and keeps to the budget whatever they do.

export interface SearchEnvironment {
  readonly target: RunStep;
  /** The very same script against the null target. */
  readonly nullTarget: RunStep;
  /** Monotonic, in ms. */
  readonly now: () => number;
  /** Resolves after that many ms, or as soon as the signal is aborted. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Before each step. */
  readonly onNext?: (next: Wanted) => void;
  /** After each step. */
  readonly onStep?: (search: Search) => void;
}

/** Time in ms that the last step may take beyond the budget before it is ended. */
const exitTimeoutMs = 5_000;

/** Never rejects for what the target does; aborting ends it with what is known. */
export async function runSearch(
  options: SearchOptions,
  environment: SearchEnvironment,
  signal: AbortSignal,
): Promise<Search> {
  const begun = environment.now();
  let search = beginSearch(options);
  while (search.next !== undefined) {
    const { next } = search;
    environment.onNext?.(next);
    const before = environment.now();
    const remainingMs = options.budgetMs - (before - begun) + exitTimeoutMs;
    const step = await performed(next, environment, signal, Math.max(0, remainingMs));
    const isOver = step.ended === 'interrupted' && !signal.aborted;
    search = isOver ? conclude(search, 'budget') : advance(search, step, environment.now() - before);
    environment.onStep?.(search);
  }
  return search;
}

async function performed(
  { purpose, plan, restMs }: Wanted,
  environment: SearchEnvironment,
  signal: AbortSignal,
  leftMs: number,
): Promise<Step> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), leftMs);
  const either = AbortSignal.any([signal, late.signal]);
  try {
    if (restMs > 0) await environment.pause(restMs, either);
    return await (purpose === 'ceiling' ? environment.nullTarget : environment.target)(plan, either);
  } finally {
    clearTimeout(timer);
  }
}
