// How long a run's operations took, in two figures: enough to see a drift over nights, and no load test.

/** Milliseconds: of the operations' medians the one in the middle, and the one that 5 % exceed. */
export interface Latency {
  readonly typical: number;
  readonly slow: number;
}

/**
 * @param latency of a result, as a file tells it: operation id → [min, q1, median, q3, max, count]
 * @returns undefined where a result has none, or none that can be read
 */
export function latencyOf(latency: unknown): Latency | undefined {
  if (typeof latency !== 'object' || latency === null) return undefined;
  const medians = Object.values(latency)
    .map((figures: unknown) => (Array.isArray(figures) ? figures[2] : undefined))
    .filter((median): median is number => Number.isFinite(median) && median >= 0)
    .sort((a, b) => a - b);
  if (medians.length === 0) return undefined;
  const at = (share: number) => medians[Math.floor(share * (medians.length - 1))] ?? 0;
  return { typical: at(0.5), slow: at(0.95) };
}
