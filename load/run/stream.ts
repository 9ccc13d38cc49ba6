// What the script tells while it runs, as data. Pure but for the clock that is handed in.
import { answerOf, type WrongAnswers } from './wrong-answers.ts';

/** Answers that one VU had since it last told. */
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
export interface Left {
  readonly place: number;
  readonly isOut: boolean;
}

export type Told = { readonly tally: Tally } | { readonly beat: Beat } | { readonly left: Left } | undefined;

/** A line of the script, without its `assay `; undefined where it is none. */
export function readLine(line: string): Told {
  const [kind = '', ...fields] = line.split(' ');
  const wanted = { tally: 4, canary: 3, left: 1, out: 1 }[kind];
  const numbers = fields.slice(0, wanted).map(Number);
  if (numbers.length !== wanted || numbers.some((value) => !Number.isFinite(value))) return undefined;
  const [a = 0, b = 0, c = 0, d = 0] = numbers;
  if (kind === 'canary') return { beat: { lateMs: a, iterations: b, vus: c } };
  if (kind !== 'tally') return { left: { place: a, isOut: kind === 'out' } };
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
