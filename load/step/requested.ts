// From what a user asks of a load to a step. Pure.
import type { CheckedLoadOptions } from '../command/options.ts';
import { peakOf } from '../shapes/shapes.ts';
import type { StepPlan } from './step.ts';

export const warmupMs = 1_000;
/** Without an SLO a journey may be under way this long. */
const patienceMs = 5_000;
/** Of one k6 process. */
const mostInFlight = 2_000;

export interface About {
  readonly journey: string;
  readonly requestsPerJourney: number;
  readonly seed: string;
  /** k6 processes. */
  readonly segments: number;
}

export function requestedStep(options: CheckedLoadOptions, about: About): StepPlan {
  const { rate, durationMs, shape, shapeName, slo, arrivals } = options;
  const { journey, requestsPerJourney, seed, segments } = about;
  const peak = peakOf(shape, rate);
  const strictest = Math.min(...slo.bounds.map(({ ms }) => ms), patienceMs);
  const bounded =
    slo.bounds.length > 0 ? 4 * peak * (strictest / 1_000) * requestsPerJourney : peak * (patienceMs / 1_000);
  return {
    rate,
    durationMs,
    warmupMs,
    seed: seedOf(seed),
    arrivals,
    inFlight: Math.min(mostInFlight * segments, Math.max(10, Math.ceil(bounded))),
    label: `${journey} ${shapeName}`,
  };
}

/** Arrivals take a number; a seed may be a word. */
export const seedOf = (seed: string): number =>
  [...seed].reduce(
    (hash, letter) => Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193) >>> 0,
    0x811c9dc5,
  );
