// capacity.json: the answer and its evidence, for programs.

import { isMet } from './exit-code.ts';
import type { CheckedCapacityOptions } from './options.ts';
import type { Outcome, Search, Taken } from './search-types.ts';
import { sloText } from './slo.ts';

/** What a search was about. */
export interface Subject {
  readonly journey: string;
  readonly requestsPerJourney: number;
  readonly target: Readonly<Record<string, string | undefined>>;
  /** No certificate was checked. */
  readonly insecure: boolean;
  readonly seed: string;
  readonly startedAt: string;
  readonly durationMs: number;
}

/** Schema `assay.capacity/1`. Times in ms, rates in `unit`; a side of `interval` that is not known is null. */
export function capacityJson(
  subject: Subject,
  { slo, arrivals, atLeast }: CheckedCapacityOptions,
  search: Search,
  outcome: Outcome,
) {
  const { target, insecure, seed, startedAt, durationMs, journey, requestsPerJourney } = subject;
  return {
    schema: 'assay.capacity/1',
    ...outcome,
    unit: requestsPerJourney === 1 ? 'requests/s' : 'journeys/s',
    ...(atLeast !== undefined && { atLeast, met: isMet(outcome, atLeast) }),
    journey,
    requestsPerJourney,
    arrivals,
    slo: sloText(slo),
    target,
    ...(insecure && { insecure }),
    seed,
    startedAt,
    durationMs,
    generator: generatorOf(search),
    steps: search.taken.map(stepOf),
  };
}

/** `ceiling`: the highest rate at which the generator alone was seen fast enough; null where nothing made it necessary. */
function generatorOf({ ceiling, taken }: Search) {
  return {
    ceiling: ceiling.proven > 0 ? ceiling.proven : null,
    cpu: Math.max(0, ...taken.map(({ step }) => step.cpu)),
    lag: Math.max(0, ...taken.map(({ step }) => step.lagMs.p95)),
  };
}

function stepOf({ purpose, step, judgement }: Taken) {
  const { label, rate, durationMs, warmupMs, startedAt, ended, sent, achieved, dropped, capped, latency } =
    step;
  return {
    ...{ label, purpose, against: purpose === 'ceiling' ? 'null' : 'target', passed: judgement.passed },
    ...{ limit: judgement.passed ? null : judgement.limit, rate, durationMs, warmupMs, startedAt, ended },
    ...{ sent, achieved, dropped, capped, latency, errors: step.errors, lagMs: step.lagMs, cpu: step.cpu },
  };
}
