// At which ranks a segment tells its own quantiles, so that the segments can be merged: pure, and the same on both sides.
// k6 keeps every sample of a trend until the end, so these are exact, and cost nothing while the load runs.

/** Percents, ascending: by 0.1 up to the tail, ten times as close beyond p99, a hundred times beyond p99.9. */
export const gridPercents: readonly number[] = [
  ...between(0, 99_000, 100),
  ...between(99_000, 99_900, 10),
  ...between(99_900, 100_000, 1),
  100,
];

/** As k6 names it in a summary. */
export const statOf = (percent: number): string => `p(${percent})`;

/** Thousandths of a percent, the last one left out. */
function between(from: number, to: number, step: number): number[] {
  return Array.from({ length: (to - from) / step }, (_, nth) => (from + nth * step) / 1_000);
}
