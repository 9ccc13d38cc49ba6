// Begins journeys when they are due, whatever became of those before: one VU's event loop in the place of thousands of
// sleeping VUs. Due times are absolute, so an arrival that is late, or that finds no room, moves no other.

export interface OpenLoop {
  /** The next arrival each time it is called, ascending; undefined after the last. Times are in ms, as the clock's. */
  readonly next: () => Arrival | undefined;
  readonly clock: () => number;
  /** As `setTimeout`. */
  readonly later: (then: () => void, ms: number) => void;
  /** Must neither throw nor wait. */
  readonly begin: (arrival: Arrival, lateMs: number) => void;
  /** Called when all journeys have begun. */
  readonly end: () => void;
}

export interface Arrival {
  /** Its number among the arrivals of all processes, from 0. */
  readonly nth: number;
  readonly due: number;
}

/** Most journeys begun at once: then answers are read, so that a cold start does not open thousands of connections. */
const mostATurn = 16;

export function startOpenLoop({ next, clock, later, begin, end }: OpenLoop): void {
  let arrival = next();
  const pump = () => {
    for (let begun = 0; arrival !== undefined && begun < mostATurn; begun += 1) {
      const late = clock() - arrival.due;
      if (late < 0) break;
      begin(arrival, late);
      arrival = next();
    }
    if (arrival === undefined) end();
    else later(pump, Math.max(0, arrival.due - clock()));
  };
  pump();
}
