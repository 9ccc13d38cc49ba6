// The time line of a run: one entry a second, out of what the script tells while it runs.
import { rateAt, type Stage } from '../arrivals/rate-profile.ts';
import type { Told } from './stream.ts';
import { type WrongAnswers, wrongAnswers } from './wrong-answers.ts';

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
  /** They by operation, where there are any. */
  readonly wrong?: readonly WrongAnswers[];
  readonly vus: number;
  /** How late the canary was, in ms. */
  readonly lagMs: number;
}

/** Of one second. */
const mostRows = 5;

const quantile = (sorted: readonly number[], q: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0;

/** @param onSecond told once a second: the script's canary gives the beat */
export function createSeconds(stages: readonly Stage[], onSecond: (second: Second) => void) {
  let at = 0;
  let iterations = 0;
  let errors = 0;
  let rows: WrongAnswers[] = [];
  let requests = 0;
  let latencies: number[] = [];
  return (told: Told): void => {
    if (!told) return;
    if ('tally' in told) {
      errors += told.tally.wrong;
      rows = wrongAnswers([...rows, ...told.tally.rows]);
      requests += told.tally.answered;
      latencies.push(...told.tally.latencies);
      return;
    }
    if (!('beat' in told)) return;
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
      ...(rows.length > 0 && { wrong: rows.slice(0, mostRows) }),
      vus: beat.vus,
      lagMs: beat.lateMs,
    });
    iterations = beat.iterations;
    errors = 0;
    rows = [];
    requests = 0;
    latencies = [];
  };
}
