// After a step far beyond the bound: is the target itself again? A measurement of one that is not would be of the past.
import { lastGood } from './evidence.ts';
import { outcomeOf } from './outcome.ts';
import { lengths, want } from './plans.ts';
import type { Search, Taken, Wanted } from './search-types.ts';

/** Rests before each further probe, in ms. */
const rests = [6_000, 12_000, 24_000];

/** At half of the last good rate: at the full one it would be a coin toss. */
export function probeWanted(search: Search, { judgement }: Taken): Wanted[] {
  const good = lastGood(search);
  if (!judgement.gross || good === undefined) return [];
  return [want(search, 'probe', good / 2, lengths.probe)];
}

/** Half of it is: what stalls now and then has recovered as far as it ever will. */
function hasRecovered({ options }: Search, { step, judgement }: Taken): boolean {
  if (judgement.passed) return true;
  const tightest = Math.min(...options.slo.bounds.map(({ ms }) => ms));
  return judgement.limit === 'latency' && step.latency.p50 <= tightest && step.dropped < step.journeys;
}

export function afterProbe(search: Search, taken: Taken): Search {
  const { plan } = taken;
  if (hasRecovered(search, taken)) return search;
  const failed = search.taken.length - 1 - search.taken.findLastIndex(({ purpose }) => purpose !== 'probe');
  const restMs = rests[failed - 1];
  if (restMs === undefined) return { ...search, outcome: outcomeOf(search, 'not-recovered') };
  return { ...search, pending: [want(search, 'probe', plan.rate, lengths.probe, restMs), ...search.pending] };
}
