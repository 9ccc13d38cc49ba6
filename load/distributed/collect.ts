// Judges a distributed run by its data in Prometheus, as a run on one machine is judged. Reads what scripts counted,
// makes the step and the time line, and checks that exactly the generators that were asked for ran.
import { ConfigurationError } from '../../engine/values/configuration-error.ts';
import { lengthOf, rateAt } from '../arrivals/schedule.ts';
import { type Shape, shapes } from '../arrivals/shapes.ts';
import { transportKinds } from '../k6/answers.ts';
import { type Counted, histogramOf } from '../k6/histogram.ts';
import { type Answers, absences, type Cohort } from '../k6/tally.ts';
import { loadJson } from '../report.ts';
import { createFigures, inTenths } from '../run/figures.ts';
import type { Second } from '../run/script-output.ts';
import { exitTimeoutMs, type Step, timeoutMs } from '../step/plan.ts';
import { dueIn } from '../step/run-step.ts';
import { type Verdict, verdictOf } from '../verdict.ts';
import type { Prometheus, Series } from './prometheus.ts';
import type { DistributedRun } from './run-file.ts';

/** @throws ConfigurationError where Prometheus holds no sample of the run, or the run is not over */
export async function collect(run: DistributedRun, prometheus: Prometheus, now: number) {
  const beginnings = await beginningsOf(prometheus, run, now);
  const [began] = beginnings;
  if (began === undefined)
    throw new ConfigurationError([
      `--collect: no sample of ${run.name}; is the TestRun started, and does this Prometheus take its metrics?`,
    ]);
  const totals = await totalsOf(prometheus, run, began);
  const ended = endedIn(totals);
  if (ended < run.parallelism && now < began + spanOf(run))
    throw new ConfigurationError([
      `--collect: ${run.name} is not over; ${ended} of ${run.parallelism} generators have finished, try again in ${Math.ceil((began + spanOf(run) - now) / 1_000)} s`,
    ]);
  const step = stepOf(run, totals);
  const seconds = secondsOf(run, await timeLinesOf(prometheus, run, began), began);
  const { slo, perOperation, plan, parallelism: segments, shape: shapeName } = run;
  const { asks }: Shape = shapes[shapeName];
  const verdict =
    accountedFor(run, step, ended, beginnings) ?? verdictOf({ step, slo, perOperation, asks, seconds });
  const asked = { ...plan, shapeName, slo, perOperation };
  const json = loadJson({ ...run, segments }, asked, { step, seconds, verdict });
  return { step, verdict, json };
}

/** Longest time in ms between the starts of generators that were started together. */
const togetherMs = 30_000;

/** Returns INVALID unless exactly the generators that were asked for ran together, and to their end. */
function accountedFor(
  { parallelism }: DistributedRun,
  step: Step,
  finished: number,
  beginnings: readonly number[],
): Verdict | undefined {
  const invalid = (why: string): Verdict => ({ verdict: 'INVALID', reasons: [why] });
  const apart = (beginnings.at(-1) ?? 0) - (beginnings[0] ?? 0);
  if (apart > togetherMs || finished > parallelism)
    return invalid(
      `${beginnings.length} generators began within ${Math.round(apart / 1_000)} s and ${finished} finished, of ${parallelism} asked for: the same export ran more than once, or its pods did not start together; export again for each run`,
    );
  if (step.ended === 'complete') return undefined;
  return invalid(`${parallelism - finished} of ${parallelism} generators did not come to their end`);
}

// The queries about a run. The names of metrics are those that the remote write of k6 makes.

/** What all generators counted in the measured part; `connections` includes the warm-up. */
export interface Totals extends Pick<Cohort, 'begun' | 'done' | 'unbegun' | 'connections'> {
  /** When the first generator began, in ms since the epoch. */
  readonly began: number;
  /** Generators that came to their end. */
  readonly finished: number;
  /** Generators that stopped because the target was away, by how it was; `since` is their average, in s. */
  readonly away: readonly { readonly how: string; readonly since: number; readonly generators: number }[];
  readonly byOperation: ReadonlyMap<string, Counted>;
  readonly errors: readonly { readonly operation: string; readonly kind: string; readonly count: number }[];
  /** How late journeys began. */
  readonly late: Counted;
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
  const last = (metric: string, labels = '') =>
    `last_over_time(k6_assay_${metric}_total{testid="${run.name}"${labels}}[${range}])`;
  const measured = (metric: string) => last(metric, ',part="measured"');
  const ask = (expression: string) => prometheus.at(expression, until);
  const sum = async (expression: string) => firstOf(await ask(`sum(${expression})`));
  const [finished, begun, done, unbegun, connections, errors, durations, sums, late, since, left] =
    await Promise.all([
      sum(last('finished')),
      sum(measured('begun')),
      sum(measured('done')),
      sum(measured('unbegun')),
      sum(last('connections')),
      ask(`sum by (name, kind) (${measured('errors')})`),
      ask(`sum by (name, bucket) (${last('durations')})`),
      ask(`sum by (name) (${last('duration_sum')})`),
      ask(`sum by (bucket) (${last('late')})`),
      ask(`avg by (how) (${last('away')})`),
      ask(`count by (how) (${last('away')})`),
    ]);
  const labelled = (all: readonly Series[], label: string, value: string) =>
    firstOf(all.filter(({ labels }) => labels[label] === value));
  const named = Map.groupBy(durations, ({ labels }) => labels.name ?? '');
  return {
    began,
    finished,
    begun,
    done,
    unbegun,
    connections,
    byOperation: new Map(
      [...named].map(([name, series]) => [name, countedIn(series, labelled(sums, 'name', name))]),
    ),
    errors: errors.map((series) => {
      const { name = '', kind = '' } = series.labels;
      return { operation: name, kind, count: firstOf([series]) };
    }),
    late: countedIn(late, 0),
    away: since.map((series) => {
      const { how = '' } = series.labels;
      return { how, since: firstOf([series]), generators: labelled(left, 'how', how) };
    }),
  };
}

