// Estimates the rate at which the bound breaks from all steps together: a probability for every rate and steepness.

import type { Ceiling, Search, Taken } from './model.ts';
import type { Judgement } from './step-judgement.ts';

/** How steeply latency rises where it crosses the bound: per cent for one per cent more rate. The last is a cliff. */
const steepnesses = [0.75, 1.5, 3, 6, 12, 24, 100] as const;
const places = 400;
/** The share of steps that are outliers, which no queue explains. */
const freaks = 0.02;
/** Largest excess, either way, that is told apart (e times the bound, or 1/e of it): beyond it only the side counts. */
const furthest = 1;
/** Variance of a step in which a queue was seen once, or not at all. */
const mostVariance = 0.12;

export interface Belief {
  readonly lowest: number;
  readonly highest: number;
  /** For every step learned, its likelihood for each steepness and, within it, for each place (rate). */
  readonly rows: readonly Float64Array[];
  /** The product of `rows`. */
  readonly weights: Float64Array;
}

const certain = new Float64Array(places * steepnesses.length).fill(1);

/** All rates between, on a logarithmic scale, and all steepnesses are equally likely. */
function openBelief(lowest: number, highest: number): Belief {
  return { lowest, highest, rows: [], weights: certain };
}

const rateAt = ({ lowest, highest }: Belief, place: number) =>
  lowest * (highest / lowest) ** (place / (places - 1));

/** What a queue with this steepness shows at `share` of its capacity, as ln(measured / bound), cut at both ends. */
function expected(share: number, steepness: number): number {
  const ratio = 1 + steepness * (1 - share);
  if (ratio <= Math.exp(-furthest)) return furthest;
  return Math.max(-furthest, -Math.log(ratio));
}

export function learn(belief: Belief, rate: number, judgement: Judgement): Belief {
  const seen = Math.max(-furthest, Math.min(furthest, judgement.excess));
  const row = new Float64Array(belief.weights.length);
  for (const [nth, steepness] of steepnesses.entries()) {
    const queued = judgement.memory * steepness;
    const variance = Math.min(mostVariance, judgement.counting ** 2 + queued) + 0.02 ** 2;
    // A short step misses the rare moments at which a queue is long.
    const missed = Math.min(mostVariance, queued);
    for (let place = 0; place < places; place += 1) {
      const wanted = expected(rate / rateAt(belief, place), steepness) - missed;
      // The curve is accurate only near the bound.
      const spread = variance + (0.3 * wanted) ** 2;
      const likely = Math.exp((-0.5 * (seen - wanted) ** 2) / spread) / Math.sqrt(2 * Math.PI * spread);
      row[nth * places + place] = (1 - freaks) * likely + freaks / (2 * furthest);
    }
  }
  return { ...belief, rows: [...belief.rows, row], weights: product(belief.weights, row) };
}

function product(a: Float64Array, b: Float64Array): Float64Array {
  const made = new Float64Array(a.length);
  for (let at = 0; at < made.length; at += 1) made[at] = (a[at] as number) * (b[at] as number);
  return made;
}

/** Half of the belief lies below `median`, 95 % of it between `low` and `high`. */
export function estimate(belief: Belief) {
  const { weights } = belief;
  const chances = new Float64Array(places);
  for (let at = 0; at < weights.length; at += 1)
    chances[at % places] = (chances[at % places] as number) + (weights[at] as number);
  const all = chances.reduce((sum, each) => sum + each, 0);
  const quantile = (share: number) => {
    let mass = share * all;
    for (const [place, chance] of chances.entries()) {
      if (mass <= chance) return rateAt(belief, place - 0.5 + mass / chance);
      mass -= chance;
    }
    return belief.highest;
  };
  return { median: quantile(0.5), low: quantile(0.025), high: quantile(0.975) };
}

/** The likelihood of all steps, averaged over all capacities and steepnesses. */
function likelihood(weights: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < weights.length; at += 1) sum += weights[at] as number;
  return sum / weights.length;
}

/**
 * How much better two capacities explain the steps than one, a higher one before some moment and a lower one after it:
 * the logarithm of a Bayes factor at the best such moment; minus infinity where nothing got worse.
 */
export function decline(belief: Belief): number {
  const { rows } = belief;
  const ends: Float64Array[] = [certain];
  for (const row of rows.toReversed()) ends.unshift(product(ends[0] ?? certain, row));
  const median = (weights: Float64Array) => estimate({ ...belief, weights }).median;
  let most = 0;
  let before: Float64Array = certain;
  for (const [nth, row] of rows.entries()) {
    before = product(before, row);
    const after = ends[nth + 1];
    if (nth === 0 || after === undefined || nth === rows.length - 1) continue;
    const gain = likelihood(before) * likelihood(after);
    if (gain > most && median(after) < median(before)) most = gain;
  }
  return Math.log(most / likelihood(belief.weights));
}

// Evidence: the steps of the target that the generator did not spoil.

/** Spoilt steps in a row after which they count all the same: the target may share the generator's machine. */
const mostSpoilt = 3;

const ofTarget = (taken: readonly Taken[]) => taken.filter(({ purpose }) => purpose !== 'ceiling');

type Known = Pick<Search, 'taken' | 'ceiling' | 'forgotten'>;

/** Steps of the target that count, oldest first; probes do not. */
export function evidence({ taken, ceiling, forgotten }: Known): Taken[] {
  return taken.filter(
    (each, index) =>
      index >= forgotten &&
      (each.purpose === 'grow' || each.purpose === 'refine') &&
      each.step.ended === 'complete' &&
      !isDoubtful(each, ceiling) &&
      !isSpoilt(taken.slice(0, index + 1)),
  );
}

/** A failure of latency at a rate that the generator alone has not been seen to manage. */
export function isDoubtful({ judgement, plan }: Taken, { proven }: Ceiling): boolean {
  return !judgement.passed && judgement.limit === 'latency' && plan.rate > proven;
}

/** Whether the last step failed while the generator was late, unless the last `mostSpoilt` steps all did. */
export function isSpoilt(taken: readonly Taken[]): boolean {
  const spoilt = ({ judgement }: Taken) =>
    !judgement.passed && judgement.limit === 'latency' && judgement.suspect;
  const last = ofTarget(taken).slice(-mostSpoilt);
  const latest = last.at(-1);
  return latest !== undefined && spoilt(latest) && !(last.length === mostSpoilt && last.every(spoilt));
}

/** The belief from all evidence; undefined until a step has failed. */
export function beliefOf(search: Known): Belief | undefined {
  const counted = evidence(search);
  const failed = counted.filter(({ judgement }) => !judgement.passed).map(({ plan }) => plan.rate);
  const first = Math.min(...failed);
  if (failed.length === 0) return undefined;
  return counted.reduce(
    (belief, { plan, judgement }) => learn(belief, plan.rate, judgement),
    openBelief(first / 10, Math.max(...failed) * 1.6),
  );
}

export const passes = (search: Known) => evidence(search).filter(({ judgement }) => judgement.passed);

/** The rate of the latest step that passed. */
export const lastGood = (search: Known): number | undefined => passes(search).at(-1)?.plan.rate;
