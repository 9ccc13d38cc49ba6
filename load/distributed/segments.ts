// Merges the results of several k6 processes into one: beats, counters and quantiles.
import { gridPercents, statOf } from '../k6/options.ts';
import type { Beat, ScriptMessage } from '../run/beats.ts';
import type { Metrics, Values } from '../run/summary.ts';

/**
 * Merges the beats of several segments into one per second, reported when all segments have beaten.
 * @param onMessage gets what one k6 process would have sent
 */
export function createBeats(segments: number, onMessage: (message: ScriptMessage) => void) {
  const beatsBySegment: Beat[][] = Array.from({ length: segments }, () => []);
  const last: (Beat | undefined)[] = [];
  const gone = new Set<number>();
  const drum = () => {
    while (gone.size < segments && beatsBySegment.every((beats, nth) => gone.has(nth) || beats.length > 0)) {
      for (const [nth, beats] of beatsBySegment.entries()) last[nth] = beats.shift() ?? last[nth];
      const beats = last.filter((beat) => beat !== undefined);
      const sum = (of: (beat: Beat) => number) => beats.reduce((all, beat) => all + of(beat), 0);
      onMessage({
        beat: {
          lateMs: Math.max(...beats.map(({ lateMs }) => lateMs)),
          iterations: sum(({ iterations }) => iterations),
          vus: sum(({ vus }) => vus),
        },
      });
    }
  };
  return {
    hears(nth: number, message: ScriptMessage): void {
      if (!message || !('beat' in message)) {
        onMessage(message);
        return;
      }
      beatsBySegment[nth]?.push(message.beat);
      drum();
    },
    /** Marks a segment as ended, so that the others do not wait for it. */
    ended(nth: number): void {
      gone.add(nth);
      drum();
    },
  };
}

// Quantiles over several parts: each part gives its own quantiles at many ranks, and its number of samples. Pure.

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

// Summaries: counters are added, distributions merged. Pure.
const rankByStat = { med: 0.5, 'p(95)': 0.95, 'p(99)': 0.99, 'p(99.9)': 0.999 } as const;

/** @param summaries of segments, made with a trend's quantiles at every rank of the grid */
export function mergeMetrics(summaries: readonly Metrics[]): Metrics {
  const names = new Set(summaries.flatMap((metrics) => Object.keys(metrics)));
  const merged = [...names].map((name): [string, { values: Values }] => {
    const parts = summaries.map((metrics): Values => metrics[name]?.values ?? {});
    const isTrend = parts.some((values) => values['p(95)'] !== undefined);
    return [name, { values: isTrend ? mergedTrend(parts) : added(parts) }];
  });
  return Object.fromEntries(merged);
}

/** Of counters only `count` means anything when added. */
const added = (parts: readonly Values[]): Values => ({ count: sum(parts.map(({ count }) => count)) });

function mergedTrend(parts: readonly Values[]): Values {
  const distributions = parts.map(distributionOf);
  const count = sum(parts.map((values) => values.count));
  const total = sum(parts.map((values) => (values.avg ?? 0) * (values.count ?? 0)));
  const quantiles = Object.entries(rankByStat).map(([stat, q]) => [stat, quantileOf(distributions, q)]);
  return {
    ...Object.fromEntries(quantiles),
    avg: count > 0 ? total / count : 0,
    max: Math.max(0, ...parts.map(({ max = 0 }) => max)),
    count,
  };
}

function distributionOf(values: Values): Part {
  const points = gridPercents.flatMap((percent) => {
    const value = values[statOf(percent)];
    return typeof value === 'number' && Number.isFinite(value) ? [{ rank: percent / 100, value }] : [];
  });
  return { count: values.count ?? 0, points };
}

const sum = (values: readonly (number | undefined)[]): number =>
  values.reduce<number>((all, value) => all + (value ?? 0), 0);
