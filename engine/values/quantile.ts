// Quantiles of measured values. A quantile is one of the values, or NaN where there are none.

/** The lowest value with at least this share of the other values below it. @param share at least 0, below 1 */
export const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;

/** The middle value; of two in the middle, the greater. */
export const median = (values: readonly number[]): number => quantile(values, 0.5);
