// Defines an SLO: bounds on latency and on wrong answers.
import { ConfigurationError } from '../engine/values/configuration-error.ts';
import { quoted } from '../engine/values/text.ts';

const quantiles = { p50: 0.5, p95: 0.95, p99: 0.99, p999: 0.999 } as const;

export interface Bound {
  readonly name: keyof typeof quantiles;
  /** 0 to 1. */
  readonly quantile: number;
  readonly ms: number;
}

export interface Slo {
  /** The strictest quantile last. */
  readonly bounds: readonly Bound[];
  /** Share of the requests that may be answered wrongly or not at all, 0 to 1. */
  readonly errors: number;
}

export const defaultErrors = 0.001;
const example = "expected bounds such as 'p95=80ms,errors=0.1%': p50, p95, p99, p999 in ms or s, errors in %";

/**
 * Reads `p95=80ms,errors=0.1%`.
 * @throws ConfigurationError with one line per mistake
 */
export function parseSlo(text: string): Slo {
  const bounds = new Map<string, Bound>();
  const mistakes: string[] = [];
  let errors: number | undefined;
  for (const part of text.split(',').map((each) => each.trim())) {
    const [, name = '', value = '', unit = ''] = /^(\w+)=([\d.]+)(ms|s|%)$/.exec(part) ?? [];
    const number = Number(value);
    const isRepeated = bounds.has(name) || (name === 'errors' && errors !== undefined);
    if (isRepeated) mistakes.push(`--slo: ${quoted(name)} is given twice`);
    else if (name === 'errors' && unit === '%' && number <= 100) errors = number / 100;
    else if (Object.hasOwn(quantiles, name) && /^m?s$/.test(unit) && number > 0) {
      const key = name as Bound['name'];
      bounds.set(name, { name: key, quantile: quantiles[key], ms: unit === 's' ? number * 1_000 : number });
    } else mistakes.push(`--slo: ${quoted(part)}; ${example}`);
  }
  if (mistakes.length > 0) throw new ConfigurationError(mistakes);
  const sorted = [...bounds.values()].sort((a, b) => a.quantile - b.quantile);
  return { bounds: sorted, errors: errors ?? defaultErrors };
}

/** `p95=80ms,errors=0.1%`. */
export function sloText({ bounds, errors }: Slo): string {
  return [
    ...bounds.map(({ name, ms }) => `${name}=${ms}ms`),
    `errors=${+(errors * 100).toPrecision(6)}%`,
  ].join(',');
}
