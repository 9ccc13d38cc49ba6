import type { WrongAnswers } from '../run/wrong-answers.ts';

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

/** What one operation answered in the measured part; times in ms. */
export interface OperationFigures {
  readonly count: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly p999: number;
  readonly max: number;
  readonly errors: Readonly<Record<string, number>>;
}

/** The same, as it went. One k6 process each. */
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
  /** Journeys that were due and of which nothing is told: the generator never came to them. */
  readonly missing: number;
  /** Iterations were dropped for want of VUs, though fewer than `inFlight` journeys were under way: the generator's fault. */
  readonly capped: boolean;
  /** ms, over the journey's requests of the measured part. */
  readonly latency: {
    readonly p50: number;
    readonly p95: number;
    readonly p99: number;
    readonly p999: number;
    readonly max: number;
    readonly mean: number;
  };
  readonly errors: {
    /** Answered, but wrong. */
    readonly wrong: number;
    readonly transport: number;
    readonly kinds: Readonly<Record<string, number>>;
    /** All of them, the most frequent first. */
    readonly byOperation: readonly WrongAnswers[];
  };
  /** More journeys were under way at once than there were people to play them, so some played the same. */
  readonly peopleShared?: true;
  /** Of the canary, which sends nothing: how late the generator itself was. */
  readonly lagMs: { readonly p95: number; readonly max: number };
  /** Of k6, in cores. */
  readonly cpu: number;
  readonly operations: Readonly<Record<string, OperationFigures>>;
}

/** Performs one step; aborting ends k6 at once and gives what is known as `interrupted`. */
export type RunStep = (plan: StepPlan, signal: AbortSignal) => Promise<Step>;
