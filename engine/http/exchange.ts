// Defines an exchange: one request with its answer or its error, as plain data. The client makes it once, and all rules
// that can be judged from it share it. Also caches what is derived from a body (text, JSON, a hash): for small bodies
// as long as they live, for large ones only the last.
import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { type Leaf, leavesOf, parsedJson } from '../values/json-walk.ts';
import type { OrWhy } from '../values/or-why.ts';
import { is2xx, is4xx } from '../values/status.ts';
import { cut, mediaTypeIn } from '../values/text.ts';
import type { Redactor } from './redact.ts';

const small = 64 * 1024;
/** The most bytes of large bodies with a cached value; a larger body is kept alone. */
const mostLarge = 8 * 2 ** 20;

/**
 * Caches a function of a body: all callers share its value, so they must not change it. The value lives no longer than
 * the body.
 */
export function remembered<Made>(make: (body: Uint8Array) => Made): (body: Uint8Array) => Made {
  const known = new WeakMap<Uint8Array, { readonly made: Made }>();
  /** The large bodies with a cached value, the last used last. */
  let large: readonly WeakRef<Uint8Array>[] = [];

  /** Makes room before the next value is made: two large values at a time would take twice the memory. */
  const makeRoom = (body: Uint8Array) => {
    const kept: WeakRef<Uint8Array>[] = [];
    let room = mostLarge - body.length;
    for (const reference of large.toReversed()) {
      const other = reference.deref();
      if (other === undefined || other === body) continue;
      room -= other.length;
      if (room < 0) known.delete(other);
      else kept.unshift(reference);
    }
    large = [...kept, new WeakRef(body)];
  };

  return (body) => {
    if (body.length > small) makeRoom(body);
    const before = known.get(body);
    if (before) return before.made;
    const made = make(body);
    known.set(body, { made });
    return made;
  };
}

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE' | 'OPTIONS' | 'PATCH' | 'TRACE';

/** Header fields in the order of the wire, repeats kept. */
export type Headers = readonly (readonly [name: string, value: string])[];

/** Sent exactly as it stands; the client adds only `host` and `content-length`. */
export interface Request {
  readonly method: Method;
  /** Absolute http or https URL; a fragment is not sent. */
  readonly url: string;
  readonly headers: Headers;
  readonly body?: Uint8Array | string;
}

export interface Response {
  readonly status: number;
  /** In order, names in lower case, values as latin1 text. */
  readonly headers: Headers;
  /** Decoded from its content codings; the raw bytes where that failed (`wire.codingError`). */
  readonly body: Uint8Array;
  readonly wire: Wire;
  /** The body says that the call is refused, whatever the status. */
  readonly refuses?: true;
}

export interface Wire {
  /** Length of the body as it travelled: after chunking, before decoding. */
  readonly bytes: number;
  /** Content-Encoding as sent, when there was one other than `identity`. */
  readonly coding?: string;
  /** Why the body could not be decoded. */
  readonly codingError?: string;
}

export type TransportKind =
  | 'refused'
  | 'dns'
  | 'reset'
  | 'timeout'
  | 'tls'
  | 'protocol'
  | 'too-large'
  | 'aborted'
  | 'budget';

export interface TransportError {
  readonly kind: TransportKind;
  /** One redacted line that names method and URL. */
  readonly message: string;
  /** The request went out on a connection that had carried an earlier one. */
  readonly reusedConnection: boolean;
  /** What had arrived before it broke; `bytes` counts the body on the wire. */
  readonly partial?: { readonly status: number; readonly headers: Headers; readonly bytes: number };
}

/** Exactly one of `response` and `error` is there. */
export interface Exchange {
  readonly request: Request;
  readonly response?: Response;
  readonly error?: TransportError;
  /** When the last attempt began, in ms since the epoch. */
  readonly startedAt: number;
  /** Wall clock of the last attempt, body and decoding included. */
  readonly durationMs: number;
  /** Times the request was put on the wire. */
  readonly attempts: number;
  /** Time spent waiting because of 429 or 503, in ms. */
  readonly waits: number;
  /** The session had ended, and so had each new one: the answer shows nothing about the call. */
  readonly unsigned?: true;
  /** The call was not sent, because it might change the target. */
  readonly held?: true;
}

