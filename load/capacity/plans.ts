// How long a step lasts, and how much it may have in flight.
import type { Purpose, Search, SearchOptions, Wanted } from './search-types.ts';

const warmupMs = 1_000;
const fewestInFlight = 10;

/** Measured part in ms. A quantile further out needs longer. */
export const lengths = {
  grow: 4_000,
  probe: 2_000,
  ceiling: 3_000,
  hold: 60_000,
  refine: [8_000, 20_000, 40_000],
} as const;

/** Shortest measured part worth taking when the budget ends. */
export const shortestMs = 4_000;

/**
 * A step at this rate. In flight may be four times what the bound allows for (Little's law): less would cut the
 * latency that is to be measured, more would pile up a backlog that outlives the step.
 */
export function want(
  search: Pick<Search, 'options' | 'taken' | 'pending'>,
  purpose: Purpose,
  rate: number,
  durationMs: number,
  restMs = 0,
): Wanted {
  const { options, taken } = search;
  const nth = taken.length + 1;
  const plan = {
    rate: rounded(Math.min(rate, options.maxRate)),
    durationMs,
    warmupMs,
    seed: (options.seed + nth) >>> 0,
    arrivals: options.arrivals,
    inFlight: inFlight(options, rate),
    label: `${String(nth).padStart(2, '0')}-${purpose}`,
  };
  return { purpose, restMs, plan };
}

/** Four digits: more would promise too much. */
export const rounded = (rate: number) => Number(rate.toPrecision(4));

function inFlight({ slo, requestsPerJourney }: SearchOptions, rate: number): number {
  const widest = Math.max(...slo.bounds.map(({ ms }) => ms));
  return Math.max(fewestInFlight, Math.ceil((4 * rate * widest * requestsPerJourney) / 1_000));
}
