// What the search knows and asks for. It has no clock and touches nothing: steps come in, plans go out.
import type { Step, StepPlan } from '../step/step.ts';
import type { Belief } from './belief.ts';
import type { Judgement, Limit } from './judgement.ts';
import type { Slo } from './slo.ts';

export interface SearchOptions {
  readonly slo: Slo;
  /** Journeys per second of the first step, and the most that is ever offered. */
  readonly start: number;
  readonly maxRate: number;
  /** All of it, rests and recovery included. */
  readonly budgetMs: number;
  readonly seed: number;
  readonly arrivals: StepPlan['arrivals'];
  readonly requestsPerJourney: number;
}

/**
 * `grow` doubles the rate until it breaks, `refine` narrows, `probe` asks whether the target has recovered, `ceiling`
 * measures the generator alone, against the null target.
 */
export type Purpose = 'grow' | 'refine' | 'probe' | 'ceiling';

export interface Wanted {
  readonly purpose: Purpose;
  /** Leave the target alone for so long before. */
  readonly restMs: number;
  readonly plan: StepPlan;
}

export interface Taken extends Wanted {
  readonly step: Step;
  readonly judgement: Judgement;
  /** Of the step, its rest and its process. */
  readonly elapsedMs: number;
}

export const verdicts = [
  'FOUND',
  'BELOW_START',
  'ABOVE_MAX',
  'GENERATOR_LIMITED',
  'UNSTABLE',
  'TARGET_DID_NOT_RECOVER',
  'ERRORS',
  'ABORTED',
] as const;
export type Verdict = (typeof verdicts)[number];

export interface Outcome {
  readonly verdict: Verdict;
  /** One sentence: why this verdict, and what to do. */
  readonly reason: string;
  /** Journeys per second; null where nothing is known. */
  readonly capacity: number | null;
  /** The highest rate known to be taken and the lowest known to be too much, at 95 %; null: not known. */
  readonly interval: readonly [confirmed: number | null, failed: number | null];
  /** What breaks first; null where nothing broke. */
  readonly limit: Limit | 'generator' | null;
}

/** Highest rate at which the generator alone was seen fast enough, lowest at which it was not. */
export interface Ceiling {
  readonly proven: number;
  readonly failed: number;
}

export interface Search {
  readonly options: SearchOptions;
  readonly taken: readonly Taken[];
  /** Comes before anything new. */
  readonly pending: readonly Wanted[];
  readonly ceiling: Ceiling;
  /** How many of `taken` are forgotten: of a target that was cold then. */
  readonly forgotten: number;
  /** How often a rate was taken comfortably that had not been taken before. */
  readonly lapses: number;
  /** It has answered wrongly at some rate. */
  readonly hasErred: boolean;
  /** From the first failure on. */
  readonly belief: Belief | undefined;
  readonly spentMs: number;
  /** What a step has taken longest beside its own time. */
  readonly overheadMs: number;
  readonly next: Wanted | undefined;
  readonly outcome: Outcome | undefined;
}
