// What k6 is handed for a step, but for where it writes its summary. Pure.
import type { Stage } from '../arrivals/rate-profile.ts';
import { journeysIn } from '../arrivals/rate-profile.ts';
import { blockOf, unitArrivals, waitingOf } from '../arrivals/schedule.ts';
import { idsOf, shareOf } from '../beyond/segments/segment.ts';
import type { Plan, Visit } from '../k6/plan.ts';
import type { StepPlan } from './step.ts';

export const timeoutMs = 10_000;
/** What has begun may go on so long before those who have entered something leave it. */
const leavesMs = 7_000;
/** What has begun may take this long to end: one more request then, and leaving. */
export const graceMs = leavesMs + timeoutMs + 3_000;
/** One process of k6 with more of them measures itself. */
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

export interface Planned {
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
  const own = shared.exclusive && room > 0 && room >= leastOwn * inFlight;
  const underWay = own ? Math.min(inFlight, room) : inFlight;
  const wanted = underWay + sleepers;
  const plan = {
    ...shared,
    own,
    left: [],
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
    graceMs,
  };
  return { plan, wanted, inFlight: underWay };
}
