// `npm run diff` over two capacity.json.
import { ConfigurationError } from '../../../fixtures/target/configuration-error.ts';
import { terminalText } from '../../console/terminal-text.ts';
import { compareCapacities, differences } from './compare.ts';
import { readStoredCapacity, type StoredCapacity } from './stored-capacity.ts';

export interface CapacityDiff {
  /** With a line end. */
  readonly text: string;
  /** 1 where it got worse. */
  readonly exitCode: 0 | 1;
}

/** @throws ConfigurationError where a file cannot be used, or the two measured different things */
export function diffCapacity(beforePath: string, afterPath: string, asJson: boolean): CapacityDiff {
  const before = readStoredCapacity(beforePath);
  const after = readStoredCapacity(afterPath);
  const apart = differences(before, after);
  if (apart.length > 0)
    throw new ConfigurationError(
      apart.map((each) => terminalText(`diff: ${each}; capacities of the same thing can be compared`)),
    );
  const change = compareCapacities(before, after);
  const exitCode = change === 'worse' ? 1 : 0;
  const told = { schema: 'assay.capacity-diff/1', change, exitCode, before, after };
  const lines = [heading(change, before, after), `A  ${about(before)}`, `B  ${about(after)}`];
  const text = asJson ? JSON.stringify(told, null, 1) : lines.map(terminalText).join('\n');
  return { text: `${text}\n`, exitCode };
}

function heading(
  change: string,
  { capacity: was }: StoredCapacity,
  { capacity: is, journey }: StoredCapacity,
): string {
  const by = was !== null && is !== null && was > 0 ? ` (${signed((is / was - 1) * 100)} %)` : '';
  return `${change.charAt(0).toUpperCase()}${change.slice(1)}: capacity of ${journey}${by}`;
}

const signed = (value: number) => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(1)}`;

function about({
  verdict,
  capacity,
  unit,
  interval: [confirmed, failed],
  startedAt,
}: StoredCapacity): string {
  const figure = capacity === null ? verdict : `${verdict} ${capacity} ${unit}`;
  return `${figure}, between ${confirmed ?? 'nothing known'} and ${failed ?? 'nothing known'} · ${startedAt.slice(0, 16).replace('T', ' ')} UTC`;
}
