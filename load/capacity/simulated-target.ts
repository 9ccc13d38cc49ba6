// A target and a generator in virtual time: steps as k6 would report them, in a thousandth of the time.
import { unitArrivals } from '../arrivals/schedule.ts';
import type { Step, StepPlan } from '../step/step.ts';
import type { Model } from '../truth/model.ts';
import type { Wanted } from './search-types.ts';

/** Of a process: its start, its end, and the lead of its arrivals. */
const overheadMs = 2_000;

const unlimited = () => Number.POSITIVE_INFINITY;

export interface Simulated {
  perform(wanted: Wanted): { readonly step: Step; readonly elapsedMs: number };
}

/**
 * @param most rate that the generator manages at that moment, per second; beyond it adds latency of its own
 * @param comesTo of a rate, the one that the generator sends; it never comes to the rest
 */
export function simulatedTarget(
  model: Model,
  most: (atMs: number) => number = unlimited,
  comesTo: (rate: number) => number = (rate) => rate,
): Simulated {
  let now = 0;
  return {
    perform({ plan, purpose, restMs }) {
      const begun = now;
      now += restMs + overheadMs;
      const own = plan.rate > most(now) ? 0.1 * plan.rate : 0.1;
      const step = send(plan, now, comesTo(plan.rate) / plan.rate, (atMs) => {
        const served = purpose === 'ceiling' ? { ms: 0, status: 200 } : model.serve(atMs);
        return { ...served, ms: served.ms + own };
      });
      now += plan.warmupMs + plan.durationMs;
      return { step, elapsedMs: now - begun };
    },
  };
}

/** @param share of the journeys that are come to */
function send(plan: StepPlan, begunMs: number, share: number, serve: Model['serve']): Step {
  const lengthMs = plan.warmupMs + plan.durationMs;
  const count = Math.floor((plan.rate * lengthMs) / 1_000);
  const units = plan.arrivals === 'even' ? undefined : unitArrivals(count, plan.seed);
  const flight = new InFlight(begunMs);
  const times = new Float64Array(count);
  const kinds: Record<string, number> = {};
  let sent = 0;
  let dropped = 0;
  let missing = 0;
  for (let nth = 0; nth < count; nth += 1) {
    const into = ((units?.[nth] ?? nth) / plan.rate) * 1_000;
    const isMeasured = into >= plan.warmupMs;
    if (Math.floor((nth + 1) * share) === Math.floor(nth * share)) {
      if (isMeasured) missing += 1;
      continue;
    }
    if (flight.at(begunMs + into) >= plan.inFlight) {
      if (isMeasured) dropped += 1;
      continue;
    }
    const { ms, status } = serve(begunMs + into);
    flight.add(begunMs + into + ms);
    if (!isMeasured) continue;
    times[sent++] = ms;
    if (status !== 200) kinds[`status ${status}`] = (kinds[`status ${status}`] ?? 0) + 1;
  }
  const sorted = times.subarray(0, sent).sort();
  const quantile = (share: number) => sorted[Math.min(sent - 1, Math.floor(share * sent))] ?? 0;
  const [p50 = 0, p95 = 0, p99 = 0, p999 = 0, max = 0] = [0.5, 0.95, 0.99, 0.999, 1].map(quantile);
  const wrong = Object.values(kinds).reduce((sum, each) => sum + each, 0);
  return {
    ...plan,
    startedAt: '2026-01-02T03:04:05.000Z',
    ended: 'complete',
    sent,
    journeys: sent,
    achieved: (sent * 1_000) / plan.durationMs,
    dropped,
    missing,
    capped: dropped > 0,
    latency: { p50, p95, p99, p999, max, mean: p50 },
    errors: { wrong, transport: 0, kinds, byOperation: [] },
    lagMs: { p95: 1, max: 3 },
    cpu: 0.2,
    operations: {},
  };
}

/** How many are under way, by the ms; none is for longer than the ring. */
class InFlight {
  readonly #ending = new Int32Array(2 ** 16);
  #now: number;
  #count = 0;

  constructor(now: number) {
    this.#now = Math.floor(now);
  }

  at(ms: number): number {
    const ending = this.#ending;
    for (; this.#now < ms; this.#now += 1) {
      const place = this.#now % ending.length;
      this.#count -= ending[place] as number;
      ending[place] = 0;
    }
    return this.#count;
  }

  add(endMs: number): void {
    const furthest = this.#now + this.#ending.length - 1;
    const place = Math.min(furthest, Math.max(this.#now, Math.ceil(endMs))) % this.#ending.length;
    this.#ending[place] = (this.#ending[place] as number) + 1;
    this.#count += 1;
  }
}