const firstOf = ([series]: readonly Series[]): number => series?.values[0]?.value ?? 0;

/** What the scripts counted by bucket. `max` is 0, because Prometheus does not hold it. */
const countedIn = (series: readonly Series[], sum: number): Counted => ({
  at: series.flatMap((each) => [Number(each.labels.bucket), firstOf([each])]),
  sum,
  max: 0,
});

export interface TimeLines {
  readonly stepSeconds: number;
  readonly done: Series['values'];
  readonly errors: Series['values'];
  readonly inFlight: Series['values'];
  /** Answers of the measured part, a series for each bucket of their time. */
  readonly durations: readonly Series[];
}

async function timeLinesOf(prometheus: Prometheus, run: DistributedRun, began: number): Promise<TimeLines> {
  const seconds = lengthOf(run.stages) / 1_000;
  const stepSeconds = Math.max(1, Math.ceil(seconds / mostPoints));
  const from = began / 1_000;
  const until = from + seconds + stepSeconds;
  const ask = (by: string, metric: string) =>
    prometheus.over(`sum${by}(k6_assay_${metric}{testid="${run.name}"})`, from, until, stepSeconds);
  const line = async (metric: string) => (await ask('', metric))[0]?.values ?? [];
  const [done, errors, inFlight, durations] = await Promise.all([
    line('done_total'),
    line('errors_total'),
    line('in_flight'),
    ask(' by (bucket) ', 'durations_total'),
  ]);
  return { stepSeconds, done, errors, inFlight, durations };
}

// The step and the time line from the answers.

/** The step as a run on one machine would have it; `cpu` and `memoryMiB` are 0, as nobody measured them. */
export function stepOf(run: DistributedRun, totals: Totals): Step {
  const { begun, done, unbegun, connections, late } = totals;
  const all = createFigures();
  all.add(0, {
    second: 1,
    at: 0,
    inFlight: Math.max(0, begun - done - unbegun),
    measured: { begun, done, unbegun, connections, late, operations: answersIn(totals) },
  });
  const { begun: _, ...figures } = all.figures(run.operations, false);
  return {
    ...run.plan,
    ...figures,
    startedAt: new Date(totals.began).toISOString(),
    ended: endedIn(totals) === run.parallelism ? 'complete' : 'no-summary',
    ranMs: run.plan.warmupMs + run.plan.durationMs,
    achieved: done / (run.plan.durationMs / 1_000),
    missing: totals.away.length > 0 ? 0 : Math.max(0, dueIn(run.stages, run.plan) - begun),
    account: all.account(),
    noted: all.noted(),
    cpu: 0,
    memoryMiB: 0,
    ...awayOf(totals),
  };
}

/** Generators that came to their end, or stopped because the target was away. */
const endedIn = ({ finished, away }: Totals): number =>
  away.reduce((sum, { generators }) => sum + generators, finished);

/** How the target was away, as most of the generators that stopped because of it saw it. */
function awayOf({ away }: Totals): Pick<Step, 'away'> {
  const [most] = away.toSorted((a, b) => b.generators - a.generators);
  const how = absences.find((each) => each === most?.how);
  if (most === undefined || how === undefined) return {};
  return { away: { how, since: inTenths(1_000 * most.since), stopped: true } };
}

/** Counts the requests of each operation: those with a time (timeouts included), and others without an answer. */
function answersIn({ byOperation, errors }: Totals): Record<string, Answers> {
  const isUntimed = (kind: string) =>
    kind !== 'timeout' && (transportKinds as readonly string[]).includes(kind);
  const ids = new Set([...byOperation.keys(), ...errors.map(({ operation }) => operation)]);
  return Object.fromEntries(
    [...ids].map((id): [string, Answers] => {
      const own = errors.filter(({ operation }) => operation === id);
      const times = byOperation.get(id);
      const count = own
        .filter(({ kind }) => isUntimed(kind))
        .reduce((sum, each) => sum + each.count, histogramOf([times]).count());
      const wrong = Object.fromEntries(own.map((each) => [each.kind, each.count]));
      return [id, { count, wrong, ...(times && { times }) }];
    }),
  );
}

/** One entry for each point of the time lines; counts that arrived late stand where they arrived. */
export function secondsOf(run: DistributedRun, lines: TimeLines, began: number): Second[] {
  const { stepSeconds } = lines;
  const value = (of: TimeLines['inFlight'], at: number) => of.findLast((each) => each.at <= at)?.value ?? 0;
  const points = Math.max(lines.inFlight.length, lines.done.length) - 1;
  return Array.from({ length: Math.max(0, points) }, (_, nth) => {
    const from = began / 1_000 + nth * stepSeconds;
    const to = from + stepSeconds;
    const came = (of: TimeLines['done']) => value(of, to) - value(of, from);
    const counted = lines.durations.map(({ labels, values }): [number, number] => [
      Number(labels.bucket),
      came(values),
    ]);
    const times = histogramOf([{ at: counted.filter(([, many]) => many > 0).flat(), sum: 0, max: 0 }]);
    return {
      at: (nth + 1) * stepSeconds,
      offered: rateAt(run.stages, (nth + 0.5) * stepSeconds * 1_000),
      achieved: came(lines.done) / stepSeconds,
      p50: times.quantile(0.5),
      p95: times.quantile(0.95),
      requests: times.count(),
      errors: came(lines.errors),
      inFlight: value(lines.inFlight, to),
      lagMs: 0,
    };
  });
}
