// A server as a formula: what it would answer, and when, to a request that arrives at a given time. The same model
// stands behind a real server here and behind the simulated target that the search is shown on.

/** What becomes of one request. */
export interface Served {
  /** From arrival to answer. */
  readonly ms: number;
  readonly status: number;
}

export interface Model {
  /** @param atMs when the request arrives; never before the one before */
  serve(atMs: number): Served;
}

/** What a measurement of the model ought to find. */
export interface Truth {
  readonly kind: TruthKind;
  readonly seed: number;
  /** The latency bound that this truth is told for. */
  readonly slo: { readonly quantile: number; readonly ms: number };
  /** Poisson arrivals per second at which the bound is met exactly; absent where there is no such rate. */
  readonly capacity?: number;
  /** Share of requests that may be answered wrongly, 0 to 1. */
  readonly errors: number;
  /** The verdicts of a search that are right. */
  readonly verdicts: readonly string[];
  /** The drawn parameters, in words. */
  readonly drawn: string;
}

export const truthKinds = [
  'mmc',
  'limiter',
  'collapsing',
  'leaking',
  'stalling',
  'errors-first',
  'slow-start',
  'backlog',
  'null',
] as const;

export type TruthKind = (typeof truthKinds)[number];

/** A model with its truth; all that is drawn comes from the seed. */
export interface Drawn {
  readonly truth: Truth;
  readonly model: Model;
}

/** Numbers in [0, 1). */
export type Random = () => number;
