// What the script tells while it runs, as data. Pure but for the clock that is handed in.

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
}

export interface Beat {
  readonly lateMs: number;
  readonly iterations: number;
  readonly vus: number;
}

export type Told = { readonly tally: Tally } | { readonly beat: Beat } | undefined;

/** A line of the script, without its `assay `; undefined where it is none. */
export function readLine(line: string): Told {
  const [kind, ...fields] = line.split(' ');
  const numbers = fields.slice(0, kind === 'tally' ? 4 : 3).map(Number);
  if (numbers.length < (kind === 'tally' ? 4 : 3) || numbers.some((value) => !Number.isFinite(value)))
    return undefined;
  const [a = 0, b = 0, c = 0, d = 0] = numbers;
  if (kind === 'canary') return { beat: { lateMs: a, iterations: b, vus: c } };
  if (kind !== 'tally') return undefined;
  const latencies = (fields[4] ?? '')
    .split(',')
    .filter((text) => text !== '')
    .map(Number);
  return { tally: { wrong: a, broken: b, lastNotBroken: c, answered: d, latencies } };
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
