// What k6 is handed for a step, but for where it writes its summary. Pure.
import type { Stage } from '../arrivals/rate-profile.ts';
import { journeysIn } from '../arrivals/rate-profile.ts';
import { blockOf, unitArrivals, waitingOf } from '../arrivals/schedule.ts';
import { shareOf } from '../beyond/segments/segment.ts';
import type { Plan, Visit } from '../k6/plan.ts';
import type { StepPlan } from './step.ts';

export const timeoutMs = 10_000;
/** What has begun may take this long to end. */
export const graceMs = 12_000;
/** One process of k6 with more of them measures itself. */
const mostVus = 5_000;

/** What is the same for every step. */
export type SharedPlan = Pick<
  Plan,
  'hosts' | 'ambient' | 'words' | 'queries' | 'exclusive' | 'batches' | 'dataFile' | 'batchFile' | 'forgiving'
>;

export interface Planned {
  readonly plan: Omit<Plan, 'summaryFile'>;
  /** VUs that are needed for all that may be in flight and all that sleep; the plan's own may be fewer. */
  readonly wanted: number;
}

export function planOf(
  shared: SharedPlan,
  visits: readonly Visit[],
  { seed, arrivals, inFlight, warmupMs }: StepPlan,
  stages: readonly Stage[],
  segments: number,
): Planned {
  const units = arrivals === 'even' ? undefined : unitArrivals(blockOf(stages), seed);
  const { leadMs, sleepers } = waitingOf(stages, units);
  const wanted = inFlight + sleepers;
  const plan = {
    ...shared,
    visits,
    segments,
    stages,
    arrivals,
    seed,
    warmupMs,
    leadMs,
    inFlight: shareOf(inFlight, segments),
    vus: Math.max(segments, Math.min(wanted, mostVus * segments, journeysIn(stages))),
    timeoutMs,
    graceMs,
  };
  return { plan, wanted };
}
