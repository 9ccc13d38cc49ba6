// Are arrivals those that were drawn?

/**
 * By how many ms three quarters of the arrivals differ at most from their time, wherever the first one stands: what a
 * busy machine does to a few of them is no matter, what was sent otherwise than drawn shows in most.
 * @param times of arrivals in ms, in order; one that is missing differs without end
 * @param planned when each was due, in ms, in order
 */
export function differenceFromPlan(times: readonly number[], planned: readonly number[]): number {
  const behind = planned.map((time, nth) => (times[nth] ?? Number.POSITIVE_INFINITY) - time);
  const start = quantile(behind, 0.5);
  return quantile(
    behind.map((each) => Math.abs(each - start)),
    0.75,
  );
}

const quantile = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