type Json = OrWhy<{ readonly value: unknown }>;

type Answered = Exchange | { readonly headers: Headers };

const none: Headers = [];

function headersOf(answered: Answered): Headers {
  return 'request' in answered ? (answered.response?.headers ?? none) : answered.headers;
}

/** The answer's status; 0 where there was no answer. */
export const statusOf = ({ response }: Exchange): number => response?.status ?? 0;

/** Whether both requests carry the same headers, and so the same credential. */
export const sameHeaders = (a: Exchange, b: Exchange): boolean =>
  JSON.stringify(a.request.headers) === JSON.stringify(b.request.headers);

/**
 * Whether the operation did what the call asked: its body does not refuse that.
 * @param accepts the statuses that the profile lists; without a list, any 2xx
 */
export function isAccepted(exchange: Exchange, accepts: readonly number[] | undefined): boolean {
  const status = statusOf(exchange);
  return !refusesInBody(exchange) && (accepts?.includes(status) ?? is2xx(status));
}

/** Whether it was answered 2xx, with a body that does not refuse the call. */
export const isSuccess = (exchange: Exchange): boolean => isAccepted(exchange, undefined);

/** Whether the body of the answer refuses the call, whatever the status. */
export const refusesInBody = ({ response }: Exchange): boolean => response?.refuses === true;

/** Whether it was answered 4xx, or with a body that refuses the call. */
export const isRefusal = (exchange: Exchange): boolean =>
  is4xx(statusOf(exchange)) || refusesInBody(exchange);

/** The status, with a note where the body refuses the call. */
export const statusInWords = (exchange: Exchange): string =>
  `${statusOf(exchange)}${refusesInBody(exchange) ? ' with a body that refuses it' : ''}`;

/** The first field of that name, in any case; undefined when there is none, or no response. */
export function header(answered: Answered, name: string): string | undefined {
  const wanted = name.toLowerCase();
  return headersOf(answered).find(([found]) => found === wanted)?.[1];
}

/** Every field of that name, in order. */
export function headerAll(answered: Answered, name: string): string[] {
  const wanted = name.toLowerCase();
  return headersOf(answered).flatMap(([found, value]) => (found === wanted ? [value] : []));
}

/** The members of a field that is a list, without the blanks around them (RFC 9110, 5.6.1). */
export const membersOf = (value: string): string[] => value.split(',').map((member) => member.trim());

/** Whether an answer lists the method in its Allow field. */
export const allows = (answered: Answered, method: Method): boolean =>
  membersOf(header(answered, 'allow')?.toUpperCase() ?? '').includes(method);

/** Type and subtype in lower case without parameters; undefined where the answer names none. */
export function mediaType(answered: Answered): string | undefined {
  return mediaTypeIn(header(answered, 'content-type')) || undefined;
}

const lossy = new TextDecoder('utf-8', { ignoreBOM: true });
const textOf = remembered((body) => lossy.decode(body));
const jsonOf = remembered(parse);

/** The body as UTF-8, each bad byte as U+FFFD, a byte order mark kept. */
export const text = ({ body }: Response): string => textOf(body);

/** The body of an answer as text; empty where there is no answer. */
export const answerText = ({ response }: Pick<Exchange, 'response'>): string =>
  response ? text(response) : '';

/** The body as JSON. All callers share the value: never change it. */
export const json = ({ body }: Response): Json => jsonOf(body);

/** The JSON value of an answer; undefined where there is no answer, or it is not JSON. */
export function jsonValue({ response }: Pick<Exchange, 'response'>): unknown {
  const parsed = response && json(response);
  return parsed?.ok ? parsed.value : undefined;
}

/** The JSON value of the body that a call sent; undefined where it sent none, or none that is JSON. */
export const sentJson = ({ request: { body } }: Pick<Exchange, 'request'>): unknown =>
  typeof body === 'string' ? parsedJson(body) : undefined;

