// Questions to a Prometheus. What it answers is read as if a stranger had written it.
import { ConfigurationError } from '../../../fixtures/target/configuration-error.ts';
import { quoted } from '../../../fixtures/target/quoted.ts';
import type { Histogram } from './histogram.ts';

/** One series of an answer: its samples in time's order, of an instant query one. */
export interface Series {
  readonly labels: Readonly<Record<string, string>>;
  readonly values: readonly { readonly at: number; readonly value: number }[];
  readonly histograms: readonly { readonly at: number; readonly value: Histogram }[];
}

export interface Prometheus {
  /** @param at in s since the epoch */
  at(expression: string, at: number): Promise<Series[]>;
  over(expression: string, from: number, to: number, stepSeconds: number): Promise<Series[]>;
}

const timeoutMs = 20_000;
const mostBytes = 64 * 2 ** 20;

/**
 * @param base URL without a slash at its end
 * @throws ConfigurationError, from each question: what was wrong, and where
 */
export function prometheusOf(base: string, env: Readonly<Record<string, string | undefined>>): Prometheus {
  const { PROMETHEUS_USERNAME: user, PROMETHEUS_PASSWORD: password } = env;
  const headers: Record<string, string> =
    user === undefined
      ? {}
      : { authorization: `Basic ${Buffer.from(`${user}:${password ?? ''}`).toString('base64')}` };
  const ask = async (path: string, parameters: Record<string, string>): Promise<Series[]> => {
    const wrong = (why: string) => new ConfigurationError([`--collect: ${quoted(base)} ${why}`]);
    let text: string;
    let status: number;
    try {
      const response = await fetch(`${base}/api/v1/${path}`, {
        method: 'POST',
        headers,
        body: new URLSearchParams(parameters),
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
      status = response.status;
      text = await bounded(response);
    } catch (error) {
      const { name, cause } = error as Error;
      const { code, message } = (cause ?? {}) as Partial<NodeJS.ErrnoException>;
      throw wrong(
        `does not answer (${code ?? message ?? name}); expected the URL of a Prometheus, such as http://127.0.0.1:9090`,
      );
    }
    if (status === 401 || status === 403)
      throw wrong(`answered ${status}; set PROMETHEUS_USERNAME and PROMETHEUS_PASSWORD`);
    const result = resultIn(text);
    if (result === undefined)
      throw wrong(`answered ${status} and no query result; expected the URL of a Prometheus`);
    return result.flatMap(seriesIn);
  };
  return {
    at: (query, at) => ask('query', { query, time: String(at) }),
    over: (query, from, to, step) =>
      ask('query_range', { query, start: String(from), end: String(to), step: String(step) }),
  };
}

async function bounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw new Error('too much');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function resultIn(text: string): unknown[] | undefined {
  try {
    const { status, data } = JSON.parse(text);
    return status === 'success' && Array.isArray(data?.result) ? data.result : undefined;
  } catch {
    return undefined;
  }
}

interface Told {
  readonly metric?: Readonly<Record<string, string>>;
  readonly value?: unknown;
  readonly values?: unknown;
  readonly histogram?: unknown;
  readonly histograms?: unknown;
}

function seriesIn(told: unknown): Series[] {
  if (told === null || typeof told !== 'object') return [];
  const { metric = {}, value, values = value ? [value] : [], histogram, histograms } = told as Told;
  const pairs = (of: unknown): [unknown, unknown][] =>
    Array.isArray(of) ? of.filter((each) => Array.isArray(each) && each.length === 2) : [];
  return [
    {
      labels: metric,
      values: pairs(values).flatMap(([at, text]) => {
        const number = Number(text);
        return Number.isFinite(number) ? [{ at: Number(at), value: number }] : [];
      }),
      histograms: pairs(histograms ?? (histogram ? [histogram] : [])).map(([at, each]) => ({
        at: Number(at),
        value: histogramIn(each),
      })),
    },
  ];
}

function histogramIn(told: unknown): Histogram {
  const { count, sum, buckets } = (told ?? {}) as Record<string, unknown>;
  const read = (Array.isArray(buckets) ? buckets : []).flatMap((bucket: unknown) => {
    const [, low, high, many] = Array.isArray(bucket) ? bucket.map(Number) : [];
    const isWhole = [low, high, many].every((value) => Number.isFinite(value)) && (high ?? 0) > 0;
    return isWhole ? [{ low: Math.max(0, low ?? 0), high: high ?? 0, count: many ?? 0 }] : [];
  });
  return { count: Number(count) || 0, sum: Number(sum) || 0, buckets: read };
}
