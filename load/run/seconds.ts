// The time line of a run: one entry a second, out of what the script tells while it runs.
import { rateAt, type Stage } from '../arrivals/rate-profile.ts';
import type { Told } from './stream.ts';

export interface Second {
  /** Since the first, in s. */
  readonly at: number;
  /** Journeys per second that were due. */
  readonly offered: number;
  /** Journeys per second that ended. */
  readonly achieved: number;
  /** Of the requests answered in it, in ms; VUs tell with up to half a second's delay. */
  readonly p50: number;
  readonly p95: number;
  readonly requests: number;
  readonly errors: number;
  readonly vus: number;
  /** How late the canary was, in ms. */
  readonly lagMs: number;
}

const quantile = (sorted: readonly number[], q: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0;

/** @param onSecond told once a second: the script's canary gives the beat */
export function createSeconds(stages: readonly Stage[], onSecond: (second: Second) => void) {
  let at = 0;
  let iterations = 0;
  let errors = 0;
  let requests = 0;
  let latencies: number[] = [];
  return (told: Told): void => {
    if (!told) return;
    if ('tally' in told) {
      errors += told.tally.wrong;
      requests += told.tally.answered;
      latencies.push(...told.tally.latencies);
      return;
    }
    const { beat } = told;
    at += 1;
    const sorted = latencies.sort((a, b) => a - b);
    onSecond({
      at,
      offered: rateAt(stages, (at - 0.5) * 1_000),
      achieved: beat.iterations - iterations,
      p50: quantile(sorted, 0.5),
      p95: quantile(sorted, 0.95),
      requests,
      errors,
      vus: beat.vus,
      lagMs: beat.lateMs,
    });
    iterations = beat.iterations;
    errors = 0;
    requests = 0;
    latencies = [];
  };
}
