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
  /** Of the measured part. */
  readonly durationMs: number;
  /** Before the measured part, at the same rate. */
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

/** From then on the target answered nothing, with server errors alone, or asked everybody to wait. */
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

/** What became of the journeys of a step, its warm-up included: those begun are done, unbegun, or in flight at the end. */
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
  /** Of those who sought; 0 to 1. */
  readonly neverMet: number;
  /** Two players met when the journey was rehearsed. */
  readonly metBefore: boolean;
  /** ms from entering to the answer that names the match, of the measured part. */
  readonly time: Quantiles;
  /** What answers to those who wait say of it, by the member that does: empty where none states a waiting time. */
  readonly shown: {
    /** How long they have waited; how far from the real time that is. */
    readonly waited?: { readonly member: string; readonly off: Quantiles };
    /** How long it will take in all, as the first answer has it to those who were matched, and how far off that was. */
    readonly expected?: { readonly member: string; readonly says: Quantiles; readonly off: Quantiles };
  };
}

/** A step and its measurements. Each step is a k6 process of its own. */
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
  /** Connections that were opened, of the whole step. */
  readonly connections: number;
  readonly noted: Noted;
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
  readonly away?: Away;
  /** More journeys were under way at once than there were people to play them, so some played the same. */
  readonly peopleShared?: true;
  /** How late journeys began. */
  readonly lagMs: { readonly p95: number; readonly max: number };
  /** Of k6, in cores; 0 where this machine does not say. */
  readonly cpu: number;
  /** Resident memory of k6 at most, all processes together; 0 likewise. */
  readonly memoryMiB: number;
  readonly operations: Readonly<Record<string, OperationFigures>>;
  /** How long players waited for each other; absent where the journey brings nobody together. */
  readonly meeting?: Meeting;
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
/**
 * No two journeys share people where so much of what may be in flight can play its own: a step allows for four times what
 * the bound of its SLO does.
 */
const leastOwn = 0.3;

export interface SharedPlan extends SharedPlanInK6 {
  /** How many groups there are. */
  readonly groups?: number;
}

/** @returns the plan, and how many journeys may be in flight in all segments: fewer than asked for where players are fewer */
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
/** Of one k6 process: each has a connection of its own while it waits. */
const mostInFlight = 10_000;

interface About {
  readonly journey: string;
  readonly requestsPerJourney: number;
  /** How long a player waits for others at most. */
  readonly waitMs?: number;
  readonly seed: string;
  /** k6 processes. */
  readonly segments: number;
}

const fewestInFlight = 10;

/**
 * Journeys that may be in flight: four times what the bound allows for (Little's law). Less would cut the latency that is
 * to be measured, more would pile up a backlog that outlives the step.
 * @param boundMs of one request; undefined where nothing bounds it
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

/** Makes a number of the seed, which may be a word, as arrivals need one. */
export const seedOf = (seed: string): number =>
  [...seed].reduce(
    (hash, letter) => Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193) >>> 0,
    0x811c9dc5,
  );
