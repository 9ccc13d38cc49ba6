// Makes the step and the time line of a distributed run from its data in Prometheus, as a run on one machine would give
// them. Pure.
import { rateAt } from '../../arrivals/schedule.ts';
import { transportKinds } from '../../k6/answers.ts';
import { createSum, histogramQuantile, merged, nothing } from '../../k6/histogram.ts';
import { absences } from '../../k6/tally.ts';
import { errorsOf, kindsOf, quantilesOf } from '../../run/figures.ts';
import type { Second } from '../../run/script-output.ts';
import type { OperationFigures, Step } from '../../step/plan.ts';
import { dueIn } from '../../step/run-step.ts';
import type { DistributedRun } from '../run-file.ts';
import type { TimeLines, Totals } from './prometheus.ts';

/** `cpu`, memory and `connections` are 0: nobody measured them. */
export function stepOf(run: DistributedRun, totals: Totals): Step {
  const { begun, done, unbegun, byOperation, lag } = totals;
  const whole = errorsOf(totals.errors);
  const ended = endedIn(totals);
  const operations = run.operations.map((id): [string, OperationFigures] => {
    const { mean: _, ...quantiles } = quantilesOf(byOperation.get(id) ?? nothing);
    const errors = totals.errors.filter(({ operation }) => operation === id);
    return [id, { count: requestsIn(totals, id), ...quantiles, errors: kindsOf(errors) }];
  });
  return {
    ...run.plan,
    startedAt: new Date(totals.began).toISOString(),
    ended: ended === run.parallelism ? 'complete' : 'no-summary',
    sent: operations.reduce((sum, [, { count }]) => sum + count, 0),
    journeys: done,
    ranMs: run.plan.warmupMs + run.plan.durationMs,
    achieved: done / (run.plan.durationMs / 1_000),
    dropped: unbegun,
    missing: totals.away.length > 0 ? 0 : Math.max(0, dueIn(run.stages, run.plan) - begun),
    account: { begun, done, unbegun, inFlight: Math.max(0, begun - done - unbegun) },
    connections: totals.connections,
    noted: { counts: {}, times: {} },
    latency: quantilesOf(merged([...byOperation.values()])),
    errors: whole,
    lagMs: { p95: histogramQuantile(lag, 0.95), max: histogramQuantile(lag, 1) },
    cpu: 0,
    memoryMiB: 0,
    operations: Object.fromEntries(operations),
    ...awayOf(totals),
  };
}

/** Generators that came to their end, or left their target alone. */
export const endedIn = ({ finished, away }: Totals): number =>
  away.reduce((sum, { generators }) => sum + generators, finished);

/** Generators end themselves where the target is away: what most of them say. */
function awayOf({ away }: Totals): Pick<Step, 'away'> {
  const [most] = away.toSorted((a, b) => b.generators - a.generators);
  const how = absences.find((each) => each === most?.how);
  if (most === undefined || how === undefined) return {};
  return { away: { how, since: Math.round(most.since * 10) / 10, stopped: true } };
}

/** The requests of an operation: those that were timed (timeouts included), and others without an answer. */
function requestsIn({ byOperation, errors }: Totals, id: string): number {
  const untimed = errors.filter(({ operation, kind }) => operation === id && isUntimed(kind));
  return untimed.reduce((sum, { count }) => sum + count, byOperation.get(id)?.count ?? 0);
}

const isUntimed = (kind: string) =>
  kind !== 'timeout' && (transportKinds as readonly string[]).includes(kind);

/** One entry for each point of the time lines; counts that arrived late stand where they arrived. */
export function secondsOf(run: DistributedRun, lines: TimeLines, began: number): Second[] {
  const { stepSeconds } = lines;
  const value = (of: TimeLines['inFlight'], at: number) => of.findLast((each) => each.at <= at)?.value ?? 0;
  const points = Math.max(lines.inFlight.length, lines.done.length) - 1;
  return Array.from({ length: Math.max(0, points) }, (_, nth) => {
    const from = began / 1_000 + nth * stepSeconds;
    const to = from + stepSeconds;
    const times = createSum();
    for (const { labels, values } of lines.durations) {
      const many = value(values, to) - value(values, from);
      if (many > 0) times.add({ at: [Number(labels.bucket), many], sum: 0, max: 0 });
    }
    const came = times.histogram();
    return {
      at: (nth + 1) * stepSeconds,
      offered: rateAt(run.stages, (nth + 0.5) * stepSeconds * 1_000),
      achieved: (value(lines.done, to) - value(lines.done, from)) / stepSeconds,
      p50: histogramQuantile(came, 0.5),
      p95: histogramQuantile(came, 0.95),
      requests: came.count,
      errors: value(lines.errors, to) - value(lines.errors, from),
      inFlight: value(lines.inFlight, to),
      lagMs: 0,
    };
  });
}
