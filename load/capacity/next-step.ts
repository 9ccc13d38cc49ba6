// Decides the next step of a capacity search, or its outcome: measures the generator's own ceiling, detects unstable
// targets, and narrows the interval until it is narrow enough.

import type { Slo } from '../slo.ts';
import type { Step } from '../step/plan.ts';
import { type Belief, decline, estimate, evidence, isDoubtful, lastGood, passes } from './estimate.ts';
import { lengths, type Search, type SearchOutcome, type Taken, type Wanted, want } from './model.ts';
import { outcomeOf } from './outcome.ts';
import type { Judgement } from './step-judgement.ts';

/** Largest share of the bound that the null target's latency, which is the generator's own, may take. */
const ownShare = 0.05;
const againRestMs = 2_000;
/** The generator's ceiling is known well enough within this factor. */
const ceilingFactor = 1.3;

/** Asks for the generator's ceiling after a failure that the generator may have caused. */
export function ceilingWanted(search: Search, taken: Taken): Wanted[] {
  if (!isDoubtful(taken, search.ceiling) || taken.plan.rate >= search.ceiling.failed) return [];
  return [want(search, 'ceiling', taken.plan.rate, lengths.ceiling)];
}

/** Updates the ceiling; one bad measurement is repeated, and a ceiling that was met is narrowed. */
export function afterCeiling(search: Search, taken: Taken): Pick<Search, 'ceiling' | 'pending'> {
  const { ceiling, pending, taken: all } = search;
  const { rate } = taken.plan;
  if (isFast(search.options.slo, taken.step, taken.judgement))
    return withCeiling(
      search,
      { proven: Math.max(ceiling.proven, rate), failed: stillFailed(ceiling.failed, rate) },
      pending,
    );
  const previous = all.at(-2);
  const isRepeated = previous?.purpose === 'ceiling' && previous.plan.rate === rate;
  if (!isRepeated) return { ceiling, pending: [want(search, 'ceiling', rate, lengths.ceiling), ...pending] };
  return withCeiling(search, { ...ceiling, failed: Math.min(ceiling.failed, rate) }, pending);
}

/** Forgets a failed rate that the generator managed later: another process had slowed it. */
const stillFailed = (failed: number, managed: number) =>
  managed < failed ? failed : Number.POSITIVE_INFINITY;

const hasFailed = ({ failed }: Search['ceiling']) => failed < Number.POSITIVE_INFINITY;

/** Most measurements at one rate: two in a row where the first fails, and one more before it ends the search. */
const mostMeasurements = 3;

/** Measures the ceiling again before it is the answer: this machine may have been busy for a moment. */
function ceilingAgain({ options, taken, pending, ceiling }: Search): Wanted | undefined {
  const attempts = taken.filter(({ purpose, plan }) => purpose === 'ceiling' && plan.rate === ceiling.failed);
  if (attempts.length === 0 || attempts.length >= mostMeasurements) return undefined;
  return want({ options, taken, pending }, 'ceiling', ceiling.failed, lengths.ceiling, againRestMs);
}

/** Sets the ceiling, and asks for a measurement between its proven and its failed rate while they are far apart. */
function withCeiling(search: Search, ceiling: Search['ceiling'], pending: Search['pending']) {
  const highestProven = Math.max(ceiling.proven, lastGood(search) ?? 0);
  if (highestProven === 0 || ceiling.failed / highestProven <= ceilingFactor) {
    // A rate that the target took is a rate that the generator can send.
    return { ceiling: hasFailed(ceiling) ? { ...ceiling, proven: highestProven } : ceiling, pending };
  }
  if (!hasFailed(ceiling)) return { ceiling, pending };
  const between = Math.sqrt(highestProven * ceiling.failed);
  return { ceiling, pending: [want(search, 'ceiling', between, lengths.ceiling), ...pending] };
}

/** Whether the generator was on time, and its own latency takes next to nothing of the bound. */
export function isFast({ bounds }: Slo, step: Step, { suspect }: Pick<Judgement, 'suspect'>): boolean {
  const { latency, dropped, sent } = step;
  const isWithin = bounds.every(({ name, ms }) => latency[name] <= Math.max(ownShare * ms, 1));
  return sent > 0 && dropped === 0 && !suspect && isWithin;
}

