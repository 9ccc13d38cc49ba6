// Reads k6's summary of a step, checked as a file from outside, and makes the step's figures of it.
import { readRegularFile } from '../../engine/files.ts';
import { mergeMetrics } from '../distributed/segments.ts';
import { classOf, transportKinds, wrongKinds } from '../k6/answers.ts';
import type { OperationFigures, Step } from '../step/plan.ts';
import { answerOf, type WrongAnswers, wrongAnswers } from './beats.ts';

export type Values = Readonly<Record<string, number>>;
export type Metrics = Readonly<Record<string, { readonly values?: Values }>>;

const mostBytes = 64 * 2 ** 20;

/** @returns undefined where k6 left no summary, or none that can be read */
export function readMetrics(file: string): Metrics | undefined {
  try {
    const { metrics } = JSON.parse(readRegularFile(file, mostBytes).toString('utf8'));
    return typeof metrics === 'object' && metrics !== null ? metrics : undefined;
  } catch {
    return undefined;
  }
}

export interface Summary {
  readonly latency: Step['latency'];
  readonly sent: number;
  /** Iterations that ended in the measured part, those that never began their journey included. */
  readonly iterations: number;
  /** Not begun because too many were under way. */
  readonly unbegun: number;
  /** Not begun because no VU was free. */
  readonly dropped: number;
  readonly errors: Step['errors'];
  readonly lagMs: Step['lagMs'];
  readonly operations: Readonly<Record<string, OperationFigures>>;
}

/**
 * @param files of the k6 processes that shared the step
 * @param operations ids of the journey
 * @returns undefined where one of them left no summary, or none that can be read
 */
export function readSummary(files: readonly string[], operations: readonly string[]): Summary | undefined {
  const all = files.flatMap((file) => readMetrics(file) ?? []);
  const metrics = files.length === 1 ? all[0] : mergeMetrics(all);
  return all.length === files.length && metrics ? summaryOf(metrics, operations) : undefined;
}

function summaryOf(metrics: Metrics, operations: readonly string[]): Summary {
  const values = (name: string): Values => metrics[name]?.values ?? {};
  const count = (name: string) => finite(values(name).count);
  const whole = values('http_req_duration{part:measured}');
  const errors = operations.flatMap((operation) =>
    [...transportKinds, ...wrongKinds].flatMap((kind) => {
      const many = count(`assay_errors{part:measured,name:${operation},kind:${kind}}`);
      return many > 0 ? [{ operation, kind, count: many }] : [];
    }),
  );
  const figures = operations.map((id): [string, OperationFigures] => {
    const latency = operations.length > 1 ? values(`http_req_duration{part:measured,name:${id}}`) : whole;
    const { mean: _, ...quantiles } = quantilesOf(latency);
    const kinds = kindsOf(errors.filter(({ operation }) => operation === id));
    return [id, { count: finite(latency.count), ...quantiles, errors: kinds }];
  });
  const lag = values('assay_lag');
  return {
    latency: quantilesOf(whole),
    sent: finite(whole.count),
    iterations: count('iterations{part:measured}'),
    unbegun: count('assay_unbegun{part:measured}'),
    dropped: count('dropped_iterations'),
    errors: errorsOf(errors),
    lagMs: { p95: finite(lag['p(95)']), max: finite(lag.max) },
    operations: Object.fromEntries(figures),
  };
}

/** As k6 counted them. */
interface Counted {
  readonly operation: string;
  readonly kind: string;
  readonly count: number;
}

/** By kind. */
export function kindsOf(errors: readonly Counted[]): Record<string, number> {
  const kinds: Record<string, number> = {};
  for (const { kind, count } of errors) {
    const errorClass = classOf(kind);
    if (count > 0) kinds[errorClass] = (kinds[errorClass] ?? 0) + count;
  }
  return kinds;
}

export function errorsOf(errors: readonly Counted[]): Step['errors'] {
  const kinds = kindsOf(errors);
  const all = Object.values(kinds).reduce((sum, many) => sum + many, 0);
  const transport = transportKinds.reduce((sum, kind) => sum + (kinds[kind] ?? 0), 0);
  const rows = errors.map(({ operation, kind, count }): WrongAnswers => {
    return { operation, answer: answerOf(kind), count };
  });
  return { wrong: all - transport, transport, kinds, byOperation: wrongAnswers(rows) };
}

const quantilesOf = (values: Values): Step['latency'] => ({
  p50: finite(values.med),
  p95: finite(values['p(95)']),
  p99: finite(values['p(99)']),
  p999: finite(values['p(99.9)']),
  max: finite(values.max),
  mean: finite(values.avg),
});

const finite = (value: number | undefined): number =>
  typeof value === 'number' && Number.isFinite(value) ? value : 0;
