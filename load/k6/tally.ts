// Counts what the journeys of one process do, and prints it once a second, so that Node has it however k6 ends.
import { headerOf, type Kind } from './answers.ts';
import { type Counted, createTimes } from './histogram.ts';
import type { Response } from './http.ts';

/** k6's console, the only output of a script while it runs. */
declare const console: { log(line: string): void };

/** Prints a line for Node, which reads what k6 logs. */
export const print = (line: string): void => console.log(`assay ${line}`);

/** Measurements beside the answers. Counts and times end in `step.noted` (run/figures.ts); records are only printed. */
export interface Notes {
  /** Adds one to a sum. */
  count(name: string): void;
  /** Adds a time in ms to a distribution, such as how long the player waited for others. */
  time(name: string, ms: number): void;
  /** Passes on each value by itself, such as the id of a match that a player found. */
  record(name: string, value: string): void;
}

/** Answers of one operation. */
export interface Answers {
  readonly count: number;
  /** Times of answered calls, and of calls that timed out. */
  readonly times?: Counted;
  /** Wrong and missing answers, counted by kind. */
  readonly wrong?: Readonly<Record<string, number>>;
}

/** What became of journeys since the last line was printed. `begun` counts those that became due. */
export interface Cohort {
  readonly begun: number;
  readonly done: number;
  /** Journeys that found no room in flight, or whose players could not enter. */
  readonly unbegun: number;
  /** How late journeys began. */
  readonly late?: Counted;
  readonly connections: number;
  readonly operations: Readonly<Record<string, Answers>>;
  readonly counts?: Readonly<Record<string, number>>;
  readonly times?: Readonly<Record<string, Counted>>;
  readonly records?: Readonly<Record<string, readonly string[]>>;
}

/** The first wrong answer of its kind to an operation. */
export interface FirstWrong {
  readonly operation: string;
  readonly kind: Kind;
  /** ms since the load began. */
  readonly at: number;
  readonly status: number;
  /** How the answer begins, without what may be a secret. */
  readonly body: string;
  /** What was sent, also without what may be a secret. */
  readonly request: { readonly method: string; readonly path: string; readonly body: string };
}

/** The target gives only silence, server errors or requests to wait: which of them most often, and since when. */
export interface Away {
  readonly how: (typeof absences)[number];
  /** ms since the load began. */
  readonly since: number;
}

export const absences = ['silent', 'waiting', 'broken'] as const;

/** Hides words of 40 characters or more, which may be tokens; ids are shorter. */
const secretLike = /[\w.~+/=-]{40,}/g;
const longWord = /[\w.~+=-]{40,}/g;
const pathIn = (url: string) => url.replace(/^\w+:\/\/[^/]*/, '');
const mostFirsts = 40;
const longestBody = 200;

/** One printed line: what one process did since its line before. There is one every second, and one at the end. */
export interface Part {
  /** The number of the line, from 1. */
  readonly second: number;
  readonly inFlight: number;
  /** ms since the load began. */
  readonly at: number;
  /** Present while the target is away. */
  readonly away?: Away;
  /** Journeys that were due in the warm-up, and journeys that were due in the measured part. */
  readonly warmup?: Cohort;
  readonly measured?: Cohort;
  /** The first wrong answers, one for each operation and kind that no earlier line had. */
  readonly firsts?: readonly FirstWrong[];
  /** The last line of the process: journeys that `inFlight` still counts will not end. */
  readonly last?: true;
}

/** Fewest failed calls in a row that count as an absence: one alone proves nothing, however long it took. */
const fewestInVain = 2;

interface TallyOptions {
  /** Returns a time in ms; whole ms are enough. */
  readonly clock: () => number;
  /** The load stops once the target has been away for that long, in ms. */
  readonly awayMs: number;
  /** Ends the load, and cuts off the calls under way. */
  readonly onAway: (away: Away) => void;
  /** Adds to one of the counters. */
  readonly count: (counter: (typeof counters)[number], many: number, tags: Tags) => void;
}

type Tags = Readonly<Record<string, string>>;

