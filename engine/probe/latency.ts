// Summarises how long the target took for each operation in this run: no load test, but it shows slow operations.

import { isUnanswered } from '../compare/no-answer.ts';
import type { Exchange } from '../http/exchange.ts';
import { byName } from '../values/members.ts';
import { is2xx } from '../values/status.ts';

/** Durations of one operation's calls that were answered 2xx, in ms, and the number of those calls. */
export type LatencyFigures = readonly [
  min: number,
  q1: number,
  median: number,
  q3: number,
  max: number,
  count: number,
];

export function createLatencies() {
  const durations = new Map<string, number[]>();
  const unanswered = new Map<string, number>();
  return {
    /** Counts an exchange that was answered 2xx or not at all; a refusal is left out, since it may be quicker. */
    note(operation: string, exchange: Exchange) {
      const { response, durationMs } = exchange;
      if (isUnanswered(exchange))
        unanswered.set(operation, Math.max(durationMs, unanswered.get(operation) ?? 0));
      if (response === undefined || !is2xx(response.status)) return;
      const known = durations.get(operation);
      if (known) known.push(durationMs);
      else durations.set(operation, [durationMs]);
    },
    /** The longest wait for an answer of this operation that never began, in ms; 0 where there was none. */
    longestUnanswered: (operation: string) => unanswered.get(operation) ?? 0,
    /** Operation id → figures; sorted by id. */
    figures: (): Readonly<Record<string, LatencyFigures>> =>
      Object.fromEntries(
        [...durations]
          .sort(byName)
          .map(([operation, taken]) => [operation, figuresOf(taken.sort((a, b) => a - b))]),
      ),
  };
}

/** @param taken ascending, at least one */
function figuresOf(taken: readonly number[]): LatencyFigures {
  const at = (share: number) => {
    const place = share * (taken.length - 1);
    const below = taken[Math.floor(place)] ?? 0;
    const above = taken[Math.ceil(place)] ?? below;
    return Math.round((below + (above - below) * (place % 1)) * 100) / 100;
  };
  return [at(0), at(0.25), at(0.5), at(0.75), at(1), taken.length];
}
