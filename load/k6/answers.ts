// Judges answers inside k6: names what is wrong with one in a few fixed words, and takes the session from a login.
import type { Response } from './http.ts';
import type { Call, Person, Taking } from './plan.ts';

/** Kinds of transport errors: there was no answer. */
export const transportKinds = ['timeout', 'refused', 'reset', 'dns', 'tls', 'no answer'] as const;
/** Statuses that are counted one by one; any other counts among its class. */
const statuses: readonly number[] = [
  ...[400, 401, 403, 404, 405, 409, 410, 412, 413, 415, 422, 429],
  ...[500, 501, 502, 503, 504],
];

type TransportKind = (typeof transportKinds)[number];
/** What is wrong with an answer. */
export type Kind =
  | TransportKind
  | `status ${string}`
  | 'other status'
  | 'unrouted'
  | 'body'
  | 'no session'
  | 'no id';

/** The kind of a status that was not accepted. */
function kindOfStatus(status: number): Kind {
  if (statuses.includes(status)) return `status ${status}`;
  if (status >= 500) return 'status 5xx';
  return status >= 400 ? 'status 4xx' : 'other status';
}

/** `kinds` in load.json names these statuses; of any other its class. */
const namedAlone: readonly string[] = [401, 403, 404, 429, 503].map((status) => `status ${status}`);

/** A kind as `kinds` names it. */
export const classOf = (kind: string): string =>
  namedAlone.includes(kind) ? kind : kind.replace(/^status ([45])\d\d$/, 'status $1xx');

/** What went wrong below HTTP, by k6's error codes. */
function transportKind({ error_code: code }: Response): TransportKind {
  if (code === 1050 || code === 1211) return 'timeout';
  if (code === 1212) return 'refused';
  if (code >= 1100 && code < 1200) return 'dns';
  if (code >= 1220 && code < 1300) return 'reset';
  if (code >= 1300 && code < 1400) return 'tls';
  return 'no answer';
}

/** The value under a JSON Pointer of a JSON text; undefined where the text is no JSON, or holds none. */
export function valueAt(text: string, pointer: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replace(/~1/g, '/').replace(/~0/g, '~');
    if (value === null || typeof value !== 'object') return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

// The session of a login's answer, taken in the way that the preflight found.

/** The person with the session of this answer; undefined where the answer holds none. */
export function withSession(
  person: Person,
  takes: readonly Taking[],
  response: Response,
): Person | undefined {
  let { headers, query } = person;
  for (const taking of takes) {
    if (taking.kind === 'cookie') {
      const pairs = taking.names.map((name) => [name, response.cookies[name]?.[0]?.value] as const);
      if (pairs.some(([, value]) => value === undefined)) return undefined;
      headers = { ...headers, cookie: pairs.map((pair) => pair.join('=')).join('; ') };
      continue;
    }
    const value = valueFrom(taking.source, response);
    if (value === undefined) return undefined;
    const bare = value.replace(/^Bearer +/i, '');
    if (taking.kind === 'query') query = `${encodeURIComponent(taking.name)}=${encodeURIComponent(bare)}`;
    else
      headers = {
        ...headers,
        [taking.name]: taking.kind === 'bearer' ? `${taking.scheme ?? 'Bearer'} ${bare}` : value,
      };
  }
  return { ...person, headers, query };
}

function valueFrom(source: string, response: Response): string | undefined {
  if (source.startsWith('cookie:')) return response.cookies[source.slice('cookie:'.length)]?.[0]?.value;
  if (source !== '' && !source.startsWith('/')) return headerOf(response, source);
  const value = valueAt(response.body ?? '', source);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** k6 writes names as Go does (`Etag`). */
export function headerOf({ headers }: Response, name: string): string | undefined {
  const sought = name.toLowerCase();
  for (const key in headers) if (key.toLowerCase() === sought) return headers[key];
  return undefined;
}

// Cheap rules for an answer, since a fast wrong answer is an error too.

/** What is wrong with an answer; undefined where nothing is. @param conditional the call carried a validator */
export function wrongWith(
  call: Call,
  status: number,
  response: Response,
  conditional: boolean,
): Kind | undefined {
  if (status === 0) return transportKind(response);
  if (conditional && status === 304) return undefined;
  const { accepts, begins, unlike } = call;
  if (accepts.length === 0 ? status < 200 || status > 299 : !accepts.includes(status))
    return kindOfStatus(status);
  if (begins === '' && unlike === undefined) return undefined;
  const body = response.body ?? '';
  if (begins !== '' && body[0] !== begins && body.trimStart()[0] !== begins) return 'body';
  return unlike !== undefined && body === unlike ? 'unrouted' : undefined;
}

export const validatorsIn = (response: Response): Readonly<Record<string, string>> => {
  const etag = headerOf(response, 'etag');
  const modified = headerOf(response, 'last-modified');
  return {
    ...(etag !== undefined && { 'if-none-match': etag }),
    ...(modified !== undefined && { 'if-modified-since': modified }),
  };
};
