// Journeys that nobody tells of: k6 counts none that it never came to, be it suspended or starved until its time was over.
import { journeysIn, type Stage } from '../arrivals/rate-profile.ts';
import { arrivalOf, blockOf, unitArrivals } from '../arrivals/schedule.ts';
import { shareOf } from '../beyond/segments/segment.ts';
import type { StepPlan } from './step.ts';

/** Journeys that are due in the measured part. */
export function dueIn(stages: readonly Stage[], { arrivals, seed, warmupMs }: StepPlan): number {
  const units = arrivals === 'even' ? undefined : unitArrivals(blockOf(stages), seed);
  const all = journeysIn(stages);
  let before = 0;
  while (before < all && arrivalOf(stages, units, before) < warmupMs) before += 1;
  return all - before;
}

/** Share of those due: what lies at the edges of the measured part may be counted on the other side. */
const mostAtEdges = 0.02;

/**
 * @param told ended or dropped, as k6 counts them in the measured part
 * @param segments processes that shared the step; the bound of each is rounded up
 * @returns how many more were due; 0 where they may be those that were under way at the end
 */
export function missingOf(
  stages: readonly Stage[],
  plan: StepPlan,
  { told, segments }: { readonly told: number; readonly segments: number },
): number {
  const due = dueIn(stages, plan);
  const missing = due - told;
  const mayBeUnderWay = shareOf(plan.inFlight, segments) * segments;
  return missing > mayBeUnderWay + mostAtEdges * due ? missing : 0;
}
