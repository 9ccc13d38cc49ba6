// Prepares a request for the client: its address, its header values and its body. A very large body is offered before
// it is sent whole, since a server that refuses it by its length answers at once and closes.
import { setTimeout } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import type { Exchange, Request } from './exchange.ts';

/** Bytes from which a body is offered first: a refusal in the middle of it is usually lost with the connection. */
const offeredFrom = 2 * 2 ** 20;
const firstBytes = 1_024;
const waitMs = 1_000;

/** The request with its body; a very large one pauses for a second after its first bytes, to let a refusal come. */
function withBody(
  request: Dispatcher.DispatchOptions & { readonly headers: readonly string[] },
  body: string | Uint8Array,
): Dispatcher.DispatchOptions {
  if (body.length < offeredFrom) return { ...request, body };
  const bytes = Buffer.from(body as string);
  const headers = [...request.headers, 'content-length', String(bytes.length)];
  return { ...request, headers, body: offered(bytes) as unknown as Dispatcher.DispatchOptions['body'] & {} };
}

async function* offered(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes.subarray(0, firstBytes);
  await setTimeout(waitMs, undefined, { ref: false });
  yield bytes.subarray(firstBytes);
}

/** Where a URL leads, with the path left as it was written: no dot segment removed, nothing re-encoded. */
interface Address {
  /** Scheme and authority without user information, as `http://[::1]:8080`. */
  readonly origin: string;
  /** Path and query as they go on the request line. */
  readonly path: string;
}

const shape = /^(https?:\/\/)(?:[^/?#]*@)?([^/?#]+)([^?#]*)(\?[^#]*)?/i;
const unsendable = /[^\x21-\x7e]+/g;

/**
 * Splits an absolute URL. The URL class would resolve `..` and encode `|`, and a suite has to be able to
 * send both. Only what cannot stand on a request line (spaces, controls, non-ASCII) is percent-encoded,
 * as UTF-8. Undefined when it is no http or https URL.
 */
export function addressOf(url: string): Address | undefined {
  const found = shape.exec(url);
  const [, scheme = '', authority = '', path = '', query = ''] = found ?? [];
  const origin = scheme + authority;
  if (!URL.canParse(origin)) return undefined;
  const whole = (path || '/') + query;
  return {
    origin,
    path: whole.replace(unsendable, (part) => encodeURIComponent(part.toWellFormed())),
  };
}

/**
 * A header value as the bytes that go on the wire, one character each. Latin-1 travels as it is; a value
 * with anything beyond it travels as UTF-8, which is what curl and browsers send.
 */
export function wireValue(value: string): string {
  return /[^\x00-\xff]/.test(value) ? Buffer.from(value, 'utf8').toString('latin1') : value;
}

export interface SendOptions {
  /** 0 goes before 1, and so on. Default 1. */
  readonly priority?: number;
  /** Replaces the client's `timeoutMs`; a function is called when the request's turn comes. */
  readonly deadlineMs?: number | (() => number);
  /** Report 429 and 503 instead of waiting. */
  readonly noWait?: boolean;
  /** Called when the request's turn comes; a reason that it returns lets the request fail as `aborted`, unsent. */
  readonly withhold?: () => string | undefined;
}

/** One call of `send` in progress: its request, its callback and its state. */
export interface Job {
  readonly request: Request;
  /** The call has its own connection: the target may answer and hang up before the body is sent whole. */
  readonly apart: boolean;
  readonly options: SendOptions;
  readonly priority: number;
  /** Undefined where the URL is not an absolute http or https URL. */
  readonly origin: string | undefined;
  /** Makes new options for each try: a streamed body can be sent only once. */
  readonly dispatch: () => Dispatcher.DispatchOptions;
  readonly settle: (exchange: Exchange) => void;
  attempts: number;
  /** Times and milliseconds waited because of 429 or 503. */
  tries: number;
  waits: number;
  /** The call met a stale connection, so it gets a new one. */
  fresh: boolean;
}

/** Bytes: a larger body fills the buffers on the way, so a target that refuses it hangs up in the middle. */
const mostShared = 64 * 1024;

export function createJob(request: Request, options: SendOptions, settle: (exchange: Exchange) => void): Job {
  const address = addressOf(request.url);
  const head = { method: request.method, path: address?.path ?? '', headers: flat(request) };
  return {
    request,
    apart: (request.body?.length ?? 0) > mostShared,
    options,
    priority: options.priority ?? 1,
    origin: address?.origin,
    dispatch: () => (request.body === undefined ? head : withBody(head, request.body)),
    settle,
    attempts: 0,
    tries: 0,
    waits: 0,
    fresh: false,
  };
}

function flat({ headers }: Request): string[] {
  const made: string[] = [];
  for (const [name, value] of headers) made.push(name, wireValue(value));
  return made;
}
