// What one VU tells while the run goes on: enough for a line per second, and to leave a broken target alone at once.
import { print } from './print.ts';

/** A VU tells at most this often, and a VU that meets a server error sooner. */
const everyMs = 500;
const alarmedEveryMs = 150;
/** So many server errors in a row, and this VU ends the run by itself. */
export const mostInARow = 25;

let toldAt = 0;
let wrong = 0;
let broken = 0;
let inARow = 0;
let lastNotBroken = 0;
let latencies: number[] = [];

/**
 * Notes an answer, and now and then tells Node.
 * @param status 0 where there was none
 * @returns server errors in a row
 */
export function tally(status: number, right: boolean, durationMs: number): number {
  const now = Date.now();
  latencies.push(durationMs);
  if (!right) wrong += 1;
  if (status >= 500 && status !== 501) {
    broken += 1;
    inARow += 1;
    if (now - toldAt >= alarmedEveryMs) tell(now);
    return inARow;
  }
  inARow = 0;
  lastNotBroken = now;
  if (now - toldAt >= everyMs) tell(now);
  return 0;
}

function tell(now: number): void {
  print(`assay tally ${wrong} ${broken} ${lastNotBroken} ${latencies.join(',')}`);
  toldAt = now;
  wrong = 0;
  broken = 0;
  latencies = [];
}
