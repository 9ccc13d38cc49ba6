// How Poisson arrivals are: the index of dispersion of counts.

export interface Dispersion {
  readonly windowMs: number;
  /** Variance over mean of the count in a window: 1 for Poisson, 0 for evenly spaced. */
  readonly index: number;
  /** Standard error of `index` if the arrivals are Poisson. */
  readonly error: number;
}

/** @param times of arrivals in ms, in order; windows that are not whole are left out */
export function dispersion(times: readonly number[], windowMs: number): Dispersion {
  const [first = 0] = times;
  const last = times.at(-1) ?? first;
  const windows = Math.floor((last - first) / windowMs);
  const counts = new Float64Array(Math.max(1, windows));
  for (const time of times) {
    const window = Math.floor((time - first) / windowMs);
    if (window < windows) counts[window] = (counts[window] ?? 0) + 1;
  }
  const mean = counts.reduce((sum, each) => sum + each, 0) / counts.length;
  const variance = counts.reduce((sum, each) => sum + (each - mean) ** 2, 0) / Math.max(1, counts.length - 1);
  return { windowMs, index: variance / mean, error: Math.sqrt(2 / counts.length) };
}
