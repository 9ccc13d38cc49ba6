// Quantiles of samples that lie apart: each part tells its own quantiles at many ranks, and how many samples it has. Pure.

/** One part's samples, as their quantiles. */
export interface Part {
  /** Samples. */
  readonly count: number;
  /** Ascending, each with its rank from 0 to 1; the first is the minimum, the last the maximum. */
  readonly points: readonly { readonly rank: number; readonly value: number }[];
}

/**
 * The quantile of all samples together, as k6 defines it: between the two nearest samples in a straight line.
 * Exact where the points hold every sample; else as exact as the straight line between two points is.
 * @param q from 0 to 1
 */
export function quantileOf(parts: readonly Part[], q: number): number {
  const filled = parts.filter(({ count }) => count > 0);
  const count = filled.reduce((sum, part) => sum + part.count, 0);
  if (count === 0) return 0;
  const at = q * (count - 1);
  const low = Math.floor(at + 1e-9);
  const share = Math.max(0, at - low);
  const lower = nth(filled, low);
  return share < 1e-9 ? lower : lower + share * (nth(filled, low + 1) - lower);
}

/** The sample with so many before it: found by halving, as each part can say how many of its samples a value reaches. */
function nth(parts: readonly Part[], before: number): number {
  let low = Math.min(...parts.map(({ points }) => points[0]?.value ?? 0));
  let high = Math.max(...parts.map(({ points }) => points.at(-1)?.value ?? 0));
  if (reached(parts, low) > before) return low;
  for (let step = 0; step < 100 && high - low > Math.abs(high) * 1e-12; step += 1) {
    const middle = (low + high) / 2;
    if (reached(parts, middle) > before) high = middle;
    else low = middle;
  }
  return high;
}

const reached = (parts: readonly Part[], value: number): number =>
  parts.reduce((sum, part) => sum + samplesUpTo(part, value), 0);

function samplesUpTo({ count, points }: Part, value: number): number {
  if (value < (points[0]?.value ?? Number.POSITIVE_INFINITY)) return 0;
  let [from, to] = [0, points.length];
  while (to - from > 1) {
    const middle = (from + to) >> 1;
    if ((points[middle]?.value ?? 0) <= value) from = middle;
    else to = middle;
  }
  const here = points[from];
  const next = points[from + 1];
  if (!here || !next) return count;
  const rank =
    here.rank +
    ((next.rank - here.rank) * (value - here.value)) / Math.max(Number.MIN_VALUE, next.value - here.value);
  return Math.floor(rank * (count - 1) + 1e-9) + 1;
}
