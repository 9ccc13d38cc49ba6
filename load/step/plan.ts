// Turns the user's options into a step of load, and a step into the plan that k6 is handed. Pure.
import type { Arrivals, Stage } from '../arrivals/schedule.ts';
import { peakOf } from '../arrivals/shapes.ts';
import type { Conserved } from '../conserved/rule.ts';
import { type Plan, type SharedPlan as SharedPlanInK6, shareOf, type Visit } from '../k6/plan.ts';
import type { Away as AwayInK6 } from '../k6/tally.ts';
import type { CheckedLoadOptions } from '../options.ts';
import type { WrongAnswers } from '../run/figures.ts';

/** One stretch of load at one rate, as asked for. */
export interface StepPlan {
  /** Journeys per second. */
  readonly rate: number;
  /** Length of the measured part. */
  readonly durationMs: number;
  /** Length of the warm-up, which precedes the measured part at the same rate. */
  readonly warmupMs: number;
  readonly seed: number;
  readonly arrivals: Arrivals;
  /** Most journeys in flight. */
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

/** From `since` to the end of the load, the target gave no answers, or only server errors or requests to wait. */
export interface Away extends Pick<AwayInK6, 'how'> {
  /** Since the load began, in s. */
  readonly since: number;
  /** The load stopped because of it, ten seconds later. */
  readonly stopped?: true;
}

/** What one operation answered in the measured part. */
export interface OperationFigures extends Quantiles {
  readonly count: number;
  readonly errors: Readonly<Record<string, number>>;
}

/** The journeys of a step, its warm-up included: those begun are done, unbegun, or in flight at the end. */
export interface JourneyCounts {
  /** Journeys that became due. */
  readonly begun: number;
  readonly done: number;
  /** Journeys that were due, and for which there was no room in flight or no player. */
  readonly unbegun: number;
  readonly inFlight: number;
}

/** What journeys noted beside their answers (k6/tally.ts). */
export interface Noted {
  readonly counts: Readonly<Record<string, number>>;
  readonly times: Readonly<Record<string, Quantiles & { readonly count: number }>>;
}

/** How players were brought together. */
export interface Meeting {
  /** Players who looked for others, and those among them who learned of a match: both sides of it. */
  readonly sought: number;
  readonly met: number;
  /** Different matches that players learned of. */
  readonly matches: number;
  readonly perSecond: number;
  /** Share of the players who sought and never met others; 0 to 1. */
  readonly neverMet: number;
  /** Two players met when the journey was rehearsed. */
  readonly metBefore: boolean;
  /** ms from entering to the answer that names the match, of the measured part. */
  readonly time: Quantiles;
  /** The waiting times that answers to waiting players state, and in which field; empty where none states one. */
  readonly shown: {
    /** The time that the player has waited: how far it is from the real one. */
    readonly waited?: { readonly member: string; readonly off: Quantiles };
    /** The whole wait as the first answer estimates it, for players who were matched, and how far off it was. */
    readonly expected?: { readonly member: string; readonly says: Quantiles; readonly off: Quantiles };
  };
}

/** A step and its measurements. Each step has k6 processes of its own. */
export interface Step extends StepPlan {
  readonly startedAt: string;
  readonly ended: 'complete' | 'no-summary' | 'threw' | 'killed' | 'interrupted';
  /** Requests of the journeys that were due in the measured part. */
  readonly sent: number;
  /** Journeys that were due in the measured part, and that ended. */
  readonly journeys: number;
  /** How long the load went on, its warm-up included. */
  readonly ranMs: number;
  /** Journeys per second, over the time that the load went on. */
  readonly achieved: number;
  readonly dropped: number;
  /** Journeys that were due and that the generator never reached, so nothing is known of them. */
  readonly missing: number;
  readonly account: JourneyCounts;
  /** Connections that were opened during the whole step. */
  readonly connections: number;
  readonly noted: Noted;
  /** In ms, over all requests of the measured part. */
  readonly latency: Quantiles & { readonly mean: number };
  readonly errors: {
    /** Answered, but wrong. */
    readonly wrong: number;
    readonly transport: number;
    readonly kinds: Readonly<Record<string, number>>;
    /** All of them, the most frequent first. */
    readonly byOperation: readonly WrongAnswers[];
  };
  readonly away?: Away;
  /** Fewer groups of players than journeys under way: some journeys may have shared their players. */
  readonly peopleShared?: true;
  /** How late journeys began. */
  readonly lagMs: { readonly p95: number; readonly max: number };
  /** Processor use of k6, in cores; 0 where it cannot be measured. */
  readonly cpu: number;
  /** Peak resident memory of k6, summed over its processes; 0 where it cannot be measured. */
  readonly memoryMiB: number;
  readonly operations: Readonly<Record<string, OperationFigures>>;
  /** How long players waited for each other; absent where the journey brings nobody together. */
  readonly meeting?: Meeting;
  /** Results of the rules that were checked once effects had settled; absent where none was checked. */
  readonly conserved?: readonly Conserved[];
}

/** Performs one step; aborting ends k6 at once and gives what is known as `interrupted`. */
export type RunStep = (plan: StepPlan, signal: AbortSignal) => Promise<Step>;

export const timeoutMs = 10_000;
/** Longest time that a journey continues after the last one was due, before its players leave what they entered. */
const leavesMs = 7_000;
/** Longest time that such a journey takes to end: `leavesMs`, one more request, and leaving. */
export const exitTimeoutMs = leavesMs + timeoutMs + 3_000;
/**
 * Least share of `inFlight` for which there must be groups, so that no two journeys share players. It is below 1, as
 * `inFlight` is four times what the SLO allows for.
 */
const leastOwn = 0.3;

export interface SharedPlan extends SharedPlanInK6 {
  /** How many groups there are. */
  readonly groups?: number;
}

/** @returns the plan, and how many journeys may be in flight in all segments together: fewer where players are few */
export function planOf(
  { groups = 0, ...shared }: SharedPlan,
  visits: readonly Visit[],
  { seed, arrivals, inFlight, warmupMs }: StepPlan,
  stages: readonly Stage[],
  segments: number,
) {
  const room = Math.floor(groups / segments) * segments;
  const ownActors = shared.exclusive && room > 0 && room >= leastOwn * inFlight;
  const underWay = ownActors ? Math.min(inFlight, room) : inFlight;
  const plan: Plan = {
    ...shared,
    // A player whom several journeys share cannot stay.
    staysMs: ownActors ? shared.staysMs : 0,
    ownActors,
    stillInside: [],
    leaving: false,
    visits,
    segments,
    stages,
    arrivals,
    seed,
    warmupMs,
    inFlight: shareOf(underWay, segments),
    timeoutMs,
    leavesMs,
    exitTimeoutMs,
  };
  return { plan, inFlight: underWay };
}

export const warmupMs = 1_000;
/** How long a journey is assumed to take where no SLO bounds it. */
const longestJourneyMs = 5_000;
/** Most journeys in flight in one k6 process: each holds a connection while it waits. */
const mostInFlight = 10_000;

interface About {
  readonly journey: string;
  readonly requestsPerJourney: number;
  /** Longest time that a player waits for others. */
  readonly waitMs?: number;
  readonly seed: string;
  /** Number of k6 processes. */
  readonly segments: number;
}

const fewestInFlight = 10;

/**
 * Journeys that may be in flight: four times what the bound allows for (Little's law). Fewer would cut the latency that
 * is to be measured, more would pile up a backlog that outlives the step.
 * @param boundMs the bound on the latency of one request; undefined where there is none
 */
export function roomFor(
  rate: number,
  boundMs: number | undefined,
  { requestsPerJourney, waitMs = 0 }: Pick<About, 'requestsPerJourney' | 'waitMs'>,
): number {
  const journeyMs = boundMs === undefined ? longestJourneyMs : 4 * boundMs * requestsPerJourney;
  return Math.max(fewestInFlight, Math.ceil((rate * (journeyMs + waitMs)) / 1_000));
}

export function requestedStep(options: CheckedLoadOptions, about: About): StepPlan {
  const { rate, durationMs, shape, shapeName, slo, arrivals } = options;
  const { journey, seed, segments } = about;
  const strictest = Math.min(...slo.bounds.map(({ ms }) => ms), longestJourneyMs);
  const boundMs = slo.bounds.length > 0 ? strictest : undefined;
  return {
    rate,
    durationMs,
    warmupMs,
    seed: seedOf(seed),
    arrivals,
    inFlight: Math.min(mostInFlight * segments, roomFor(peakOf(shape, rate), boundMs, about)),
    label: `${journey} ${shapeName}`,
  };
}

/** Hashes the seed, which may be a word, to the number that arrivals need. */
export const seedOf = (seed: string): number =>
  [...seed].reduce(
    (hash, letter) => Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193) >>> 0,
    0x811c9dc5,
  );