// Instability: a target that stalls, leaks or hides a backlog has no single capacity that explains the steps.

/** The least `decline`: two capacities explain the steps e⁶ = 400 times better than one. */
const clearlyWorse = 6;
/** Lapses that a cold target explains; more of them are instability. */
const mostLapses = 3;
const mostBroken = 3;

function isUnstable(search: Search): boolean {
  return (
    search.lapses > mostLapses ||
    isBreaking(search) ||
    isDeclining(search) ||
    isBelowItself(search) ||
    evidence(search).some(({ plan, judgement }) => plan.durationMs >= lengths.hold && !judgement.passed)
  );
}

/** Returns whether a rate far below the first, which the target took, is now too much. */
function isBelowItself({ belief, options }: Search): boolean {
  return belief !== undefined && estimate(belief).high < 0.8 * options.start;
}

/** Returns whether the target got slower during the search; asked when a step has just failed. */
function isDeclining(search: Search): boolean {
  const failed = evidence(search).filter(({ judgement }) => !judgement.passed);
  const isNews = failed.length > 0 && failed.at(-1) === evidence(search).at(-1);
  if (!isNews || search.belief === undefined) return false;
  return (
    failed.every(({ judgement }) => judgement.limit === 'latency') && decline(search.belief) > clearlyWorse
  );
}

/** Returns whether several steps turned slow midway at rates at which other steps were comfortable. */
function isBreaking(search: Search): boolean {
  const counted = evidence(search);
  const good = Math.max(...counted.filter(isComfortable).map(({ plan }) => plan.rate));
  const broken = counted.filter(
    (each) => isSwitched(each, search.options.slo) && each.plan.rate <= 1.02 * good,
  );
  return broken.length >= mostBroken;
}

/** Returns whether the step is surely below the bound, statistical error allowed for. */
export const isComfortable = ({ judgement }: Taken) => judgement.excess + 2 * judgement.counting < -0.2;

/**
 * Returns whether the step was fast for half of its requests and far beyond the bound in the rest. A queue in balance
 * is not: its 95th percentile is at most four times its median.
 */
function isSwitched({ judgement, step }: Taken, { bounds }: Slo): boolean {
  if (judgement.limit !== 'latency' || !judgement.gross) return false;
  const [{ ms } = { ms: 0 }] = bounds;
  return Math.min(step.latency.max, ms * Math.exp(judgement.excess)) > 12 * step.latency.p50;
}

// What decides the next step.
const growth = 2;
// Half the width of the interval, as a share of the answer. Above `shortAbove` a short step is enough, above
// `mediumAbove` a medium one; below it a long step pays. At `finalHalfWidth` the search may end, if a step confirms it.
const shortAbove = 0.15;
const mediumAbove = 0.07;
const finalHalfWidth = 0.055;
/** How near to the answer a step has to be that confirms it, as a share of it. */
const confirmWithin = 0.05;
/** Comfortable steps in a row after which a failed rate is tried again: the target may have been cold. */
const mostComfortable = 3;
/** A belief that reaches this share of its highest rate is extended upwards. */
const shareThatExtends = 0.9;
const mostFirstSteps = 3;
const firstRestMs = 4_000;
const mostWarmingSteps = 16;

/** The next step, or the outcome, when nothing else is pending. */
export function decide(search: Search): Wanted | SearchOutcome {
  const latest = evidence(search).at(-1);
  const { belief } = search;
  const passed = passes(search).map(({ plan }) => plan.rate);
  if (latest === undefined || passed.length === 0) return firstAgain(search);
  if (belief === undefined) return grow(search, Math.max(...passed));
  if (isUnstable(search)) return outcomeOf(search, 'unstable');
  return (
    doubtful(search, latest) ?? upwards(search, belief, Math.max(...passed), latest) ?? refine(search, belief)
  );
}

/** Repeats a failure that chance or a cold target may explain. */
function doubtful(search: Search, latest: Taken): Wanted | undefined {
  const { judgement, plan, purpose } = latest;
  const all = evidence(search);
  const isAgain = all.at(-2)?.plan.rate === plan.rate;
  if (purpose === 'grow' && !judgement.passed && !judgement.gross && !isAgain)
    return want(search, 'grow', plan.rate, lengths.grow);
  if (all.length <= mostComfortable || !all.slice(-mostComfortable).every(isComfortable)) return undefined;
  const failed = all.filter((each) => !each.judgement.passed).map((each) => each.plan.rate);
  return want(search, 'refine', Math.min(...failed), lengths.refine[0]);
}

