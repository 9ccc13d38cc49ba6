// Whether one capacity explains what was seen. A target that stalls, leaks or hides a backlog has none.
import { decline, estimate } from './belief.ts';
import { evidence } from './evidence.ts';
import { lengths } from './plans.ts';
import type { Search, Taken } from './search-types.ts';
import type { Slo } from './slo.ts';

/** Two capacities explain it e⁶ = 400 times better than one. */
const clearlyWorse = 6;
/** A target that was cold warms up once or twice; more often it is not the cold. */
const mostLapses = 3;
const mostBroken = 3;

export function isUnstable(search: Search): boolean {
  return (
    search.lapses > mostLapses ||
    isBreaking(search) ||
    isDeclining(search) ||
    isBelowItself(search) ||
    evidence(search).some(({ plan, judgement }) => plan.durationMs >= lengths.hold && !judgement.passed)
  );
}

/** The first rate was taken, and now far less is too much. */
function isBelowItself({ belief, options }: Search): boolean {
  return belief !== undefined && estimate(belief).high < 0.8 * options.start;
}

/** It got slower while it was measured; asked where a step has just failed. */
function isDeclining(search: Search): boolean {
  const failed = evidence(search).filter(({ judgement }) => !judgement.passed);
  const isNews = failed.length > 0 && failed.at(-1) === evidence(search).at(-1);
  if (!isNews || search.belief === undefined) return false;
  return (
    failed.every(({ judgement }) => judgement.limit === 'latency') && decline(search.belief) > clearlyWorse
  );
}

/** Steps broke off at rates that other steps were comfortable at. */
function isBreaking(search: Search): boolean {
  const counted = evidence(search);
  const good = Math.max(...counted.filter(isComfortable).map(({ plan }) => plan.rate));
  const broken = counted.filter(
    (each) => isSwitched(each, search.options.slo) && each.plan.rate <= 1.02 * good,
  );
  return broken.length >= mostBroken;
}

/** Surely below the bound, for all that could be counted. */
export const isComfortable = ({ judgement }: Taken) => judgement.excess + 2 * judgement.counting < -0.2;

/**
 * Fast for half of the step and far beyond the bound in the rest: no queue in balance is. In one, the 95th percentile
 * is at most four times the median.
 */
export function isSwitched({ judgement, step }: Taken, { bounds }: Slo): boolean {
  if (judgement.limit !== 'latency' || !judgement.gross) return false;
  const [{ ms } = { ms: 0 }] = bounds;
  return Math.min(step.latency.max, ms * Math.exp(judgement.excess)) > 12 * step.latency.p50;
}
