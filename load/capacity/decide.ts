// What to measure next, when nothing else is pending.
import { type Belief, estimate } from './belief.ts';
import { ceilingAgain } from './ceiling.ts';
import { evidence, passes } from './evidence.ts';
import { outcomeOf } from './outcome.ts';
import { lengths, want } from './plans.ts';
import type { Outcome, Search, Taken, Wanted } from './search-types.ts';
import { isComfortable, isSwitched, isUnstable } from './stability.ts';

const growth = 2;
/** Half of the interval, as a share of the answer, that is narrow enough. */
const narrow = 0.055;
/** Above the first a short step is enough, above the second one of middling length; below it a long one pays. */
const wide = 0.15;
const narrowing = 0.07;
/** One long step has to stand near the answer. */
const near = 0.05;
/** After so many comfortable steps in a row, what failed before is asked again: the target may have been cold. */
const mostComfortable = 3;
/** A belief that reaches this share of the highest rate it was opened for has to look further up. */
const nearTheEdge = 0.9;
const mostFirstSteps = 3;
const firstRestMs = 4_000;
const mostWarmingSteps = 16;

export function decide(search: Search): Wanted | Outcome {
  const latest = evidence(search).at(-1);
  const { belief } = search;
  const passed = passes(search).map(({ plan }) => plan.rate);
  if (latest === undefined || passed.length === 0) return again(search);
  if (belief === undefined) return grow(search, Math.max(...passed));
  if (isUnstable(search)) return outcomeOf(search, 'unstable');
  return (
    doubtful(search, latest) ??
    upwards(search, belief, Math.max(...passed), latest) ??
    narrower(search, belief)
  );
}

/** A failure that may have been chance, or the cold. */
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
): Wanted | Outcome | undefined {
  const isAtTheEdge = estimate(belief).high > nearTheEdge * belief.highest;
  const canGrow = latest.judgement.passed && highest < search.options.maxRate;
  return isAtTheEdge && canGrow ? grow(search, highest) : undefined;
}

/** The middle of the belief, for longer the narrower it is. */
function narrower(search: Search, belief: Belief): Wanted | Outcome {
  const { median, low, high } = estimate(belief);
  const most = mostRate(search);
  if (median > most) return atMost(search, most);
  const width = Math.log(high / low) / 2;
  const [short, middle, long] = lengths.refine;
  const isConfirmed = evidence(search).some(
    ({ plan }) => plan.durationMs >= middle && Math.abs(Math.log(plan.rate / median)) <= near,
  );
  if (width <= narrow && isConfirmed) return hold(search, low) ?? outcomeOf(search, 'found');
  const durationMs = width > wide ? short : width > narrowing || width <= narrow ? middle : long;
  return want(search, 'refine', median, durationMs);
}

/** What the user and the generator allow. */
const mostRate = ({ options, ceiling }: Search) =>
  Math.min(options.maxRate, ceiling.failed < Number.POSITIVE_INFINITY ? ceiling.proven : options.maxRate);

/**
 * Latency that goes from far below the bound to far beyond it within a few per cent of rate, or within one step, is no
 * queue's: the target may stall, or answer before its work is done. What it takes for long is known only after long.
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

/** Cold caches grow warm: as long as it gets better, the first rate is asked again. */
function again(search: Search): Wanted | Outcome {
  const all = evidence(search);
  const [before, , now] = all.slice(-3).map(({ judgement }) => judgement.excess);
  const isWarming = before !== undefined && now !== undefined && now < before - 0.1;
  if (search.ceiling.failed <= search.options.start) return outcomeOf(search, 'generator');
  if (all.length >= (isWarming ? mostWarmingSteps : mostFirstSteps)) return outcomeOf(search, 'below-start');
  const restMs = all.at(-1)?.judgement.gross && !isWarming ? firstRestMs : 0;
  return want(search, 'grow', search.options.start, lengths.grow, restMs);
}

function grow(search: Search, highest: number): Wanted | Outcome {
  const most = mostRate(search);
  if (highest < most * 0.999) return want(search, 'grow', Math.min(highest * growth, most), lengths.grow);
  return atMost(search, most);
}

/** The most that may be offered: for long, and then that is the answer. */
function atMost(search: Search, most: number): Wanted | Outcome {
  const isLong = evidence(search).some(
    ({ plan }) => plan.rate >= most * 0.999 && plan.durationMs >= lengths.refine[1],
  );
  if (!isLong) return want(search, 'refine', most, lengths.refine[1]);
  if (most >= search.options.maxRate) return outcomeOf(search, 'above-max');
  return ceilingAgain(search) ?? outcomeOf(search, 'generator');
}
