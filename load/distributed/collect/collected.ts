// Makes of a run's data in Prometheus the step and the time line that a run on one machine would give. Pure.
import { rateAt } from '../../arrivals/schedule.ts';
import type { Second } from '../../run/beats.ts';
import { errorsOf, kindsOf } from '../../run/summary.ts';
import type { OperationFigures, Step } from '../../step/plan.ts';
import { missingOf } from '../../step/run-step.ts';
import type { DistributedRun } from '../run-file.ts';
import {
  type Histogram,
  histogramQuantile,
  nothing,
  since,
  type TimeLines,
  type Totals,
} from './prometheus.ts';

/** `cpu` is 0: nobody measured it. */
export function stepOf(run: DistributedRun, totals: Totals): Step {
  const { iterations, unbegun, dropped, latency, byOperation, lag } = totals;
  const journeys = Math.max(0, iterations - unbegun);
  const whole = errorsOf(totals.errors);
  const wasLeft = leftAlone(totals, whole.kinds);
  const operations = run.operations.map((id): [string, OperationFigures] => {
    const operationLatency = byOperation.get(id) ?? nothing;
    const { mean: _, ...quantiles } = quantilesOf(operationLatency);
    const errors = kindsOf(totals.errors.filter(({ operation }) => operation === id));
    return [id, { count: operationLatency.count, ...quantiles, errors }];
  });
  return {
    ...run.plan,
    startedAt: new Date(totals.began).toISOString(),
    ended: totals.finished === run.parallelism || wasLeft ? 'complete' : 'no-summary',
    sent: latency.count,
    journeys,
    achieved: journeys / (run.plan.durationMs / 1_000),
    dropped: unbegun + dropped,
    missing: wasLeft
      ? 0
      : missingOf(run.stages, run.plan, { counted: iterations + dropped, segments: run.parallelism }),
    capped: run.capped && dropped > 0,
    latency: quantilesOf(latency),
    errors: whole,
    lagMs: { p95: histogramQuantile(lag, 0.95), max: histogramQuantile(lag, 1) },
    cpu: 0,
    operations: Object.fromEntries(operations),
  };
}

/** A generator ends itself where the target answers with server errors alone: that is the target's doing. */
function leftAlone({ latency, finished }: Totals, kinds: Readonly<Record<string, number>>): boolean {
  const broken = (kinds['status 5xx'] ?? 0) + (kinds['status 503'] ?? 0);
  return finished === 0 && broken > latency.count / 2;
}

function quantilesOf(seconds: Histogram): Step['latency'] {
  const ms = (q: number) => 1_000 * histogramQuantile(seconds, q);
  return {
    p50: ms(0.5),
    p95: ms(0.95),
    p99: ms(0.99),
    p999: ms(0.999),
    max: ms(1),
    mean: seconds.count > 0 ? (1_000 * seconds.sum) / seconds.count : 0,
  };
}

/** One entry for each point of the time lines; counts that arrived late stand where they arrived. */
export function secondsOf(run: DistributedRun, lines: TimeLines, began: number): Second[] {
  const { stepSeconds } = lines;
  const value = (of: TimeLines['vus'], at: number) => of.findLast((each) => each.at <= at)?.value ?? 0;
  const histogram = (of: TimeLines['latency'], at: number) =>
    of.findLast((each) => each.at <= at)?.value ?? nothing;
  const points = Math.max(lines.vus.length, lines.iterations.length) - 1;
  return Array.from({ length: Math.max(0, points) }, (_, nth) => {
    const from = began / 1_000 + nth * stepSeconds;
    const to = from + stepSeconds;
    const came = since(histogram(lines.latency, from), histogram(lines.latency, to));
    const late = since(histogram(lines.lag, from), histogram(lines.lag, to));
    return {
      at: (nth + 1) * stepSeconds,
      offered: rateAt(run.stages, (nth + 0.5) * stepSeconds * 1_000),
      achieved: (value(lines.iterations, to) - value(lines.iterations, from)) / stepSeconds,
      p50: 1_000 * histogramQuantile(came, 0.5),
      p95: 1_000 * histogramQuantile(came, 0.95),
      requests: came.count,
      errors: value(lines.errors, to) - value(lines.errors, from),
      vus: value(lines.vus, to),
      lagMs: histogramQuantile(late, 1),
    };
  });
}
