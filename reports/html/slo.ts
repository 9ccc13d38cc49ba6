// The bound on latency in an SLO as people write it.

export interface LatencyBound {
  /** Name of the quantile in a step's figures. */
  readonly quantile: string;
  /** Undefined where the SLO has no bound on latency. */
  readonly ms: number | undefined;
}

/** The strictest bound on latency of `p95=80ms,errors=0.1%`; p95 without one where there is none. */
export function boundIn(slo: string): LatencyBound {
  const bounds = [...slo.matchAll(/\b(p50|p95|p99|p999)=([\d.]+)(ms|s)\b/g)];
  const [, quantile = 'p95', value, unit] = bounds.at(-1) ?? [];
  return { quantile, ms: value === undefined ? undefined : Number(value) * (unit === 's' ? 1000 : 1) };
}
