// Makes a step's figures from the lines that its k6 processes printed: what was answered, how fast, and what was wrong.
import { classOf, transportKinds } from '../k6/answers.ts';
import { createHistogram, type Histogram } from '../k6/histogram.ts';
import type { Cohort, FirstWrong, Part } from '../k6/tally.ts';
import type { Away, JourneyCounts, Noted, OperationFigures, Step } from '../step/plan.ts';

/** The figures of all processes together; zeros where they printed nothing. */
type Figures = Pick<
  Step,
  'sent' | 'journeys' | 'dropped' | 'latency' | 'errors' | 'lagMs' | 'connections' | 'operations'
> & {
  /** Journeys that became due. */
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
    /** Counts the journeys of the whole step. */
    account(): JourneyCounts {
      const { begun, done, unbegun } = whole.sums;
      const inFlight = [...lastParts.values()].reduce((all, part) => all + part.inFlight, 0);
      return { begun, done, unbegun, inFlight };
    },
    /**
     * @param operations ids of the journey
     * @param withWarmup counts the warm-up too, because the load stopped early, perhaps before the measured part
     */
    figures(operations: readonly string[], withWarmup: boolean): Figures {
      const figures = figuresOf(withWarmup ? whole : measured, operations);
      const byOperation = figures.errors.byOperation.map((row) => withFirst(row, firstWrong));
      return { ...figures, errors: { ...figures.errors, byOperation }, connections: whole.sums.connections };
    },
    /** Sums of the whole step, times of the measured part. */
    noted(): Noted {
      const times = [...measured.times].map(([name, histogram]): [string, Noted['times'][string]] => [
        name,
        { count: histogram.count(), ...quantilesOf(histogram) },
      ]);
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
export const inTenths = (ms: number) => Math.round(ms / 100) / 10;

const createAnswers = () => ({ count: 0, times: createHistogram(), wrong: new Map<string, number>() });

function createCohort() {
  const sums = { begun: 0, done: 0, unbegun: 0, connections: 0 };
  const [late, latency] = [createHistogram(), createHistogram()];
  const operations = new Map<string, ReturnType<typeof createAnswers>>();
  const counts = new Map<string, number>();
  const times = new Map<string, Histogram>();
  return {
    sums,
    late,
    latency,
    operations,
    counts,
    times,
    add(part: Cohort): void {
      for (const name of ['begun', 'done', 'unbegun', 'connections'] as const) sums[name] += part[name];
      late.add(part.late);
      for (const [id, { count, times: counted, wrong }] of Object.entries(part.operations)) {
        const answers = getOrCreate(operations, id, createAnswers);
        answers.count += count;
        for (const all of [answers.times, latency]) all.add(counted);
        addCounts(answers.wrong, wrong);
      }
      addCounts(counts, part.counts);
      for (const [name, counted] of Object.entries(part.times ?? {}))
        getOrCreate(times, name, createHistogram).add(counted);
    },
  };
}

function addCounts(all: Map<string, number>, more: Readonly<Record<string, number>> = {}): void {
  for (const [name, many] of Object.entries(more)) all.set(name, (all.get(name) ?? 0) + many);
}

function getOrCreate<T>(all: Map<string, T>, name: string, create: () => T): T {
  const found = all.get(name) ?? create();
  all.set(name, found);
  return found;
}

function figuresOf(
  { sums, late, latency, operations }: ReturnType<typeof createCohort>,
  ids: readonly string[],
): Omit<Figures, 'connections'> {
  return {
    begun: sums.begun,
    journeys: sums.done,
    dropped: sums.unbegun,
    sent: [...operations.values()].reduce((all, { count }) => all + count, 0),
    latency: quantilesOf(latency),
    errors: errorsOf(operations),
    lagMs: { p95: late.quantile(0.95), max: late.quantile(1) },
    operations: Object.fromEntries(
      ids.map((id): [string, OperationFigures] => {
        const { count, times, wrong } = operations.get(id) ?? createAnswers();
        const { mean: _, ...quantiles } = quantilesOf(times);
        return [id, { count, ...quantiles, errors: kindsOf(wrong) }];
      }),
    ),
  };
}

/** Counts of errors by class. */
function kindsOf(errors: Iterable<readonly [kind: string, count: number]>): Record<string, number> {
  const kinds: Record<string, number> = {};
  for (const [kind, count] of errors) {
    const errorClass = classOf(kind);
    if (count > 0) kinds[errorClass] = (kinds[errorClass] ?? 0) + count;
  }
  return kinds;
}

function errorsOf(operations: ReturnType<typeof createCohort>['operations']): Step['errors'] {
  const kinds = kindsOf([...operations.values()].flatMap(({ wrong }) => [...wrong]));
  const all = Object.values(kinds).reduce((sum, many) => sum + many, 0);
  const transport = transportKinds.reduce((sum, kind) => sum + (kinds[kind] ?? 0), 0);
  const rows = [...operations].flatMap(([operation, { wrong }]) =>
    [...wrong].map(([kind, count]): WrongAnswers => ({ operation, answer: answerOf(kind), count })),
  );
  return { wrong: all - transport, transport, kinds, byOperation: wrongAnswers(rows) };
}

function quantilesOf(times: Histogram): Step['latency'] {
  const at = times.quantile;
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), p999: at(0.999), max: at(1), mean: times.mean() };
}

// Wrong and missing answers, by operation and kind.

export interface WrongAnswers {
  /** Id of the operation. */
  readonly operation: string;
  /** The status in digits (`404`, `5xx`), or in words what was wrong: `timeout`, `wrong body`. */
  readonly answer: string;
  readonly count: number;
  /** When the first of them came, in s since the load began, and how its answer begins. */
  readonly since?: number;
  readonly sample?: Pick<FirstWrong, 'status' | 'body' | 'request'>;
}

/** Most rows; where there are more, a last row counts the rest. */
const mostNamed = 40;
const mostInText = 4;
const others = 'others';

/** `status 404` is `404`. */
export const answerOf = (kind: string): string =>
  kind === 'body' ? 'wrong body' : kind.startsWith('status ') ? kind.slice('status '.length) : kind;

/** One row for each operation and answer, the most frequent first; bounded. */
export function wrongAnswers(all: Iterable<WrongAnswers>): WrongAnswers[] {
  const rows = new Map<string, WrongAnswers>();
  for (const row of all) {
    const { operation, answer, count } = row;
    if (count <= 0) continue;
    const key = `${operation} ${answer}`;
    rows.set(key, { operation, answer, count: count + (rows.get(key)?.count ?? 0) });
  }
  const sorted = [...rows.values()].sort(
    (a, b) =>
      Number(a.operation === others) - Number(b.operation === others) ||
      b.count - a.count ||
      (`${a.operation} ${a.answer}` < `${b.operation} ${b.answer}` ? -1 : 1),
  );
  if (sorted.length <= mostNamed) return sorted;
  const rest = sum(sorted.slice(mostNamed - 1));
  return [...sorted.slice(0, mostNamed - 1), { operation: others, answer: others, count: rest }];
}

/** `queue.cancel 404 x 80, party.create 500 x 4`. */
export function wrongText(rows: readonly WrongAnswers[]): string {
  const shown = rows.slice(0, mostInText).map(({ operation, answer, count }) => {
    return operation === others ? `${count} others` : `${operation} ${answer} x ${count}`;
  });
  const rest = sum(rows.slice(mostInText));
  return [...shown, ...(rest > 0 ? [`and ${rest} more`] : [])].join(', ');
}

/** How many answers the rows count. */
const sum = (rows: readonly WrongAnswers[]) => rows.reduce((all, { count }) => all + count, 0);
