// Counts times in buckets of equal width on a logarithmic scale, so that memory stays flat and processes can be merged.
// Pure: the script counts with it, and Node reads quantiles from what was counted.

/** Buckets per doubling of the time: each is 1.1 % wide, so that a quantile is off by half of that. */
const perDoubling = 64;
/** Upper end of the first bucket, in ms, which holds all shorter times. */
const shortestMs = 0.001;

const bucketOf = (ms: number): number =>
  ms <= shortestMs ? 0 : Math.ceil(Math.log2(ms / shortestMs) * perDoubling);

/** Upper end of a bucket, in ms. */
const endOf = (bucket: number): number => shortestMs * 2 ** (bucket / perDoubling);

/** Times as the script passes them on. */
export interface Counted {
  readonly sum: number;
  readonly max: number;
  /** Buckets that are not empty: the number of each, and how many times it holds, in turn. */
  readonly at: readonly number[];
}

/** Counts times until they are taken. */
export function createTimes() {
  const counts: number[] = [];
  let filled: number[] = [];
  let sum = 0;
  let max = 0;
  return {
    add(ms: number): void {
      const bucket = bucketOf(ms);
      const count = counts[bucket];
      if (count === undefined || count === 0) {
        filled.push(bucket);
        counts[bucket] = 1;
      } else counts[bucket] = count + 1;
      sum += ms;
      if (ms > max) max = ms;
    },
    /** What came since the last call; undefined where nothing did. */
    take(): Counted | undefined {
      if (filled.length === 0) return undefined;
      const at: number[] = [];
      for (const bucket of filled) {
        at.push(bucket, counts[bucket] as number);
        counts[bucket] = 0;
      }
      const taken = { sum, max, at };
      filled = [];
      sum = 0;
      max = 0;
      return taken;
    },
  };
}

/** Times that were counted, of one process or of several, in ms. */
export type Histogram = ReturnType<typeof createHistogram>;

/** Adds up what was counted: takes no more memory for a longer run. */
export function createHistogram() {
  const counts = new Map<number, number>();
  let [count, sum, longest] = [0, 0, 0];
  return {
    add(part: Counted | undefined): void {
      if (part === undefined) return;
      for (let nth = 0; nth + 1 < part.at.length; nth += 2) {
        const bucket = part.at[nth] as number;
        const many = part.at[nth + 1] as number;
        counts.set(bucket, (counts.get(bucket) ?? 0) + many);
        count += many;
      }
      sum += part.sum;
      longest = Math.max(longest, part.max);
    },
    count: (): number => count,
    mean: (): number => (count > 0 ? sum / count : 0),
    /**
     * Within a bucket samples are taken to lie evenly on a logarithmic scale, as latencies nearly do.
     * @param q from 0 to 1
     */
    quantile(q: number): number {
      const buckets = [...counts].sort(([a], [b]) => a - b);
      // Of the longest time of pods, only the bucket is known.
      const most = longest > 0 ? longest : Number.POSITIVE_INFINITY;
      let rest = q * count;
      for (const [nth, [bucket, here]] of buckets.entries()) {
        if (rest > here && nth < buckets.length - 1) {
          rest -= here;
          continue;
        }
        const share = here === 0 ? 1 : Math.min(1, rest / here);
        const high = endOf(bucket);
        const low = endOf(bucket - 1);
        return Math.min(most, bucket > 0 ? low * (high / low) ** share : high * share);
      }
      return 0;
    },
  };
}

export function histogramOf(parts: Iterable<Counted | undefined>): Histogram {
  const all = createHistogram();
  for (const part of parts) all.add(part);
  return all;
}
