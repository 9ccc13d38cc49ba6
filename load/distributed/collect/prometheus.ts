// Reads the results of a distributed run from Prometheus: queries what the scripts counted.
import { ConfigurationError } from '../../../engine/values/configuration-error.ts';
import { quoted } from '../../../engine/values/text.ts';
import { lengthOf } from '../../arrivals/schedule.ts';
import { createSum, type Histogram } from '../../k6/histogram.ts';
import { exitTimeoutMs, timeoutMs } from '../../step/plan.ts';
import type { DistributedRun } from '../run-file.ts';

// Queries. Answers come from outside, so they are checked before they are used.

/** One series of an answer: its samples in time's order, of an instant query one. */
export interface Series {
  readonly labels: Readonly<Record<string, string>>;
  readonly values: readonly { readonly at: number; readonly value: number }[];
}

export interface Prometheus {
  /** @param at in s since the epoch */
  at(expression: string, at: number): Promise<Series[]>;
  over(expression: string, from: number, to: number, stepSeconds: number): Promise<Series[]>;
}

const prometheusTimeoutMs = 20_000;
const mostBytes = 64 * 2 ** 20;

/**
 * @param base URL without a slash at its end
 * @throws ConfigurationError, from each question: what was wrong, and where
 */
export function prometheusOf(base: string, env: Readonly<Record<string, string | undefined>>): Prometheus {
  const { PROMETHEUS_USERNAME: user, PROMETHEUS_PASSWORD: password } = env;
  const headers: Record<string, string> =
    user === undefined
      ? {}
      : { authorization: `Basic ${Buffer.from(`${user}:${password ?? ''}`).toString('base64')}` };
  const ask = async (path: string, parameters: Record<string, string>): Promise<Series[]> => {
    const wrong = (why: string) => new ConfigurationError([`--collect: ${quoted(base)} ${why}`]);
    let text: string;
    let status: number;
    try {
      const response = await fetch(`${base}/api/v1/${path}`, {
        method: 'POST',
        headers,
        body: new URLSearchParams(parameters),
        redirect: 'error',
        signal: AbortSignal.timeout(prometheusTimeoutMs),
      });
      status = response.status;
      text = await bounded(response);
    } catch (error) {
      const { name, cause } = error as Error;
      const { code, message } = (cause ?? {}) as Partial<NodeJS.ErrnoException>;
      throw wrong(
        `does not answer (${code ?? message ?? name}); expected the URL of a Prometheus, such as http://127.0.0.1:9090`,
      );
    }
    if (status === 401 || status === 403)
      throw wrong(`answered ${status}; set PROMETHEUS_USERNAME and PROMETHEUS_PASSWORD`);
    const result = resultIn(text);
    if (result === undefined)
      throw wrong(`answered ${status} and no query result; expected the URL of a Prometheus`);
    return result.flatMap(seriesIn);
  };
  return {
    at: (query, at) => ask('query', { query, time: String(at) }),
    over: (query, from, to, step) =>
      ask('query_range', { query, start: String(from), end: String(to), step: String(step) }),
  };
}

async function bounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw new Error('too much');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function resultIn(text: string): unknown[] | undefined {
  try {
    const { status, data } = JSON.parse(text);
    return status === 'success' && Array.isArray(data?.result) ? data.result : undefined;
  } catch {
    return undefined;
  }
}

interface SeriesJson {
  readonly metric?: Readonly<Record<string, string>>;
  readonly value?: unknown;
  readonly values?: unknown;
}

function seriesIn(json: unknown): Series[] {
  if (json === null || typeof json !== 'object') return [];
  const { metric = {}, value, values = value ? [value] : [] } = json as SeriesJson;
  const pairs = (of: unknown): [unknown, unknown][] =>
    Array.isArray(of) ? of.filter((each) => Array.isArray(each) && each.length === 2) : [];
  return [
    {
      labels: metric,
      values: pairs(values).flatMap(([at, text]) => {
        const number = Number(text);
        return Number.isFinite(number) ? [{ at: Number(at), value: number }] : [];
      }),
    },
  ];
}

// The queries about a run. Metric names are k6's own, as its remote write makes them.
export interface Totals {
  /** ms since the epoch, of the first generator. */
  readonly began: number;
  /** Generators that came to their end. */
  readonly finished: number;
  /** Those that left their target alone, by how it was away, and since when on average, in s. */
  readonly away: readonly { readonly how: string; readonly since: number; readonly generators: number }[];
  /** Journeys of the measured part. */
  readonly begun: number;
  readonly done: number;
  readonly unbegun: number;
  /** Opened by all, the warm-up included. */
  readonly connections: number;
  /** In ms. */
  readonly byOperation: ReadonlyMap<string, Histogram>;
  readonly errors: readonly { readonly operation: string; readonly kind: string; readonly count: number }[];
  /** In ms. */
  readonly lag: Histogram;
}

