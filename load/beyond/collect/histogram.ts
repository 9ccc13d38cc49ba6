// Native histograms, as Prometheus tells them: exponential buckets, merged by adding. Pure.

export interface Bucket {
  readonly low: number;
  readonly high: number;
  readonly count: number;
}

export interface Histogram {
  readonly count: number;
  readonly sum: number;
  /** Ascending; none of them negative. */
  readonly buckets: readonly Bucket[];
}

export const nothing: Histogram = { count: 0, sum: 0, buckets: [] };

/** Bounds come from one table of powers, so that equal buckets have equal ones. */
export function merged(histograms: readonly Histogram[]): Histogram {
  const byLow = new Map<number, Bucket>();
  for (const bucket of histograms.flatMap(({ buckets }) => buckets)) {
    const { count = 0 } = byLow.get(bucket.low) ?? {};
    byLow.set(bucket.low, { ...bucket, count: count + bucket.count });
  }
  const sum = (of: (histogram: Histogram) => number) => histograms.reduce((all, each) => all + of(each), 0);
  return {
    count: sum(({ count }) => count),
    sum: sum((histogram) => histogram.sum),
    buckets: [...byLow.values()].sort((a, b) => a.low - b.low),
  };
}

/**
 * Within a bucket samples are taken to lie evenly on a logarithmic scale, as latencies nearly do.
 * @param q from 0 to 1
 */
export function histogramQuantile({ buckets }: Histogram, q: number): number {
  const count = buckets.reduce((sum, bucket) => sum + bucket.count, 0);
  let rest = q * count;
  for (const [nth, { low, high, count: here }] of buckets.entries()) {
    if (rest > here && nth < buckets.length - 1) {
      rest -= here;
      continue;
    }
    const share = here === 0 ? 1 : Math.min(1, rest / here);
    return low > 0 ? low * (high / low) ** share : high * share;
  }
  return 0;
}

/** What came to a histogram between two looks at it; buckets that Prometheus made wider in between count as they are now. */
export function since(before: Histogram, now: Histogram): Histogram {
  const earlier = new Map(before.buckets.map(({ low, count }) => [low, count]));
  return {
    count: Math.max(0, now.count - before.count),
    sum: now.sum - before.sum,
    buckets: now.buckets.flatMap(({ low, high, count }) => {
      const came = count - (earlier.get(low) ?? 0);
      return came > 0 ? [{ low, high, count: came }] : [];
    }),
  };
}
