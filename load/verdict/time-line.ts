// What a time line says beside the whole run's figures: does it come back after a spike, does it get worse over time?
import type { Second } from '../run/seconds.ts';

export interface Recovery {
  readonly recovered: boolean;
  /** Medians of the p95 of single seconds, in ms: before the spike, and in the last part after it. */
  readonly beforeMs: number;
  readonly afterMs: number;
}

export interface Trend {
  readonly worse: boolean;
  /** Medians of the p95 of single seconds, in ms. */
  readonly firstMs: number;
  readonly lastMs: number;
  readonly firstErrors: number;
  readonly lastErrors: number;
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const p95Of = (seconds: readonly Second[]) => median(seconds.map(({ p95 }) => p95));
const errorShare = (seconds: readonly Second[]) => {
  const requests = seconds.reduce((sum, second) => sum + second.requests, 0);
  return requests === 0 ? 0 : seconds.reduce((sum, { errors }) => sum + errors, 0) / requests;
};

/** Latencies of a quiet target differ by a few ms, and by half, for no reason. */
const grown = (before: number, after: number) => after > before * 1.5 + 5;

/** Before: until the rate rises; after: the last half of what follows its fall. */
export function recoveryIn(seconds: readonly Second[]): Recovery {
  const most = Math.max(...seconds.map(({ offered }) => offered));
  const first = seconds.findIndex(({ offered }) => offered === most);
  const last = seconds.findLastIndex(({ offered }) => offered === most);
  const before = seconds.slice(0, Math.max(1, first));
  const rest = seconds.slice(last + 1).filter(({ offered }) => offered > 0);
  const after = rest.slice(Math.floor(rest.length / 2));
  const beforeMs = p95Of(before);
  const afterMs = p95Of(after);
  const failing = errorShare(after) > errorShare(before) + 0.01;
  const recovered = after.length > 0 && !grown(beforeMs, afterMs) && !failing;
  return { recovered, beforeMs, afterMs };
}

/** The first quarter against the last. */
export function trendIn(seconds: readonly Second[]): Trend {
  const quarter = Math.max(1, Math.floor(seconds.length / 4));
  const [first, last] = [seconds.slice(0, quarter), seconds.slice(-quarter)];
  const [firstMs, lastMs] = [p95Of(first), p95Of(last)];
  const [firstErrors, lastErrors] = [errorShare(first), errorShare(last)];
  return {
    worse: grown(firstMs, lastMs) || lastErrors > firstErrors + 0.01,
    firstMs,
    lastMs,
    firstErrors,
    lastErrors,
  };
}
