// Counts the answers of one VU and reports them to Node as log lines while the run goes on.
import type { Kind } from './answers.ts';
import type { Response } from './http.ts';

/** k6's console, the only output of a script while it runs. */
declare const console: { log(line: string): void };

/** A line for Node, which reads what k6 logs. */
export const print = (line: string): void => console.log(line);

/** Shortest time between two reports of a VU; after a server error the shorter one applies. */

const everyMs = 500;
const alarmedEveryMs = 150;
/** Latencies per second over all VUs: enough for a quantile on a line. */
const mostLatencies = 500;

/**
 * The share of answers whose latency is reported, where `peak` are due per second. It is irrational, so that it never falls
 * in step with the calls of a journey.
 */
export const shareOfLatencies = (peak: number): number =>
  peak <= mostLatencies ? 1 : 1 / (peak / mostLatencies + (Math.sqrt(5) - 1) / 2);

/** After this many server errors in a row, the VU ends the run. */
export const mostInARow = 25;

let lastPrintAt = 0;
let answered = 0;
let due = 0;
let wrongs = 0;
let broken = 0;
let inARow = 0;
let lastNotBroken = 0;
let latencies: number[] = [];
/** Wrong answers by operation and kind, as a line holds them. */
let rows: Record<string, number> = {};
let rowCount = 0;
/** The rest of one line counts together. */
const mostRows = 12;

/**
 * Counts a VU's answers, and reports them to Node from time to time.
 * @param share of the answers whose latency is reported: reading one from k6 costs more than the rest of this code
 */
export function tallyOf(share: number) {
  const clock = Date.now;

  /** Notes a right answer, the most frequent case. */
  const right = (response: Response): void => {
    answered += 1;
    due += share;
    if (due >= 1) time(response);
    inARow = 0;
    lastNotBroken = clock();
    if (lastNotBroken - lastPrintAt >= everyMs) printTally(lastNotBroken);
  };

  /**
   * @param status 0 where there was no answer
   * @returns server errors in a row
   */
  const wrong = (id: string, kind: Kind, status: number, response: Response): number => {
    wrongs += 1;
    note(`${id}=${kind.replace(/ /g, '_')}`);
    if (status < 500 || status === 501) {
      right(response);
      return 0;
    }
    broken += 1;
    inARow += 1;
    answered += 1;
    due += share;
    if (due >= 1) time(response);
    const now = clock();
    if (now - lastPrintAt >= alarmedEveryMs) printTally(now);
    return inARow;
  };

  return { right, wrong };
}

function time({ timings }: Response): void {
  due -= 1;
  latencies.push(timings.duration);
}

function note(row: string): void {
  const count = rows[row];
  if (count === undefined) rowCount += 1;
  const key = count === undefined && rowCount > mostRows ? 'others=others' : row;
  rows[key] = (rows[key] ?? 0) + 1;
}

function printTally(now: number): void {
  const rowsText =
    rowCount === 0
      ? ''
      : ` ${Object.entries(rows)
          .map((row) => row.join('='))
          .join(',')}`;
  print(`assay tally ${wrongs} ${broken} ${lastNotBroken} ${answered} ${latencies.join(',')}${rowsText}`);
  lastPrintAt = now;
  answered = 0;
  wrongs = 0;
  broken = 0;
  latencies = [];
  rows = {};
  rowCount = 0;
}
