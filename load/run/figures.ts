// Makes a step's figures from the lines that its k6 processes printed.
import { classOf, transportKinds } from '../k6/answers.ts';
import { createSum, type Histogram, histogramQuantile, merged, nothing } from '../k6/histogram.ts';
import type { Answers, Cohort, FirstWrong, Part } from '../k6/tally.ts';
import type { Away, JourneyCounts, Noted, OperationFigures, Step } from '../step/plan.ts';
import { answerOf, type WrongAnswers, wrongAnswers } from './wrong-answers.ts';

/** The figures of all processes together; zeros where they printed nothing. */
export type Figures = Pick<
  Step,
  'sent' | 'journeys' | 'dropped' | 'latency' | 'errors' | 'lagMs' | 'connections' | 'operations'
> & {
  /** Journeys whose time has come. */
  readonly begun: number;
};

/** Adds up the lines of a step. */
export function createFigures() {
  const whole = createCohort();
  const measured = createCohort();
  const lastParts = new Map<number, Part>();
  const firstWrong = new Map<string, FirstWrong>();
  return {
    /** @param nth of the process among all */
    add(nth: number, part: Part): void {
      for (const cohort of [part.warmup, part.measured]) if (cohort) whole.add(cohort);
      if (part.measured) measured.add(part.measured);
      for (const first of part.firsts ?? []) {
        const key = `${first.operation} ${answerOf(first.kind)}`;
        if (first.at < (firstWrong.get(key)?.at ?? Number.POSITIVE_INFINITY)) firstWrong.set(key, first);
      }
      lastParts.set(nth, part);
    },
    /** How many processes have ended. */
    finished: (): number => [...lastParts.values()].filter(({ last }) => last).length,
    /** How long the load went on, its warm-up included. */
    ranMs: (): number => Math.max(0, ...[...lastParts.values()].map(({ at }) => at)),
    /** How and since when the target was away for all processes; undefined where it was not for one of them. */
    away(): Pick<Away, 'how' | 'since'> | undefined {
      const all = [...lastParts.values()].flatMap(({ away }) => away ?? []);
      const last = all.toSorted((a, b) => b.since - a.since)[0];
      return last && all.length === lastParts.size
        ? { how: last.how, since: inTenths(last.since) }
        : undefined;
    },
    /** Of the whole step: those begun are done, found no room, or are still in flight. */
    account(): JourneyCounts {
      const { begun, done, unbegun } = whole.sums;
      const inFlight = [...lastParts.values()].reduce((all, part) => all + part.inFlight, 0);
      return { begun, done, unbegun, inFlight };
    },
    /**
     * @param operations ids of the journey
     * @param withWarmup counts the warm-up, too: the load stopped early, perhaps before the measured part
     */
    figures(operations: readonly string[], withWarmup: boolean): Figures {
      const figures = figuresOf(withWarmup ? whole : measured, operations);
      const byOperation = figures.errors.byOperation.map((row) => withFirst(row, firstWrong));
      return { ...figures, errors: { ...figures.errors, byOperation }, connections: whole.sums.connections };
    },
    /** Sums of the whole step, times of the measured part. */
    noted(): Noted {
      const times = [...measured.times].map(([name, sum]): [string, Noted['times'][string]] => {
        const histogram = sum.histogram();
        return [name, { count: histogram.count, ...quantilesOf(histogram) }];
      });
      return { counts: Object.fromEntries(whole.counts), times: Object.fromEntries(times) };
    },
  };
}

function withFirst(row: WrongAnswers, firstWrong: ReadonlyMap<string, FirstWrong>): WrongAnswers {
  const first = firstWrong.get(`${row.operation} ${row.answer}`);
  if (first === undefined) return row;
  const { at, status, body, request } = first;
  return { ...row, since: inTenths(at), sample: { status, body, request } };
}

/** Turns ms into s, with one decimal. */
const inTenths = (ms: number) => Math.round(ms / 100) / 10;

