// k6's figures as handleSummary wrote them, read as if a stranger had written them.
import { readFileSync, statSync } from 'node:fs';

export type Values = Readonly<Record<string, number>>;
export type Metrics = Readonly<Record<string, { readonly values?: Values }>>;

const mostBytes = 64 * 2 ** 20;

/** @returns undefined where k6 left no summary, or none that can be read */
export function readMetrics(file: string): Metrics | undefined {
  try {
    if (statSync(file).size > mostBytes) return undefined;
    const { metrics } = JSON.parse(readFileSync(file, 'utf8'));
    return typeof metrics === 'object' && metrics !== null ? metrics : undefined;
  } catch {
    return undefined;
  }
}
