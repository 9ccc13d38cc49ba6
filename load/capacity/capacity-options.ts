// The options of `capacity`, as typed by a user and as checked values.
import { ConfigurationError } from '../../engine/values/configuration-error.ts';
import { quoted } from '../../engine/values/text.ts';
import type { RawSubject } from '../options.ts';
import { parseSlo, type Slo } from './slo.ts';

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
  readonly arrivals: 'poisson' | 'even';
}

/** ms. A quantile further out needs more requests for the same certainty. */
const usualBudget = { p95: 420_000, beyond: 600_000 };

/** @throws ConfigurationError with one line per mistake */
export function checkedCapacityOptions(raw: RawCapacityOptions): CheckedCapacityOptions {
  const mistakes: string[] = [];
  const slo = sloOf(raw.slo, mistakes);
  const isFarOut = slo?.bounds.some(({ quantile }) => quantile > 0.95) ?? false;
  const { budget: budgetMs = isFarOut ? usualBudget.beyond : usualBudget.p95 } = raw;
  const { start, maxRate, atLeast, arrivals } = raw;
  if (start > maxRate) mistakes.push(`--start: ${start} is above --max-rate ${maxRate}; give a lower one`);
  if (arrivals !== 'poisson' && arrivals !== 'even')
    mistakes.push(`--arrivals: ${quoted(arrivals)}; expected poisson or even`);
  if (mistakes.length > 0 || slo === undefined) throw new ConfigurationError(mistakes);
  return {
    slo,
    start,
    maxRate,
    budgetMs,
    atLeast,
    arrivals: arrivals === 'even' ? 'even' : 'poisson',
  };
}

function sloOf(text: string | undefined, mistakes: string[]): Slo | undefined {
  if (text === undefined) {
    mistakes.push('capacity: no --slo; say what the target has to keep, such as --slo p95=80ms');
    return undefined;
  }
  try {
    const slo = parseSlo(text);
    if (slo.bounds.length > 0) return slo;
    mistakes.push('--slo: no bound on latency, which a capacity needs; add one such as p95=80ms');
    return undefined;
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    mistakes.push(...error.lines);
    return undefined;
  }
}
