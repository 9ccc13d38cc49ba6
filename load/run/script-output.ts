// Reads the lines that the k6 script prints while it runs, and makes the time line of the run from them. Pure.
import { parsedJson } from '../../engine/values/json-walk.ts';
import { numberAt } from '../../engine/values/members.ts';
import { rateAt, type Stage } from '../arrivals/schedule.ts';
import type { Effects } from '../k6/effects.ts';
import type { GroupInside, Inside } from '../k6/plan.ts';
import type { Part } from '../k6/tally.ts';
import { createFigures, type WrongAnswers } from './figures.ts';

/** Players who stay in what they entered, by the place of their group. */
export interface Staying extends Inside {
  readonly place: number;
}

export type ScriptMessage =
  | { readonly part: Part }
  /** A group that may still be in something. */
  | { readonly left: GroupInside }
  /** The place of a group that has left everything. */
  | { readonly out: number }
  /** Calls with a lasting effect, printed once all is over. */
  | { readonly effects: readonly Effects[] }
  /** A journey ended by an exception of the script. */
  | { readonly threw: string };

/** Reads a line of the script, without its `assay `; undefined where it is no message. */
export function readLine(line: string): ScriptMessage | undefined {
  const [, kind, place = '', rest = ''] = /^(\w+) (\d*) ?(.*)$/.exec(line) ?? [];
  if (kind === 'threw') return { threw: line.slice('threw '.length, 506) };
  if (kind === 'out' && place !== '' && rest === '') return { out: Number(place) };
  const value = parsedJson(rest);
  if (kind === 'part' && Number.isInteger(numberAt(value, 'second')) && numberAt(value, 'at') !== undefined)
    return { part: value as Part };
  if (!Array.isArray(value)) return undefined;
  if (kind === 'effects') return { effects: value };
  return kind === 'left' && place !== '' ? { left: { place: Number(place), states: value } } : undefined;
}

/** The time line of a run: one entry a second. */
export interface Second {
  /** The end of this second, in s since the load began. */
  readonly at: number;
  /** Journeys per second that were due. */
  readonly offered: number;
  /** Journeys per second that ended. */
  readonly achieved: number;
  /** Times of the requests that were answered in it, in ms. */
  readonly p50: number;
  readonly p95: number;
  readonly requests: number;
  readonly errors: number;
  /** The wrong answers by operation, where there are any. */
  readonly wrong?: readonly WrongAnswers[];
  /** Journeys under way at its end. */
  readonly inFlight: number;
  /** How late a journey began at most, in ms. */
  readonly lagMs: number;
}

/** Most wrong answers that one second lists. */
const mostRows = 5;

/**
 * @param onSecond called once a second
 * @returns a function that takes what each process printed for a second
 */
export function createSeconds(stages: readonly Stage[], onSecond: (second: Second) => void) {
  return (parts: readonly Part[]): void => {
    const at = Math.max(...parts.map(({ second }) => second));
    const offered = rateAt(stages, (at - 0.5) * 1_000);
    // The last line holds nothing where all journeys had ended before.
    if (offered === 0 && parts.every(({ warmup, measured }) => !warmup && !measured)) return;
    const all = createFigures();
    for (const [nth, part] of parts.entries()) all.add(nth, { ...part, firsts: [] });
    const { journeys, sent, latency, lagMs, errors } = all.figures([], true);
    const { wrong, transport, byOperation } = errors;
    onSecond({
      at,
      offered,
      achieved: journeys,
      p50: latency.p50,
      p95: latency.p95,
      requests: sent,
      errors: wrong + transport,
      ...(byOperation.length > 0 && { wrong: byOperation.slice(0, mostRows) }),
      inFlight: all.account().inFlight,
      lagMs: lagMs.max,
    });
  };
}

/** Puts together what several processes printed of the same second, when all have printed it. */
export function createMerger(processes: number, onParts: (parts: readonly Part[]) => void) {
  const waiting: Part[][] = Array.from({ length: processes }, () => []);
  const gone = new Set<number>();
  const merge = () => {
    while (
      waiting.some((parts) => parts.length > 0) &&
      waiting.every((parts, nth) => gone.has(nth) || parts.length > 0)
    )
      onParts(waiting.flatMap((parts) => parts.shift() ?? []));
  };
  return {
    add(nth: number, part: Part): void {
      waiting[nth]?.push(part);
      merge();
    },
    /** Marks a process as ended, so that the others do not wait for it. */
    ended(nth: number): void {
      gone.add(nth);
      merge();
    },
  };
}
