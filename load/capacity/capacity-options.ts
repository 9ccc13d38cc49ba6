// The options of `capacity`, as typed by a user and as checked values.
import { ConfigurationError, orMistakes } from '../../engine/values/configuration-error.ts';
import type { Arrivals } from '../arrivals/schedule.ts';
import { arrivalsIn, type RawSubject } from '../options.ts';
import { parseSlo, type Slo } from '../slo.ts';

export interface RawCapacityOptions extends RawSubject {
  readonly slo?: string;
  readonly start: number;
  readonly maxRate: number;
  /** ms */
  readonly budget?: number;
  readonly atLeast?: number;
  readonly arrivals: string;
}

export interface CheckedCapacityOptions {
  readonly slo: Slo;
  readonly start: number;
  readonly maxRate: number;
  readonly budgetMs: number;
  readonly atLeast: number | undefined;
  readonly arrivals: Arrivals;
}

/** ms. A quantile further out needs more requests for the same certainty. */
const usualBudget = { p95: 420_000, beyond: 600_000 };

/** @throws ConfigurationError with one line per mistake */
export function checkedCapacityOptions(raw: RawCapacityOptions): CheckedCapacityOptions {
  const mistakes: string[] = [];
  const slo = sloOf(raw.slo, mistakes);
  const isFarOut = slo?.bounds.some(({ quantile }) => quantile > 0.95) ?? false;
  const { start, maxRate, atLeast, budget: budgetMs = isFarOut ? usualBudget.beyond : usualBudget.p95 } = raw;
  if (start > maxRate) mistakes.push(`--start: ${start} is above --max-rate ${maxRate}; give a lower one`);
  const arrivals = arrivalsIn(raw, mistakes);
  if (mistakes.length > 0 || slo === undefined) throw new ConfigurationError(mistakes);
  return { slo, start, maxRate, budgetMs, atLeast, arrivals };
}

function sloOf(text: string | undefined, mistakes: string[]): Slo | undefined {
  if (text === undefined) {
    mistakes.push('capacity: no --slo; say what the target has to keep, such as --slo p95=80ms');
    return undefined;
  }
  const slo = orMistakes(mistakes, () => parseSlo(text), undefined);
  if (slo?.bounds.length === 0) {
    mistakes.push('--slo: no bound on latency, which a capacity needs; add one such as p95=80ms');
    return undefined;
  }
  return slo;
}
