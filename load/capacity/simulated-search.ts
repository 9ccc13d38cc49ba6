// A whole search against a simulated target, in some hundredths of a second.
import type { Model } from '../truth/model.ts';
import { advance, beginSearch } from './search.ts';
import type { Outcome, Search, SearchOptions } from './search-types.ts';
import { simulatedTarget } from './simulated-target.ts';

export interface Searched {
  readonly search: Search;
  readonly outcome: Outcome;
}

const usual: Omit<SearchOptions, 'slo'> = {
  start: 50,
  maxRate: 20_000,
  budgetMs: 420_000,
  seed: 1,
  arrivals: 'poisson',
  requestsPerJourney: 1,
};

/**
 * @param generator most that the generator manages at that moment, journeys per second
 * @param comesTo of a rate, the one that the generator sends
 */
export function simulatedSearch(
  model: Model,
  options: Pick<SearchOptions, 'slo'> & Partial<SearchOptions>,
  generator?: (atMs: number) => number,
  comesTo?: (rate: number) => number,
): Searched {
  const target = simulatedTarget(model, generator, comesTo);
  let search = beginSearch({ ...usual, ...options });
  while (search.next) {
    const { step, elapsedMs } = target.perform(search.next);
    search = advance(search, step, elapsedMs);
  }
  if (!search.outcome) throw new Error('a search without a next step has an outcome');
  return { search, outcome: search.outcome };
}
