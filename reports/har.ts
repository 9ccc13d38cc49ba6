// Writes failures.har (HAR 1.2): the exchanges of failed checks, for HTTP debugging tools.

import type { RecordedExchange } from '../engine/http/exchange.ts';
import type { Result, RunResult } from '../engine/run/result.ts';
import { assayVersion } from '../engine/version.ts';

type Fields = readonly (readonly [name: string, value: string])[];

/**
 * The exchanges of failed checks and warnings as a HAR, each once, in the order in which they were sent.
 * They were redacted when they were recorded, and their bodies cut to 4 KiB; `content.size` is the whole length.
 */
export function har(run: RunResult) {
  return {
    log: {
      version: '1.2',
      creator: { name: 'Assay', version: assayVersion },
      comment: run.headline.verdict,
      entries: shown(run.checks)
        .sort((a, b) => a.exchange.startedAt - b.exchange.startedAt)
        .map(({ exchange, checks }) => entry(exchange, checks)),
    },
  };
}

/** Merges copies of an exchange: many checks may be judged by one, and each result holds a copy. */
function shown(checks: readonly Result[]) {
  const bad = checks.filter(({ outcome }) => outcome === 'fail' || outcome === 'warn');
  const withExchange = bad.flatMap((check) =>
    [check.exchange, check.control].flatMap((exchange) => (exchange ? [{ check, exchange }] : [])),
  );
  const groups = Map.groupBy(withExchange, ({ exchange: { request, startedAt } }) =>
    JSON.stringify([startedAt, request.method, request.url, request.headers, request.body]),
  );
  return Array.from(groups.values(), (same) => ({
    exchange: (same[0] as (typeof same)[number]).exchange,
    checks: same.map(({ check }) => check),
  }));
}

function entry(
  { request, response, error, startedAt, durationMs }: RecordedExchange,
  checks: readonly Result[],
) {
  const headers = named(request.headers);
  return {
    startedDateTime: new Date(startedAt).toISOString(),
    time: durationMs,
    request: {
      method: request.method,
      url: request.url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers,
      queryString: queryOf(request.url),
      ...(request.body !== undefined && {
        postData: { mimeType: fieldOf(request.headers, 'content-type'), text: request.body },
      }),
      headersSize: -1,
      bodySize: request.body === undefined ? 0 : -1,
    },
    response: {
      // Browsers write 0 where there was no answer.
      status: response?.status ?? 0,
      // The reason phrase is not recorded: no client may lean on it (RFC 9110, section 15.1).
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: named(response?.headers ?? error?.partial?.headers ?? []),
      content: {
        size: response?.bytes ?? error?.partial?.bytes ?? 0,
        mimeType: fieldOf(response?.headers ?? [], 'content-type'),
        ...(response && { text: response.body }),
      },
      redirectURL: fieldOf(response?.headers ?? [], 'location'),
      headersSize: -1,
      bodySize: -1,
      ...(error && { _error: error.message }),
    },
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
    comment: checks.map(({ id, actual }) => `${id}: ${actual ?? ''}`).join('\n'),
  };
}

const named = (fields: Fields) => fields.map(([name, value]) => ({ name, value }));

function fieldOf(fields: Fields, wanted: string): string {
  return fields.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? '';
}

function queryOf(url: string) {
  const query = URL.parse(url)?.searchParams ?? new URLSearchParams();
  return named([...query]);
}
