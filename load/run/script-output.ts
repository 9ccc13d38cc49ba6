// Reads the lines that the k6 script prints while it runs, and makes the time line of the run of them. Pure.
import { parsedJson } from '../../engine/values/json-walk.ts';
import { numberAt } from '../../engine/values/members.ts';
import { rateAt, type Stage } from '../arrivals/schedule.ts';
import type { Effects } from '../k6/effects.ts';
import { histogramOf } from '../k6/histogram.ts';
import type { GroupInside, Inside } from '../k6/plan.ts';
import type { Answers, Cohort, Part } from '../k6/tally.ts';
import { answerOf, sum, type WrongAnswers, wrongAnswers } from './figures.ts';

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
  /** What players did that lasts, once all is over. */
  | { readonly effects: readonly Effects[] }
  /** A journey ended by an exception of the script. */
  | { readonly threw: string }
  | undefined;

/** Reads a line of the script, without its `assay `; undefined where it is no message. */
export function readLine(line: string): ScriptMessage {
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

const cohortsIn = ({ warmup, measured }: Part): Cohort[] =>
  [warmup, measured].filter((cohort) => cohort !== undefined);

/** Answers to all operations in a line. */
const answersIn = (part: Part): [id: string, answers: Answers][] =>
  cohortsIn(part).flatMap(({ operations }) => Object.entries(operations));

/** The wrong answers in a line. */
const wrongIn = (part: Part): WrongAnswers[] =>
  answersIn(part).flatMap(([operation, { wrong = {} }]) =>
    Object.entries(wrong).map(([kind, count]) => ({ operation, answer: answerOf(kind), count })),
  );

/** The time line of a run: one entry a second. */
export interface Second {
  /** Since the first, in s. */
  readonly at: number;
  /** Journeys per second that were due. */
  readonly offered: number;
  /** Journeys per second that ended. */
  readonly achieved: number;
  /** Of the requests answered in it, in ms. */
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
 * @returns takes what each process printed of a second
 */
export function createSeconds(stages: readonly Stage[], onSecond: (second: Second) => void) {
  return (parts: readonly Part[]): void => {
    const at = Math.max(...parts.map(({ second }) => second));
    const answers = parts.flatMap(answersIn).map(([, each]) => each);
    const times = histogramOf(answers.map((each) => each.times));
    const rows = wrongAnswers(parts.flatMap(wrongIn));
    const cohorts = parts.flatMap(cohortsIn);
    const offered = rateAt(stages, (at - 0.5) * 1_000);
    // The last line, when all had ended before.
    if (offered === 0 && cohorts.length === 0) return;
    onSecond({
      at,
      offered,
      achieved: cohorts.reduce((all, { done }) => all + done, 0),
      p50: times.quantile(0.5),
      p95: times.quantile(0.95),
      requests: answers.reduce((all, { count }) => all + count, 0),
      errors: sum(rows),
      ...(rows.length > 0 && { wrong: rows.slice(0, mostRows) }),
      inFlight: parts.reduce((all, { inFlight }) => all + inFlight, 0),
      lagMs: Math.max(0, ...cohorts.map(({ late }) => late?.max ?? 0)),
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
