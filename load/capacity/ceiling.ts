// What the generator itself can do: the very same script against a target that does nothing.
import type { Step } from '../step/step.ts';
import { isDoubtful, lastGood } from './evidence.ts';
import type { Judgement } from './judgement.ts';
import { lengths, want } from './plans.ts';
import type { Search, Taken, Wanted } from './search-types.ts';
import type { Slo } from './slo.ts';

/** The null target's latency is the generator's own: at most this share of the bound. */
const ownShare = 0.05;
const againRestMs = 2_000;
/** The generator's ceiling is known well enough within this factor. */
const nearEnough = 1.3;

/** After a failure that may be the generator's. */
export function ceilingWanted(search: Search, taken: Taken): Wanted[] {
  if (!isDoubtful(taken, search.ceiling) || taken.plan.rate >= search.ceiling.failed) return [];
  return [want(search, 'ceiling', taken.plan.rate, lengths.ceiling)];
}

/** What is known then; one bad measurement is repeated, and a ceiling that was met is narrowed. */
export function afterCeiling(search: Search, taken: Taken): Pick<Search, 'ceiling' | 'pending'> {
  const { ceiling, pending, taken: all } = search;
  const { rate } = taken.plan;
  if (isFast(search.options.slo, taken.step, taken.judgement))
    return narrowed(
      search,
      { proven: Math.max(ceiling.proven, rate), failed: above(ceiling.failed, rate) },
      pending,
    );
  const previous = all.at(-2);
  const isRepeated = previous?.purpose === 'ceiling' && previous.plan.rate === rate;
  if (!isRepeated) return { ceiling, pending: [want(search, 'ceiling', rate, lengths.ceiling), ...pending] };
  return narrowed(search, { ...ceiling, failed: Math.min(ceiling.failed, rate) }, pending);
}

/** What the generator did not manage once is forgotten where it does later: something else had the machine then. */
const above = (failed: number, rate: number) => (rate < failed ? failed : Number.POSITIVE_INFINITY);

/** Each ceiling is asked twice at once; the one that would end the search, once more later. */
const mostAsked = 3;

/** A ceiling that a busy moment of this machine would explain is asked again before it is the answer. */
export function ceilingAgain({ options, taken, pending, ceiling }: Search): Wanted | undefined {
  const asked = taken.filter(({ purpose, plan }) => purpose === 'ceiling' && plan.rate === ceiling.failed);
  if (asked.length === 0 || asked.length >= mostAsked) return undefined;
  return want({ options, taken, pending }, 'ceiling', ceiling.failed, lengths.ceiling, againRestMs);
}

function narrowed(search: Search, ceiling: Search['ceiling'], pending: Search['pending']) {
  const known = Math.max(ceiling.proven, lastGood(search) ?? 0);
  if (known === 0 || ceiling.failed / known <= nearEnough) {
    // A rate that the target took is one that the generator gave.
    return { ceiling: ceiling.failed < Infinity ? { ...ceiling, proven: known } : ceiling, pending };
  }
  if (ceiling.failed === Number.POSITIVE_INFINITY) return { ceiling, pending };
  const between = Math.sqrt(known * ceiling.failed);
  return { ceiling, pending: [want(search, 'ceiling', between, lengths.ceiling), ...pending] };
}

/** The generator is in time, and takes next to nothing of the bound itself. */
export function isFast({ bounds }: Slo, step: Step, { suspect }: Pick<Judgement, 'suspect'>): boolean {
  const { latency, dropped, sent } = step;
  const own = { 0.5: latency.p50, 0.95: latency.p95, 0.99: latency.p99, 0.999: latency.p999 };
  return (
    sent > 0 &&
    dropped === 0 &&
    !suspect &&
    bounds.every(({ quantile, ms }) => own[quantile as keyof typeof own] <= Math.max(ownShare * ms, 1))
  );
}
