// Defines the data of a capacity search, and the lengths of its steps. It has no clock and no side effects: steps come
// in, plans go out.

import type { Slo } from '../slo.ts';
import { roomFor, type Step, type StepPlan, warmupMs } from '../step/plan.ts';
import type { Belief } from './estimate.ts';
import type { Faults, Judgement, Limit } from './step-judgement.ts';

export interface SearchOptions {
  readonly slo: Slo;
  /** Journeys per second of the first step, and the most that is ever offered. */
  readonly start: number;
  readonly maxRate: number;
  /** Time for the whole search, rests and recovery included. */
  readonly budgetMs: number;
  readonly seed: number;
  readonly arrivals: StepPlan['arrivals'];
  readonly requestsPerJourney: number;
  /** Longest time that a player waits for others, in ms. Default 0. */
  readonly waitMs?: number;
}

/**
 * `grow` doubles the rate until it breaks, `refine` narrows, `probe` asks whether the target has recovered, `ceiling`
 * measures the generator alone, against the null target.
 */
type Purpose = 'grow' | 'refine' | 'probe' | 'ceiling';

export interface Wanted {
  readonly purpose: Purpose;
  /** How long to leave the target alone before the step, in ms. */
  readonly restMs: number;
  readonly plan: StepPlan;
}

export interface Taken extends Wanted {
  readonly step: Step;
  readonly judgement: Judgement;
  /** Time in ms of the step, its rest, and the start of its process. */
  readonly elapsedMs: number;
}

export type Verdict =
  | 'FOUND'
  | 'BELOW_START'
  | 'ABOVE_MAX'
  | 'GENERATOR_LIMITED'
  | 'UNSTABLE'
  | 'TARGET_DID_NOT_RECOVER'
  | 'ERRORS'
  | 'WRONG_UNDER_LOAD'
  | 'ABORTED';

export interface SearchOutcome {
  readonly verdict: Verdict;
  /** One sentence: why this verdict, and what to do. */
  readonly reason: string;
  /** Journeys per second; null where nothing is known. */
  readonly capacity: number | null;
  /**
   * The capacity lies in it with a probability of 95 %. Without an estimate, it goes from the highest rate that was
   * taken, which is then the capacity, to the lowest that was too much; null where a side is not known.
   */
  readonly interval: readonly [low: number | null, high: number | null];
  /** What breaks first; null where nothing broke. */
  readonly limit: Limit | 'generator' | null;
  /** Lowest rate at which effects were lost, doubled or mixed up, where there is one. */
  readonly firstWrong?: number;
}

/** Highest rate at which the generator alone was seen fast enough, lowest at which it was not. */
export interface Ceiling {
  readonly proven: number;
  readonly failed: number;
}

export interface Search {
  readonly options: SearchOptions;
  readonly taken: readonly Taken[];
  /** Steps that come before any new one. */
  readonly pending: readonly Wanted[];
  readonly ceiling: Ceiling;
  /** How many of the first `taken` do not count, because the target was cold. */
  readonly forgotten: number;
  /** How often a step disproved earlier ones, which are forgotten. */
  readonly lapses: number;
  /** The kinds of faults that some step of the target had. */
  readonly faults: Faults;
  /** Undefined until a step has failed. */
  readonly belief: Belief | undefined;
  readonly spentMs: number;
  /** Longest time that a step took beyond its planned time. */
  readonly overheadMs: number;
  readonly next: Wanted | undefined;
  readonly outcome: SearchOutcome | undefined;
}

// The length of a step.

/** Measured part in ms. A quantile further out needs longer. */
export const lengths = {
  grow: 4_000,
  probe: 2_000,
  ceiling: 3_000,
  hold: 60_000,
  refine: [8_000, 20_000, 40_000],
} as const;

/** Shortest measured part worth taking when the budget ends. */
export const shortestMs = 4_000;

/** A step at this rate, with as much room in flight as the widest bound needs. */
export function want(
  search: Pick<Search, 'options' | 'taken' | 'pending'>,
  purpose: Purpose,
  rate: number,
  durationMs: number,
  restMs = 0,
): Wanted {
  const { options } = search;
  const plan = {
    rate: rounded(Math.min(rate, options.maxRate)),
    durationMs,
    warmupMs,
    arrivals: options.arrivals,
    inFlight: roomFor(rate, Math.max(...options.slo.bounds.map(({ ms }) => ms)), options),
    ...numbered(search, purpose),
  };
  return { purpose, restMs, plan };
}

/** The seed and the label of the step that comes next. */
export function numbered(
  { options, taken }: Pick<Search, 'options' | 'taken'>,
  purpose: Purpose,
): Pick<StepPlan, 'seed' | 'label'> {
  const nth = taken.length + 1;
  return { seed: (options.seed + nth) >>> 0, label: `${String(nth).padStart(2, '0')}-${purpose}` };
}

/** Four digits: more would promise too much. */
export const rounded = (rate: number) => Number(rate.toPrecision(4));