function upwards(
  search: Search,
  belief: Belief,
  highest: number,
  latest: Taken,
): Wanted | SearchOutcome | undefined {
  const isAtTheEdge = estimate(belief).high > shareThatExtends * belief.highest;
  const canGrow = latest.judgement.passed && highest < search.options.maxRate;
  return isAtTheEdge && canGrow ? grow(search, highest) : undefined;
}

/** Asks for the middle of the belief, for longer the narrower it is. */
function refine(search: Search, belief: Belief): Wanted | SearchOutcome {
  const { median, low, high } = estimate(belief);
  const most = mostRate(search);
  if (median > most) return atMost(search, most);
  const halfWidth = Math.log(high / low) / 2;
  const [short, medium, long] = lengths.refine;
  const isConfirmed = evidence(search).some(
    ({ plan }) => plan.durationMs >= medium && Math.abs(Math.log(plan.rate / median)) <= confirmWithin,
  );
  const isFinal = halfWidth <= finalHalfWidth;
  if (isFinal && isConfirmed) return hold(search, low) ?? outcomeOf(search, 'found');
  const durationMs = halfWidth > shortAbove ? short : isFinal || halfWidth > mediumAbove ? medium : long;
  return want(search, 'refine', median, durationMs);
}

/** The highest rate that the user and the generator allow. */
const mostRate = ({ options, ceiling }: Search) =>
  Math.min(options.maxRate, hasFailed(ceiling) ? ceiling.proven : options.maxRate);

/**
 * Asks for a long step where latency goes from far below the bound to far beyond it within 20 % of rate, or within one
 * step. No queue does that: the target may stall, or answer before its work is done, which only a long step shows.
 */
function hold(search: Search, low: number): Wanted | undefined {
  const all = evidence(search);
  const isHeld = all.some(({ plan }) => plan.durationMs >= lengths.hold);
  const easy = Math.max(...all.filter(({ judgement }) => judgement.excess < -1).map(({ plan }) => plan.rate));
  const isCliff = all.some(
    ({ judgement, plan }) => judgement.limit === 'latency' && judgement.gross && plan.rate < 1.2 * easy,
  );
  const switched = all.filter((each) => isSwitched(each, search.options.slo));
  if (isHeld || !(isCliff || switched.length >= 2)) return undefined;
  return want(search, 'refine', 0.97 * low, lengths.hold);
}

/** Repeats the first rate as long as its latency improves: cold caches may be warming up. */
function firstAgain(search: Search): Wanted | SearchOutcome {
  const all = evidence(search);
  const [before, , now] = all.slice(-3).map(({ judgement }) => judgement.excess);
  const isWarming = before !== undefined && now !== undefined && now < before - 0.1;
  if (search.ceiling.failed <= search.options.start) return outcomeOf(search, 'generator');
  if (all.length >= (isWarming ? mostWarmingSteps : mostFirstSteps)) return outcomeOf(search, 'below-start');
  const restMs = all.at(-1)?.judgement.gross && !isWarming ? firstRestMs : 0;
  return want(search, 'grow', search.options.start, lengths.grow, restMs);
}

function grow(search: Search, highest: number): Wanted | SearchOutcome {
  const most = mostRate(search);
  if (highest < most * 0.999) return want(search, 'grow', Math.min(highest * growth, most), lengths.grow);
  return atMost(search, most);
}

/** Asks for a longer step at the highest rate that is allowed; the rate is the answer once there was one. */
function atMost(search: Search, most: number): Wanted | SearchOutcome {
  const isLong = evidence(search).some(
    ({ plan }) => plan.rate >= most * 0.999 && plan.durationMs >= lengths.refine[1],
  );
  if (!isLong) return want(search, 'refine', most, lengths.refine[1]);
  if (most >= search.options.maxRate) return outcomeOf(search, 'above-max');
  return ceilingAgain(search) ?? outcomeOf(search, 'generator');
}