/** The scalars of a JSON answer, as `leavesOf` lists them; none where there is no answer, or it is not JSON. */
export function answerLeaves(answer: Pick<Exchange, 'response'>): Leaf[] {
  const value = jsonValue(answer);
  return value === undefined ? [] : leavesOf(value);
}

function parse(body: Uint8Array): Json {
  if (body.length === 0) return { ok: false, why: 'the body is empty' };
  try {
    return { ok: true, value: JSON.parse(textOf(body)) };
  } catch (error) {
    return { ok: false, why: error instanceof Error ? error.message : String(error) };
  }
}

/** An exchange as it may stand in a report: plain JSON without secrets, bodies shortened. */
export interface RecordedExchange extends Pick<Exchange, 'startedAt' | 'durationMs' | 'attempts' | 'waits'> {
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: [string, string][];
    readonly body?: string;
  };
  readonly response?: {
    readonly status: number;
    readonly headers: [string, string][];
    /** The decoded body as text, at most 4 KiB of it. */
    readonly body: string;
    /** Length of the decoded body. */
    readonly bytes: number;
    readonly codingError?: string;
  };
  readonly error?: {
    readonly kind: TransportKind;
    readonly message: string;
    readonly partial?: {
      readonly status: number;
      readonly headers: [string, string][];
      readonly bytes: number;
    };
  };
}

const mostBytes = 4096;
const mostFields = 64;
const longestField = 2048;
/** Redaction reads beyond the cut, so that half of a secret that straddles it is not shown. */
const windowBytes = 8 * mostBytes;

/** Returns the redacted copy. Secrets that the redactor learns later are not removed from it. */
export function record(exchange: Exchange, redactor: Redactor): RecordedExchange {
  const { request, response, error, startedAt, durationMs, attempts, waits } = exchange;
  const { method, url, headers, body } = request;
  const asked = { method, url: redactor.url(url), headers: fields(headers, redactor) };
  const sent = body === undefined ? undefined : Buffer.from(body);
  return {
    request: sent ? { ...asked, body: excerpt(sent, redactor) } : asked,
    ...(response && {
      response: {
        status: response.status,
        headers: fields(response.headers, redactor),
        body: excerpt(response.body, redactor),
        bytes: response.body.length,
        ...(response.wire.codingError && { codingError: response.wire.codingError }),
      },
    }),
    ...(error && {
      error: {
        kind: error.kind,
        message: redactor.text(error.message),
        ...(error.partial && {
          partial: { ...error.partial, headers: fields(error.partial.headers, redactor) },
        }),
      },
    }),
    startedAt,
    durationMs,
    attempts,
    waits,
  };
}

/** At most 64 fields and 8 KiB of them; where some are left out, a last field counts those. */
function fields(headers: Headers, redactor: Redactor): [string, string][] {
  const most = headers
    .slice(0, mostFields)
    .map(([name, value]) => [name, value.slice(0, windowBytes)] as const);
  const kept: [string, string][] = [];
  let room = 2 * mostBytes;
  for (const [name, value] of redactor.headers(most)) {
    const field: [string, string] = [cut(name, longestField), cut(value, longestField)];
    room -= field[0].length + field[1].length;
    if (room < 0) break;
    kept.push(field);
  }
  const left = headers.length - kept.length;
  return left === 0 ? kept : [...kept, ['…', `${left} more fields`]];
}

function excerpt(body: Uint8Array, redactor: Redactor): string {
  if (!isUtf8(body)) {
    return `<${body.length} bytes, sha256 ${createHash('sha256').update(body).digest('hex')}>`;
  }
  const safe = redactor.body(new TextDecoder().decode(body.subarray(0, windowBytes)));
  const bytes = Buffer.from(safe, 'utf8');
  if (bytes.length <= mostBytes) return safe;
  // With `stream`, a character that the cut splits is left out.
  return `${new TextDecoder().decode(bytes.subarray(0, mostBytes - 3), { stream: true })}…`;
}
