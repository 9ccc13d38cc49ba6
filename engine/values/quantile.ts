// Quantiles of measured values. Each is one of them, and NaN where there is none.

/** The lowest value that so large a share of the others lies below. @param share at least 0, below 1 */
export const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;

/** Of two in the middle, the greater. */
export const median = (values: readonly number[]): number => quantile(values, 0.5);
