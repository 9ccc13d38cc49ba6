// Judges one step of a search: how far it is from the bound, on which side, for what reason, and how surely.
// `next-step.ts` ends the search, and `outcome.ts` chooses its verdict, also where the generator was the limit.
import { brokenIn } from '../conserved/rule.ts';
import type { Bound, Slo } from '../slo.ts';
import type { Step } from '../step/plan.ts';

export type Limit = 'latency' | 'refusals' | 'errors' | 'effects';

export interface Judgement {
  readonly passed: boolean;
  /** ln(measured / bound) of the bound that is nearest to breaking or most broken; above 0 is a failure. */
  readonly excess: number;
  /** What broke, or came nearest to breaking. */
  readonly limit: Limit;
  /** Standard error of `excess` if all requests were independent of each other. */
  readonly counting: number;
  /**
   * Requests in a queue depend on each other, which adds to the variance of `excess` in proportion to how steeply
   * latency rises with the rate. This is the factor, found by simulation of queues; 0 for errors.
   */
  readonly memory: number;
  /** So far beyond the bound that the target may need a rest. */
  readonly gross: boolean;
  /** The generator was late or did not send what was due: a failure of latency proves nothing. */
  readonly suspect: boolean;
}

/** Twice the bound. */
const grossExcess = Math.log(2);
/** Share of errors above which a failure is `gross`. The bound itself is `--slo errors=` (load/slo.ts). */
const grossErrors = 0.05;
/**
 * Factors by which the number of errors is less certain than that of independent ones. Errors come in clusters: from a
 * rate limiter at the end of its window, or from a pool that is used up. No error at all takes the larger factor.
 */
const limitersClusters = 3;
const poolsClusters = 1.5;

/** What went wrong in some step of the search: every step is judged by these faults, also those without any. */
export interface Faults {
  readonly errors: boolean;
  readonly effects: boolean;
}

export const noFaults: Faults = { errors: false, effects: false };

export function judgeStep(step: Step, slo: Slo, faults: Faults): Judgement {
  const findings = [
    ...slo.bounds.map((bound) => latencyOf(step, bound)),
    ...(faults.errors ? [errorsOf(step, slo.errors)] : []),
    ...(faults.effects ? [effectsOf(step)] : []),
  ];
  const worst = findings.reduce((most, each) => (each.excess > most.excess ? each : most));
  return { ...worst, passed: worst.excess <= 0, suspect: isSuspect(step, slo) };
}

export const errorsIn = ({ errors }: Step) => errors.wrong + errors.transport;

type Finding = Pick<Judgement, 'excess' | 'limit' | 'counting' | 'memory' | 'gross'>;

/** A journey that was due and never began counts as requests beyond the bound. */
function latencyOf(step: Step, { quantile, ms }: Bound): Finding {
  const begun = step.journeys / Math.max(1, step.journeys + step.dropped);
  // Where the generator skipped journeys, the others show nothing about this rate.
  const isMeasured = step.sent > 0 && step.missing === 0;
  const measured = !isMeasured ? Number.POSITIVE_INFINITY : quantileOf(step.latency, quantile / begun);
  const excess = Math.log(Math.max(measured, 1e-3) / ms);
  const surprise = -Math.log(1 - quantile);
  const counting = Math.sqrt(quantile / (1 - quantile) / Math.max(1, step.sent)) / surprise;
  const memory = (0.85 * surprise * ms) / step.durationMs;
  return { excess, limit: 'latency', counting, memory, gross: excess > grossExcess };
}

/** Interpolates geometrically between the known quantiles; returns infinity beyond all that was measured. */
function quantileOf({ p50, p95, p99, p999, max }: Step['latency'], quantile: number): number {
  if (quantile > 1 + 1e-9) return Number.POSITIVE_INFINITY;
  const quantiles = [
    [0.5, p50],
    [0.95, p95],
    [0.99, p99],
    [0.999, p999],
    [1, max],
  ] as const;
  const above = quantiles.findIndex(([at]) => at >= quantile - 1e-9);
  const [high, most] = quantiles[above] ?? [1, max];
  const [low, least] = quantiles[above - 1] ?? [high, most];
  if (high - quantile < 1e-9 || high === low || least <= 0) return most;
  return least * (most / least) ** ((quantile - low) / (high - low));
}

/**
 * One stray error in a short step is no proof, so half an error is added on both sides. The logarithm is halved, as
 * errors rise with the rate several times faster than latency does.
 */
function errorsOf(step: Step, allowed: number): Finding {
  const { sent, errors } = step;
  const seen = errorsIn(step);
  const due = allowed * sent;
  const isClean = seen === 0 && allowed === 0;
  const excess = isClean ? Number.NEGATIVE_INFINITY : Math.log((seen + 0.5) / (due + 0.5)) / 2;
  const limit = refusals(errors.kinds) * 2 > seen ? 'refusals' : 'errors';
  const gross = seen > grossErrors * sent && seen > 0;
  const clusters = limit === 'refusals' || seen === 0 ? limitersClusters : poolsClusters;
  const counting = (0.5 * clusters) / Math.sqrt(Math.max(seen, due) + 1);
  return { excess, limit, counting, memory: 0, gross };
}

/** A server that says 429 has said where its limit is; any other wrong answer is a defect. */
function refusals(kinds: Step['errors']['kinds']): number {
  return Object.entries(kinds).reduce((sum, [kind, count]) => (/\b429\b/.test(kind) ? sum + count : sum), 0);
}

/** A clean step proves little if it is short: a buffer that is a little too small overflows late. */
const clean = { excess: -0.5, counting: 0.3, afterMs: 8_000 };
const broken = { excess: 0.6, counting: 0.22 };

/** One effect that is lost is one too many. */
function effectsOf({ conserved, durationMs }: Step): Finding {
  const isBroken = brokenIn(conserved) > 0;
  const { excess } = isBroken ? broken : clean;
  const counting = isBroken ? broken.counting : clean.counting * Math.sqrt(clean.afterMs / durationMs);
  return { excess, limit: 'effects', counting, memory: 0, gross: false };
}

function isSuspect({ lagMs, achieved, dropped, missing, durationMs, rate }: Step, { bounds }: Slo): boolean {
  const tightest = Math.min(...bounds.map(({ ms }) => ms));
  const begun = achieved + dropped / (durationMs / 1_000);
  return lagMs.p95 > Math.max(10, 0.2 * tightest) || missing > 0 || begun < 0.8 * rate;
}
