// k6's figures as handleSummary wrote them, read as if a stranger had written them.
import { readRegularFile } from '../../fixtures/files/regular-file.ts';

export type Values = Readonly<Record<string, number>>;
export type Metrics = Readonly<Record<string, { readonly values?: Values }>>;

const mostBytes = 64 * 2 ** 20;

/** @returns undefined where k6 left no summary, or none that can be read */
export function readMetrics(file: string): Metrics | undefined {
  try {
    const { metrics } = JSON.parse(readRegularFile(file, mostBytes).toString('utf8'));
    return typeof metrics === 'object' && metrics !== null ? metrics : undefined;
  } catch {
    return undefined;
  }
}