/** Counters of k6 that `collect` adds up over several machines; times are counted by bucket. */
export const counters = [
  ...['assay_begun', 'assay_done', 'assay_unbegun', 'assay_errors', 'assay_connections'],
  /** Answers of the measured part by the bucket of their time, and the sum of their times in ms. */
  ...['assay_durations', 'assay_duration_sum'],
  /** Journeys of the measured part by how late they began. */
  'assay_late',
  /** Seconds until the target was away, of a process that stopped because of it. */
  'assay_away',
] as const;

type Taker<Taken> = { take(): Taken | undefined };

/** Takes from each entry, and leaves out entries that have nothing. */
const takenOf = <Taken>(all: Readonly<Record<string, Taker<Taken>>>): Record<string, Taken> =>
  Object.fromEntries(
    Object.entries(all).flatMap(([name, each]) => {
      const taken = each.take();
      return taken === undefined ? [] : [[name, taken]];
    }),
  );

export function tallyOf({ clock, awayMs, onAway, count }: TallyOptions) {
  const begunAt = clock();
  const cohorts = { warmup: cohortOf('warmup'), measured: cohortOf('measured') };
  let second = 0;
  let inFlight = 0;
  const known = new Set<string>();
  let firsts: FirstWrong[] = [];
  let heardAt = begunAt;
  let isLeft = false;
  let inVain: { readonly since: number; readonly times: Record<Away['how'], number> } | undefined;

  const isHeard = () => {
    heardAt = clock();
    inVain = undefined;
  };
  const goesUnheard = (how: Away['how'], waitedMs: number) => {
    inVain ??= {
      since: Math.max(heardAt, clock() - waitedMs),
      times: { silent: 0, waiting: 0, broken: 0 },
    };
    inVain.times[how] += 1;
    const away = awayNow();
    if (isLeft || away === undefined || clock() - begunAt - away.since < awayMs) return;
    isLeft = true;
    onAway(away);
  };
  const awayNow = (): Away | undefined => {
    if (inVain === undefined) return undefined;
    const { since, times } = inVain;
    const how = absences.reduce((most, each) => (times[each] > times[most] ? each : most));
    const all = absences.reduce((sum, each) => sum + times[each], 0);
    return all < fewestInVain ? undefined : { how, since: Math.round(since - begunAt) };
  };

  const countTimes = (counter: (typeof counters)[number], { at }: Counted, tags: Tags) => {
    for (let nth = 0; nth + 1 < at.length; nth += 2)
      count(counter, at[nth + 1] as number, { ...tags, bucket: `${at[nth]}` });
  };

  function noteFirst(operation: string, kind: Kind, { status, body, request }: Response): void {
    const key = `${operation} ${kind}`;
    if (known.has(key) || known.size >= mostFirsts) return;
    known.add(key);
    const { method, url, body: sent } = request;
    firsts.push({
      operation,
      kind,
      at: Math.round(clock() - begunAt),
      status,
      body: beginningOf(body),
      request: { method, path: beginningOf(pathIn(url), longWord), body: beginningOf(sent) },
    });
  }

  function cohortOf(part: 'warmup' | 'measured') {
    const none = () => ({ begun: 0, done: 0, unbegun: 0, connections: 0 });
    let sums = none();
    let [counts, records]: [Record<string, number>, Record<string, string[]>] = [{}, {}];
    const late = createTimes();
    const operations: Record<string, ReturnType<typeof answersOf>> = {};
    const times: Record<string, ReturnType<typeof createTimes>> = {};

    const notes: Notes = {
      count(name) {
        counts[name] = (counts[name] ?? 0) + 1;
      },
      time(name, ms) {
        times[name] ??= createTimes();
        times[name].add(ms);
      },
      record(name, value) {
        records[name] ??= [];
        records[name].push(value);
      },
    };

    const answered = (id: string, response: Response) => {
      operations[id] ??= answersOf();
      const { timings } = response;
      operations[id].add(timings.duration);
      if (timings.connecting > 0) sums.connections += 1;
    };

    return {
      notes,
      begins(lateMs: number) {
        sums.begun += 1;
        inFlight += 1;
        late.add(lateMs);
      },
      findsNoRoom() {
        sums.begun += 1;
        sums.unbegun += 1;
      },
      ends(isUnbegun: boolean) {
        inFlight -= 1;
        if (isUnbegun) sums.unbegun += 1;
        else sums.done += 1;
      },
      right(id: string, response: Response) {
        answered(id, response);
        isHeard();
      },
      wrong(id: string, kind: Kind, response: Response, waitedMs: number) {
        const { status } = response;
        // The call was cut off with the load itself, so it says nothing about the target.
        if (isLeft && status === 0) return;
        if (status !== 0) answered(id, response);
        else {
          operations[id] ??= answersOf();
          // A timeout took the time waited; any other transport error has no time.
          operations[id].add(kind === 'timeout' ? waitedMs : undefined);
        }
        operations[id]?.wrong(kind);
        noteFirst(id, kind, response);
        count('assay_errors', 1, { part, name: id, kind });
        const how = absenceIn(response);
        if (how === undefined) isHeard();
        else goesUnheard(how, kind === 'timeout' ? waitedMs : 0);
      },
      take(): Cohort | undefined {
        const lateness = late.take();
        const answers = takenOf(operations);
        const cohort: Cohort = {
          ...sums,
          ...(lateness && { late: lateness }),
          operations: answers,
          counts,
          times: takenOf(times),
          records,
        };
        const { begun, done, unbegun } = sums;
        const noted = [answers, cohort.times, counts, records].flatMap((each) => Object.keys(each ?? {}));
        if (begun + done + unbegun + noted.length === 0) return undefined;
        for (const name of ['begun', 'done', 'unbegun', 'connections'] as const)
          count(`assay_${name}`, sums[name], { part });
        if (part === 'measured') {
          if (lateness) countTimes('assay_late', lateness, {});
          for (const [id, { times: counted }] of Object.entries(answers)) {
            if (!counted) continue;
            countTimes('assay_durations', counted, { name: id });
            count('assay_duration_sum', counted.sum, { name: id });
          }
        }
        sums = none();
        [counts, records] = [{}, {}];
        return cohort;
      },
    };
  }

  return {
    ...cohorts,
    inFlight: () => inFlight,
    /** Prints what came since the last line. */
    print(isLast: boolean): void {
      second += 1;
      const away = awayNow();
      const [warmup, measured] = [cohorts.warmup.take(), cohorts.measured.take()];
      const part: Part = {
        second,
        inFlight,
        at: Math.round(clock() - begunAt),
        ...(away && { away }),
        ...(warmup && { warmup }),
        ...(measured && { measured }),
        ...(firsts.length > 0 && { firsts }),
        ...(isLast && { last: true }),
      };
      firsts = [];
      print(`part ${JSON.stringify(part)}`);
    },
  };
}

const beginningOf = (text: string | null | undefined, hidden = secretLike): string =>
  `${text ?? ''}`
    .slice(0, 10 * longestBody)
    .replace(hidden, '…')
    .slice(0, longestBody);

/** How an answer shows that the target is away; undefined where it does not. */
function absenceIn(response: Response): Away['how'] | undefined {
  const { status } = response;
  if (status === 0) return 'silent';
  if (status === 429 || headerOf(response, 'retry-after') !== undefined) return 'waiting';
  return status >= 500 && status !== 501 ? 'broken' : undefined;
}

export type CohortTally = ReturnType<typeof tallyOf>['measured'];

function answersOf() {
  const times = createTimes();
  let count = 0;
  let wrong: Record<string, number> | undefined;
  return {
    add(ms: number | undefined) {
      count += 1;
      if (ms !== undefined) times.add(ms);
    },
    wrong(kind: Kind) {
      wrong ??= {};
      wrong[kind] = (wrong[kind] ?? 0) + 1;
    },
    take(): Answers | undefined {
      if (count === 0) return undefined;
      const counted = times.take();
      const taken = { count, ...(counted && { times: counted }), ...(wrong && { wrong }) };
      count = 0;
      wrong = undefined;
      return taken;
    },
  };
}
