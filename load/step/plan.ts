// Turns the user's options into a step of load, and a step into the plan that k6 is handed. Pure.
import { blockOf, journeysIn, type Stage, unitArrivals, waitingOf } from '../arrivals/schedule.ts';
import { peakOf } from '../arrivals/shapes.ts';
import type { Conserved } from '../conserved/conserved.ts';
import { idsOf, type Plan, shareOf, type Visit } from '../k6/plan.ts';
import type { CheckedLoadOptions } from '../options.ts';
import type { Away, WrongAnswers } from '../run/beats.ts';

/** One stretch of load at one rate, as asked for. */
export interface StepPlan {
  /** Journeys per second. */
  readonly rate: number;
  /** Of the measured part. */
  readonly durationMs: number;
  /** Before the measured part, at the same rate. */
  readonly warmupMs: number;
  readonly seed: number;
  readonly arrivals: 'poisson' | 'even';
  /** Most journeys in flight; those that sleep until their arrival are not counted. */
  readonly inFlight: number;
  /** Names the step in files and on the console. */
  readonly label: string;
}

/** Times in ms. */
interface Quantiles {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly p999: number;
  readonly max: number;
}

/** What one operation answered in the measured part. */
export interface OperationFigures extends Quantiles {
  readonly count: number;
  readonly errors: Readonly<Record<string, number>>;
}

/** A step and its measurements. Each step is a k6 process of its own. */
export interface Step extends StepPlan {
  readonly startedAt: string;
  readonly ended: 'complete' | 'no-summary' | 'threw' | 'killed' | 'interrupted';
  /** Requests in the measured part. */
  readonly sent: number;
  /** Journeys finished in the measured part. */
  readonly journeys: number;
  /** Journeys per second. */
  readonly achieved: number;
  /** Journeys that were due and never began. */
  readonly dropped: number;
  /** Journeys that were due and that the generator never reached, so nothing is known of them. */
  readonly missing: number;
  /** Iterations were dropped for want of VUs, though fewer than `inFlight` journeys were under way: the generator's fault. */
  readonly capped: boolean;
  /** ms, over the journey's requests of the measured part. */
  readonly latency: Quantiles & { readonly mean: number };
  readonly errors: {
    /** Answered, but wrong. */
    readonly wrong: number;
    readonly transport: number;
    readonly kinds: Readonly<Record<string, number>>;
    /** All of them, the most frequent first. */
    readonly byOperation: readonly WrongAnswers[];
  };
  /** At the end the target did not answer any more, or asked everybody to wait. */
  readonly away?: Away;
  /** More journeys were under way at once than there were people to play them, so some played the same. */
  readonly peopleShared?: true;
  /** Of the canary, which sends nothing: how late the generator itself was. */
  readonly lagMs: { readonly p95: number; readonly max: number };
  /** Of k6, in cores. */
  readonly cpu: number;
  readonly operations: Readonly<Record<string, OperationFigures>>;
  /** What has to hold of its effects, as the target showed it once they had settled; absent where nothing was looked at. */
  readonly conserved?: readonly Conserved[];
}

/** Performs one step; aborting ends k6 at once and gives what is known as `interrupted`. */
export type RunStep = (plan: StepPlan, signal: AbortSignal) => Promise<Step>;

export const timeoutMs = 10_000;
/** Longest time a begun journey continues before players leave what they entered. */
const leavesMs = 7_000;
/** Longest time a begun journey takes to end: the above, one more request, and leaving. */
export const exitTimeoutMs = leavesMs + timeoutMs + 3_000;
/** Most VUs of one k6 process: with more, it measures itself. */
const mostVus = 5_000;

/**
 * Each VU plays its own people where so much of what may be in flight can be: a step allows for four times what the bound
 * of its SLO does.
 */
const leastOwn = 0.3;

/** What is the same for every step. */
export type SharedPlan = Pick<
  Plan,
  'hosts' | 'ambient' | 'words' | 'queries' | 'exclusive' | 'batches' | 'dataFile' | 'batchFile' | 'forgiving'
> & {
  /** How many casts there are. */
  readonly casts?: number;
};

interface Planned {
  readonly plan: Omit<Plan, 'summaryFile'>;
  /** VUs that are needed for all that may be in flight and all that sleep; the plan's own may be fewer. */
  readonly wanted: number;
  /** Of all segments; fewer than asked for where there are not so many people. */
  readonly inFlight: number;
}

export function planOf(
  { casts = 0, ...shared }: SharedPlan,
  visits: readonly Visit[],
  { seed, arrivals, inFlight, warmupMs }: StepPlan,
  stages: readonly Stage[],
  segments: number,
): Planned {
  const units = arrivals === 'even' ? undefined : unitArrivals(blockOf(stages), seed);
  const { leadMs, sleepers } = waitingOf(stages, units);
  const room = casts - idsOf({ vus: 0, segments }) - sleepers;
  const ownActors = shared.exclusive && room > 0 && room >= leastOwn * inFlight;
  const underWay = ownActors ? Math.min(inFlight, room) : inFlight;
  const wanted = underWay + sleepers;
  const plan = {
    ...shared,
    ownActors,
    stillInside: [],
    leaving: false,
    visits,
    segments,
    stages,
    arrivals,
    seed,
    warmupMs,
    leadMs,
    inFlight: shareOf(underWay, segments),
    vus: Math.max(segments, Math.min(wanted, mostVus * segments, journeysIn(stages))),
    timeoutMs,
    leavesMs,
    exitTimeoutMs,
  };
  return { plan, wanted, inFlight: underWay };
}

export const warmupMs = 1_000;
/** Without an SLO a journey may be under way this long. */
const retryBudgetMs = 5_000;
/** Of one k6 process. */
const mostInFlight = 2_000;

interface About {
  readonly journey: string;
  readonly requestsPerJourney: number;
  readonly seed: string;
  /** k6 processes. */
  readonly segments: number;
}

export function requestedStep(options: CheckedLoadOptions, about: About): StepPlan {
  const { rate, durationMs, shape, shapeName, slo, arrivals } = options;
  const { journey, requestsPerJourney, seed, segments } = about;
  const peak = peakOf(shape, rate);
  const strictest = Math.min(...slo.bounds.map(({ ms }) => ms), retryBudgetMs);
  const bounded =
    slo.bounds.length > 0
      ? 4 * peak * (strictest / 1_000) * requestsPerJourney
      : peak * (retryBudgetMs / 1_000);
  return {
    rate,
    durationMs,
    warmupMs,
    seed: seedOf(seed),
    arrivals,
    inFlight: Math.min(mostInFlight * segments, Math.max(10, Math.ceil(bounded))),
    label: `${journey} ${shapeName}`,
  };
}

/** Makes a number of the seed, which may be a word, as arrivals need one. */
export const seedOf = (seed: string): number =>
  [...seed].reduce(
    (hash, letter) => Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193) >>> 0,
    0x811c9dc5,
  );
