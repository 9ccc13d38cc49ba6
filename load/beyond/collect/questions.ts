// What is asked of Prometheus about a run, and what the answers say. Names are k6's own, as its remote write makes them.

import { lengthOf } from '../../arrivals/rate-profile.ts';
import { graceMs, timeoutMs } from '../../step/plan-of.ts';
import type { DistributedRun } from '../run-file.ts';
import { type Histogram, merged } from './histogram.ts';
import type { Prometheus, Series } from './prometheus.ts';

export interface Totals {
  /** ms since the epoch, of the first generator. */
  readonly began: number;
  /** Generators that came to their end. */
  readonly finished: number;
  readonly iterations: number;
  readonly unbegun: number;
  readonly dropped: number;
  /** In seconds. */
  readonly latency: Histogram;
  readonly byOperation: ReadonlyMap<string, Histogram>;
  readonly errors: readonly { readonly operation: string; readonly kind: string; readonly count: number }[];
  /** In ms. */
  readonly lag: Histogram;
}

/** Looked back so far for the beginning. */
const longest = '30d';
/** Pushing the last samples. */
const pushMs = 15_000;
/** Prometheus shows a sample for 5 minutes. */
const lookSeconds = 240;
/** More points than these are no better to look at. */
const mostPoints = 600;

/** When all of it must have been told, in ms since it began. */
export const spanOf = ({ stages, leadMs }: DistributedRun): number =>
  lengthOf(stages) + leadMs + graceMs + timeoutMs + pushMs;

/** @returns when each of its generators began, in ms since the epoch, ascending */
export async function beginningsOf(
  prometheus: Prometheus,
  run: DistributedRun,
  now: number,
): Promise<number[]> {
  const asked = `last_over_time(k6_assay_began{testid="${run.name}"}[${longest}])`;
  const told = await prometheus.at(asked, now / 1_000);
  return told.flatMap(({ values }) => values[0]?.value ?? []).sort((a, b) => a - b);
}

export async function totalsOf(prometheus: Prometheus, run: DistributedRun, began: number): Promise<Totals> {
  const until = (began + spanOf(run)) / 1_000;
  const range = `${Math.ceil(spanOf(run) / 1_000) + 60}s`;
  const last = (metric: string, labels = ',part="measured"') =>
    `last_over_time(k6_${metric}{testid="${run.name}"${labels}}[${range}])`;
  const ask = async (expression: string) => first(await prometheus.at(`sum(${expression})`, until)) ?? 0;
  // Prometheus 2.42 makes zeros of histograms in last_over_time: they are looked at every few minutes instead.
  const looks = Math.ceil((until - began / 1_000) / lookSeconds);
  const histograms = (metric: string, labels: string) =>
    prometheus.over(
      `k6_${metric}{testid="${run.name}"${labels}}`,
      until - looks * lookSeconds,
      until,
      lookSeconds,
    );
  const [finished, iterations, unbegun, dropped, errors, latencies, lag] = await Promise.all([
    ask(last('assay_finished_total', '')),
    ask(last('iterations_total')),
    ask(last('assay_unbegun_total')),
    ask(last('dropped_iterations_total', '')),
    prometheus.at(`sum by (name, kind) (${last('assay_errors_total')})`, until),
    histograms('http_req_duration_seconds', ',part="measured"'),
    histograms('assay_lag', ''),
  ]);
  const named = Map.groupBy(latencies, ({ labels }) => labels.name ?? '');
  return {
    ...{ began, finished, iterations, unbegun, dropped },
    latency: latest(latencies),
    byOperation: new Map([...named].map(([name, series]) => [name, latest(series)])),
    errors: errors.map(({ labels, values }) => ({
      operation: labels.name ?? '',
      kind: labels.kind ?? '',
      count: values[0]?.value ?? 0,
    })),
    lag: latest(lag),
  };
}

export interface TimeLines {
  readonly stepSeconds: number;
  readonly iterations: Series['values'];
  readonly errors: Series['values'];
  readonly vus: Series['values'];
  readonly latency: Series['histograms'];
  readonly lag: Series['histograms'];
}

export async function timeLinesOf(
  prometheus: Prometheus,
  run: DistributedRun,
  began: number,
): Promise<TimeLines> {
  const seconds = (lengthOf(run.stages) + run.leadMs) / 1_000;
  const stepSeconds = Math.max(1, Math.ceil(seconds / mostPoints));
  const from = began / 1_000;
  const ask = async (metric: string) => {
    const asked = `sum(k6_${metric}{testid="${run.name}"})`;
    return (await prometheus.over(asked, from, from + seconds + stepSeconds, stepSeconds))[0];
  };
  const [iterations, errors, vus, latency, lag] = await Promise.all([
    ask('iterations_total'),
    ask('assay_errors_total'),
    ask('vus'),
    ask('http_req_duration_seconds'),
    ask('assay_lag'),
  ]);
  return {
    stepSeconds,
    iterations: iterations?.values ?? [],
    errors: errors?.values ?? [],
    vus: vus?.values ?? [],
    latency: latency?.histograms ?? [],
    lag: lag?.histograms ?? [],
  };
}

const first = ([series]: readonly Series[]): number | undefined => series?.values[0]?.value;
/** All series as each was at its last. */
const latest = (series: readonly Series[]): Histogram =>
  merged(series.flatMap(({ histograms }) => histograms.at(-1)?.value ?? []));