/** How far back the beginning of a run is searched. */
const longest = '30d';
/** Time to push the last samples. */
const pushMs = 15_000;
/** Most points of a time line: more would not show in a chart. */
const mostPoints = 600;

/** Time from the beginning until all samples must have arrived, in ms. */
export const spanOf = ({ stages }: DistributedRun): number =>
  lengthOf(stages) + exitTimeoutMs + timeoutMs + pushMs;

/** @returns when each of its generators began, in ms since the epoch, ascending */
export async function beginningsOf(
  prometheus: Prometheus,
  run: DistributedRun,
  now: number,
): Promise<number[]> {
  const query = `last_over_time(k6_assay_began{testid="${run.name}"}[${longest}])`;
  const series = await prometheus.at(query, now / 1_000);
  return series.flatMap(({ values }) => values[0]?.value ?? []).sort((a, b) => a - b);
}

export async function totalsOf(prometheus: Prometheus, run: DistributedRun, began: number): Promise<Totals> {
  const until = (began + spanOf(run)) / 1_000;
  const range = `${Math.ceil(spanOf(run) / 1_000) + 60}s`;
  const last = (metric: string, labels = ',part="measured"') =>
    `last_over_time(k6_${metric}{testid="${run.name}"${labels}}[${range}])`;
  const ask = async (expression: string) => first(await prometheus.at(`sum(${expression})`, until)) ?? 0;
  const away = last('assay_away_total', '');
  const [finished, begun, done, unbegun, connections, errors, durations, sums, late, since, left] =
    await Promise.all([
      ask(last('assay_finished_total', '')),
      ask(last('assay_begun_total')),
      ask(last('assay_done_total')),
      ask(last('assay_unbegun_total')),
      ask(last('assay_connections_total', '')),
      prometheus.at(`sum by (name, kind) (${last('assay_errors_total')})`, until),
      prometheus.at(`sum by (name, bucket) (${last('assay_durations_total', '')})`, until),
      prometheus.at(`sum by (name) (${last('assay_duration_sum_total', '')})`, until),
      prometheus.at(`sum by (bucket) (${last('assay_late_total', '')})`, until),
      prometheus.at(`avg by (how) (${away})`, until),
      prometheus.at(`count by (how) (${away})`, until),
    ]);
  const named = Map.groupBy(durations, ({ labels }) => labels.name ?? '');
  const sumOf = (id: string) => first(sums.filter(({ labels }) => labels.name === id)) ?? 0;
  return {
    began,
    finished,
    begun,
    done,
    unbegun,
    connections,
    byOperation: new Map([...named].map(([name, series]) => [name, counted(series, sumOf(name))])),
    errors: errors.map(({ labels, values }) => ({
      operation: labels.name ?? '',
      kind: labels.kind ?? '',
      count: values[0]?.value ?? 0,
    })),
    lag: counted(late, 0),
    away: since.map(({ labels: { how = '' }, values }) => ({
      how,
      since: values[0]?.value ?? 0,
      generators: first(left.filter(({ labels }) => labels.how === how)) ?? 0,
    })),
  };
}

/** What the scripts counted by bucket. */
function counted(series: readonly Series[], sum: number): Histogram {
  const at = series.flatMap(({ labels, values }) => [Number(labels.bucket), values[0]?.value ?? 0]);
  const times = createSum();
  times.add({ at, sum, max: 0 });
  return times.histogram();
}

export interface TimeLines {
  readonly stepSeconds: number;
  readonly done: Series['values'];
  readonly errors: Series['values'];
  readonly inFlight: Series['values'];
  /** Answers of the measured part, a series for each bucket of their time. */
  readonly durations: readonly Series[];
}

export async function timeLinesOf(
  prometheus: Prometheus,
  run: DistributedRun,
  began: number,
): Promise<TimeLines> {
  const seconds = lengthOf(run.stages) / 1_000;
  const stepSeconds = Math.max(1, Math.ceil(seconds / mostPoints));
  const from = began / 1_000;
  const over = (query: string) => prometheus.over(query, from, from + seconds + stepSeconds, stepSeconds);
  const ask = async (metric: string) => {
    const query = `sum(k6_${metric}{testid="${run.name}"})`;
    return (await over(query))[0]?.values ?? [];
  };
  const [done, errors, inFlight, durations] = await Promise.all([
    ask('assay_done_total'),
    ask('assay_errors_total'),
    ask('assay_in_flight'),
    over(`sum by (bucket) (k6_assay_durations_total{testid="${run.name}"})`),
  ]);
  return {
    stepSeconds,
    done,
    errors,
    inFlight,
    durations,
  };
}

const first = ([series]: readonly Series[]): number | undefined => series?.values[0]?.value;
