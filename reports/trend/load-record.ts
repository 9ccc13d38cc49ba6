// What a trend keeps of a load or capacity run (`assay.load/1`, `assay.capacity/1`).
import { parsed, Unfit } from './read-run.ts';

export interface LoadRecord {
  readonly file: string;
  readonly kind: 'load' | 'capacity';
  readonly startedAt: string;
  readonly journey: string;
  readonly verdict: string;
  /** What counts, named by the file: journeys or requests per second. */
  readonly figures: Readonly<Record<string, number>>;
}

const begins = /^\s*\{\s*"schema":\s*"assay\.(load|capacity)\/1"/;
const longest = 80;

/**
 * The record of a load or capacity run; undefined where the text says that it is something else.
 * @throws Unfit where it says that it is one, and lacks what every one has
 */
export function loadRecordOf(file: string, bytes: Buffer): LoadRecord | undefined {
  const [, kind] = begins.exec(bytes.toString('latin1', 0, 200)) ?? [];
  if (kind !== 'load' && kind !== 'capacity') return undefined;
  const value = parsed(bytes);
  const lacks = (what: string) => new Unfit(`is no ${kind} run of this version of Assay: ${what}`);
  const text = (name: string): string => {
    const found = at(value, name);
    if (typeof found !== 'string') throw lacks(`${name} is missing`);
    return found.slice(0, longest);
  };
  const [startedAt, journey, verdict] = [text('startedAt'), text('journey'), text('verdict')];
  if (Number.isNaN(Date.parse(startedAt))) throw lacks('startedAt is no time (ISO 8601)');
  return { file, kind, startedAt, journey, verdict, figures: figuresOf(value) };
}

/** Rates per second, times in milliseconds; what the file does not tell is left out. */
function figuresOf(value: unknown): Record<string, number> {
  const interval = at(value, 'interval');
  const latency = at(value, 'latency');
  const named = {
    capacity: at(value, 'capacity'),
    confirmed: at(interval, 0),
    failed: at(interval, 1),
    rate: at(value, 'rate'),
    achieved: at(value, 'achieved'),
    p95: at(latency, 'p95'),
    p99: at(latency, 'p99'),
  };
  return Object.fromEntries(
    Object.entries(named).filter((entry): entry is [string, number] => Number.isFinite(entry[1])),
  );
}

const at = (value: unknown, key: string | number): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string | number, unknown>)[key] : undefined;