function createCohort() {
  const sums = { begun: 0, done: 0, unbegun: 0, connections: 0 };
  const late = createSum();
  const operations = new Map<string, ReturnType<typeof createAnswers>>();
  const counts = new Map<string, number>();
  const times = new Map<string, ReturnType<typeof createSum>>();
  return {
    sums,
    late,
    operations,
    counts,
    times,
    add(part: Cohort): void {
      for (const name of ['begun', 'done', 'unbegun', 'connections'] as const) sums[name] += part[name];
      late.add(part.late);
      for (const [id, answers] of Object.entries(part.operations))
        getOrCreate(operations, id, createAnswers).add(answers);
      for (const [name, many] of Object.entries(part.counts ?? {}))
        counts.set(name, (counts.get(name) ?? 0) + many);
      for (const [name, counted] of Object.entries(part.times ?? {}))
        getOrCreate(times, name, createSum).add(counted);
    },
  };
}

function createAnswers() {
  const times = createSum();
  const wrong = new Map<string, number>();
  let count = 0;
  return {
    times,
    wrong,
    count: () => count,
    add(answers: Answers): void {
      count += answers.count;
      times.add(answers.times);
      for (const [kind, many] of Object.entries(answers.wrong ?? {}))
        wrong.set(kind, (wrong.get(kind) ?? 0) + many);
    },
  };
}

function getOrCreate<T>(all: Map<string, T>, name: string, create: () => T): T {
  const found = all.get(name) ?? create();
  all.set(name, found);
  return found;
}

function figuresOf(
  { sums, late, operations }: ReturnType<typeof createCohort>,
  ids: readonly string[],
): Omit<Figures, 'connections'> {
  const errors = [...operations].flatMap(([operation, { wrong }]) =>
    [...wrong].map(([kind, count]) => ({ operation, kind, count })),
  );
  const histograms = new Map([...operations].map(([id, { times }]) => [id, times.histogram()]));
  const lateness = late.histogram();
  return {
    begun: sums.begun,
    journeys: sums.done,
    dropped: sums.unbegun,
    sent: [...operations.values()].reduce((all, each) => all + each.count(), 0),
    latency: quantilesOf(merged([...histograms.values()])),
    errors: errorsOf(errors),
    lagMs: { p95: histogramQuantile(lateness, 0.95), max: lateness.max ?? 0 },
    operations: Object.fromEntries(
      ids.map((id): [string, OperationFigures] => {
        const { mean: _, ...quantiles } = quantilesOf(histograms.get(id) ?? nothing);
        const kinds = kindsOf(errors.filter(({ operation }) => operation === id));
        return [id, { count: operations.get(id)?.count() ?? 0, ...quantiles, errors: kinds }];
      }),
    ),
  };
}

/** Wrong answers of one kind to one operation. */
interface CountedErrors {
  readonly operation: string;
  readonly kind: string;
  readonly count: number;
}

/** Counts of errors by class. */
export function kindsOf(errors: readonly CountedErrors[]): Record<string, number> {
  const kinds: Record<string, number> = {};
  for (const { kind, count } of errors) {
    const errorClass = classOf(kind);
    if (count > 0) kinds[errorClass] = (kinds[errorClass] ?? 0) + count;
  }
  return kinds;
}

export function errorsOf(errors: readonly CountedErrors[]): Step['errors'] {
  const kinds = kindsOf(errors);
  const all = Object.values(kinds).reduce((sum, many) => sum + many, 0);
  const transport = transportKinds.reduce((sum, kind) => sum + (kinds[kind] ?? 0), 0);
  const rows = errors.map(({ operation, kind, count }): WrongAnswers => {
    return { operation, answer: answerOf(kind), count };
  });
  return { wrong: all - transport, transport, kinds, byOperation: wrongAnswers(rows) };
}

/** Quantiles and mean of times in ms. */
export function quantilesOf(times: Histogram): Step['latency'] {
  const at = (q: number) => histogramQuantile(times, q);
  const mean = times.count > 0 ? times.sum / times.count : 0;
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), p999: at(0.999), max: at(1), mean };
}
