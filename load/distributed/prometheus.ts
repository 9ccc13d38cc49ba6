// Asks a Prometheus. Answers come from outside, so they are checked before they are used.
import { ConfigurationError } from '../../engine/values/configuration-error.ts';
import { parsedJson } from '../../engine/values/json-walk.ts';
import { at, listAt, objectOf, textAt } from '../../engine/values/members.ts';
import { quoted } from '../../engine/values/text.ts';

/** One series of an answer: its samples in order of time; an instant query has one. */
export interface Series {
  readonly labels: Readonly<Record<string, string>>;
  readonly values: readonly { readonly at: number; readonly value: number }[];
}

export interface Prometheus {
  /** @param at in s since the epoch */
  at(expression: string, at: number): Promise<Series[]>;
  over(expression: string, from: number, to: number, stepSeconds: number): Promise<Series[]>;
}

const prometheusTimeoutMs = 20_000;
const mostBytes = 64 * 2 ** 20;

/**
 * @param base URL without a slash at its end
 * @throws ConfigurationError, from each query that fails, with the reason
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
        signal: AbortSignal.timeout(prometheusTimeoutMs),
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
    return result.map(seriesIn);
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

const resultIn = (text: string): readonly unknown[] | undefined => {
  const answer = parsedJson(text);
  const result = at(answer, 'data', 'result');
  return textAt(answer, 'status') === 'success' && Array.isArray(result) ? result : undefined;
};

function seriesIn(json: unknown): Series {
  const one = at(json, 'value');
  const pairs = one === undefined ? listAt(json, 'values') : [one];
  return {
    labels: objectOf<string>(at(json, 'metric')),
    values: pairs.flatMap((pair) => {
      const [time, value] = Array.isArray(pair) ? pair.map(Number) : [];
      return time !== undefined && Number.isFinite(value) ? [{ at: time, value: value as number }] : [];
    }),
  };
}
