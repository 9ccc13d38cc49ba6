// Reads the lines that the k6 script prints while it runs: the time line of the run, and its wrong answers. Pure except for
// the clock that is passed in.
import { rateAt, type Stage } from '../arrivals/schedule.ts';
import { transportKinds } from '../k6/answers.ts';

/** Answers that one VU had since its last tally. */
export interface Tally {
  readonly wrong: number;
  /** Server errors among them. */
  readonly broken: number;
  /** When this VU last had an answer that was none, ms since the epoch; 0: never. */
  readonly lastNotBroken: number;
  readonly answered: number;
  /** In ms; where there are many answers, of an even share of them. */
  readonly latencies: readonly number[];
  /** The wrong ones by operation. */
  readonly rows: readonly WrongAnswers[];
}

export interface Beat {
  readonly lateMs: number;
  readonly iterations: number;
  readonly vus: number;
}

/** A cast that may still be in something, by its place among the casts; or no longer. */
interface CastState {
  readonly place: number;
  readonly isOut: boolean;
}

export type ScriptMessage =
  | { readonly tally: Tally }
  | { readonly beat: Beat }
  | { readonly cast: CastState }
  | undefined;

/** Reads a line of the script, without its `assay `; undefined where it is no message. */
export function readLine(line: string): ScriptMessage {
  const [kind = '', ...fields] = line.split(' ');
  const wanted = { tally: 4, canary: 3, left: 1, out: 1 }[kind];
  const numbers = fields.slice(0, wanted).map(Number);
  if (numbers.length !== wanted || numbers.some((value) => !Number.isFinite(value))) return undefined;
  const [a = 0, b = 0, c = 0, d = 0] = numbers;
  if (kind === 'canary') return { beat: { lateMs: a, iterations: b, vus: c } };
  if (kind !== 'tally') return { cast: { place: a, isOut: kind === 'out' } };
  const latencies = listed(fields[4]).map(Number);
  return {
    tally: { wrong: a, broken: b, lastNotBroken: c, answered: d, latencies, rows: rowsIn(fields[5]) },
  };
}

const listed = (text = '') => text.split(',').filter((part) => part !== '');

/** `queue.cancel=status_404=3`, as tally.ts writes them. */
function rowsIn(text: string | undefined): WrongAnswers[] {
  return listed(text).flatMap((part) => {
    const [operation = '', kind = '', count] = part.split('=');
    const many = Number(count);
    return operation !== '' && Number.isFinite(many)
      ? [{ operation, answer: answerOf(kind.replaceAll('_', ' ')), count: many }]
      : [];
  });
}

/** Answers with server errors alone for so long, and the target is left alone. */
const brokenForMs = 1_200;
const fewest = 2;

/** Watches for a target that answers with nothing but server errors. */
export function createBrokenWatch() {
  let lastNotBroken: number | undefined;
  let broken = 0;
  return {
    /** @returns true once it is to be left alone */
    sees(tally: Tally, now: number): boolean {
      // It cannot have been fine before it was asked.
      lastNotBroken ??= now;
      if (tally.lastNotBroken > lastNotBroken) {
        lastNotBroken = tally.lastNotBroken;
        broken = 0;
      }
      broken += tally.broken;
      return broken >= fewest && now - lastNotBroken >= brokenForMs;
    },
  };
}

/** From then on nothing but silence, or nothing but requests to wait, came back. */
export interface Away {
  readonly how: 'silent' | 'waiting';
  /** Since the first line of the script, in s. */
  readonly since: number;
  /** The load stopped for it, ten seconds later. */
  readonly stopped?: true;
}

/** Nothing else for so long, and the target is left alone. */
const awayForMs = 10_000;

/** Watches for a target that no longer answers, or asks everybody to wait (429). */
export function createAwayWatch() {
  const silences: ReadonlySet<string> = new Set(transportKinds);
  let begun: number | undefined;
  let away: { readonly how: Away['how']; readonly at: number } | undefined;
  const many = (rows: readonly WrongAnswers[], is: (answer: string) => boolean) =>
    rows.reduce((sum, { answer, count }) => sum + (is(answer) ? count : 0), 0);
  return {
    /** @returns true once it is to be left alone */
    sees(message: ScriptMessage, now: number): boolean {
      begun ??= now;
      if (!message || !('tally' in message) || message.tally.answered === 0) return false;
      const { answered, rows } = message.tally;
      const silent = many(rows, (answer) => silences.has(answer));
      const isAway = silent + many(rows, (answer) => answer === '429') >= answered;
      const how = silent > 0 ? 'silent' : 'waiting';
      if (!isAway) away = undefined;
      else away ??= { how, at: now };
      return away !== undefined && now - away.at >= awayForMs;
    },
    /** Undefined where the last answers were others. */
    ended: (): Away | undefined =>
      away && { how: away.how, since: Math.round((away.at - (begun ?? away.at)) / 100) / 10 },
  };
}

/** The time line of a run: one entry a second. */
export interface Second {
  /** Since the first, in s. */
  readonly at: number;
  /** Journeys per second that were due. */
  readonly offered: number;
  /** Journeys per second that ended. */
  readonly achieved: number;
  /** Of the requests answered in it, in ms; tallies come with up to half a second's delay. */
  readonly p50: number;
  readonly p95: number;
  readonly requests: number;
  readonly errors: number;
  /** They by operation, where there are any. */
  readonly wrong?: readonly WrongAnswers[];
  readonly vus: number;
  /** How late the canary was, in ms. */
  readonly lagMs: number;
}

/** Of one second. */
const mostRows = 5;

const quantile = (sorted: readonly number[], q: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0;

/** @param onSecond called once a second: the script's canary gives the beat */
export function createSeconds(stages: readonly Stage[], onSecond: (second: Second) => void) {
  let at = 0;
  let iterations = 0;
  let errors = 0;
  let rows: WrongAnswers[] = [];
  let requests = 0;
  let latencies: number[] = [];
  return (message: ScriptMessage): void => {
    if (!message) return;
    if ('tally' in message) {
      errors += message.tally.wrong;
      rows = wrongAnswers([...rows, ...message.tally.rows]);
      requests += message.tally.answered;
      latencies.push(...message.tally.latencies);
      return;
    }
    if (!('beat' in message)) return;
    const { beat } = message;
    at += 1;
    const sorted = latencies.sort((a, b) => a - b);
    onSecond({
      at,
      offered: rateAt(stages, (at - 0.5) * 1_000),
      achieved: beat.iterations - iterations,
      p50: quantile(sorted, 0.5),
      p95: quantile(sorted, 0.95),
      requests,
      errors,
      ...(rows.length > 0 && { wrong: rows.slice(0, mostRows) }),
      vus: beat.vus,
      lagMs: beat.lateMs,
    });
    iterations = beat.iterations;
    errors = 0;
    rows = [];
    requests = 0;
    latencies = [];
  };
}

// Wrong and missing answers, by operation and kind.

export interface WrongAnswers {
  /** Its id. */
  readonly operation: string;
  /** The status in digits (`404`, `5xx`), or in words what was wrong: `timeout`, `wrong body`. */
  readonly answer: string;
  readonly count: number;
}

/** More rows than these are counted in a last one. */
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

const sum = (rows: readonly WrongAnswers[]) => rows.reduce((all, { count }) => all + count, 0);
