// Runs one try of a request on one connection: collects the answer that undici passes on, ends the try at its deadline
// (default: values/default-limits.ts), and sorts what went wrong into kinds of transport errors.
import type { Dispatcher } from 'undici';
import { cut, printable } from '../values/text.ts';
import type { InFlight } from './body-limits.ts';
import type { Connection } from './connection.ts';
import { type Headers, header, type TransportKind } from './exchange.ts';

/** Something with a deadline, on the clock of `performance.now()`. */
interface Watched {
  readonly endsAt: number;
  expire(): void;
}

interface DeadlineWatch {
  add(watched: Watched): void;
  delete(watched: Watched): void;
}

/**
 * Checks the deadlines of all requests in flight together, every `tickMs`: a timer for each request would cost
 * more than the rest of its bookkeeping, and a deadline of seconds needs no finer grain. The timer
 * stops while there is nothing to watch, and never keeps the process alive.
 */
export function createDeadlineWatch(tickMs: number): DeadlineWatch {
  const all = new Set<Watched>();
  let timer: NodeJS.Timeout | undefined;

  function tick(): void {
    const now = performance.now();
    for (const watched of all) {
      if (watched.endsAt > now) continue;
      all.delete(watched);
      watched.expire();
    }
    if (all.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    add(watched) {
      all.add(watched);
      timer ??= setInterval(tick, tickMs).unref();
    },
    delete: (watched) => {
      all.delete(watched);
    },
  };
}

/** A failure before it becomes an error message: its kind, and one phrase about why. */
export interface Failure {
  readonly kind: TransportKind;
  readonly why: string;
}

const kinds: Record<string, TransportKind> = {
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'refused',
  ENETUNREACH: 'refused',
  EHOSTDOWN: 'refused',
  EADDRNOTAVAIL: 'refused',
  EACCES: 'refused',
  EPERM: 'refused',
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  EAI_FAIL: 'dns',
  EAI_NODATA: 'dns',
  EAI_NONAME: 'dns',
  ECONNRESET: 'reset',
  ECONNABORTED: 'reset',
  EPIPE: 'reset',
  ENOTCONN: 'reset',
  UND_ERR_SOCKET: 'reset',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_OVERFLOW: 'too-large',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'too-large',
  UND_ERR_ABORTED: 'aborted',
  UND_ERR_DESTROYED: 'aborted',
  UND_ERR_CLOSED: 'aborted',
  EPROTO: 'tls',
};

const certificate =
  /^(ERR_TLS_|ERR_SSL_|CERT_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_|ERROR_IN_|HOSTNAME_MISMATCH|INVALID_CA|CRL_)/;

/**
 * Sorts an error of undici, node:net or node:tls. `answering` says that the head of an answer had
 * arrived: an end of the stream is then a body shorter than announced, not a lost connection.
 */
export function failureOf(error: unknown, answering = false): Failure {
  const { code = '', message = String(error) } = deepest(error);
  if (/^(other side closed|closed)$/.test(message)) {
    return answering
      ? { kind: 'protocol', why: 'connection closed before the announced end of the body' }
      : { kind: 'reset', why: 'connection closed before an answer' };
  }
  if (message === 'bad upgrade') return { kind: 'protocol', why: 'answered 101 to a request for no upgrade' };
  if (message === 'bad response') return { kind: 'protocol', why: 'sent an answer nobody asked for' };
  const why = code && !message.includes(code) ? `${message} (${code})` : message;
  return { kind: kindOf(code), why };
}

function kindOf(code: string): TransportKind {
  // Other codes are HPE_*, UND_ERR_RES_CONTENT_LENGTH_MISMATCH, and those of requests that undici refuses to send.
  return kinds[code] ?? (certificate.test(code) ? 'tls' : 'protocol');
}

/** When several addresses were tried, Node reports an AggregateError; its first error is the useful one. */
function deepest(error: unknown): { code?: string; message?: string } {
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors[0];
  return error instanceof Error ? error : {};
}

const longest = 600;

/** One printable line of bounded length: method, URL and why. */
export function line(method: string, url: string, why: string): string {
  return cut(printable(`${method} ${url}: ${why}`), longest);
}

/** Most interim answers (RFC 9110, section 15.2) before the final one; with more, the try fails. */
const mostInformational = 16;

/** Pieces of a body that are kept as they came; small pieces after them are copied into blocks. */
const mostPieces = 64;
/** Below this size, keeping a piece by itself costs more memory than its bytes. */
const smallPiece = 4 * 1024;
const block = 64 * 1024;

/** What one try on one connection has come to. */
export interface AttemptOutcome {
  readonly failure?: Failure;
  /** Not a byte of an answer had arrived. */
  readonly silent: boolean;
  readonly reused: boolean;
  /** The request was handed to a connection; not so when connecting failed. */
  readonly sent: boolean;
  readonly startedAt: number;
  /** Time in which we paused reading, in ms; it does not count against the target. */
  readonly waitedMs: number;
  /** Zero while no final head has arrived. */
  readonly status: number;
  readonly headers: Headers;
  readonly chunks: readonly Buffer[];
  readonly bytes: number;
}

/** The reason of a failure once the run has read its limit of large answers (body-limits.ts). */
export const usedUp = 'the run has read as much of large answers as it can';

/** One try: collects what undici passes on, and ends once: by answer, by failure or from outside. */
export class Attempt implements Dispatcher.DispatchHandler, Watched, AttemptOutcome {
  readonly startedAt = Date.now();
  readonly chunks: Buffer[] = [];
  failure?: Failure;
  silent = true;
  reused = false;
  sent = false;
  status = 0;
  headers: Headers = [];
  bytes = 0;
  waitedMs = 0;
  readonly #connection: Connection;
  readonly #inFlight: InFlight;
  readonly #done: (outcome: AttemptOutcome) => void;
  readonly #endsAt: number;
  #heldSince: number | undefined;
  #informational = 0;
  #ended = false;
  /** The block that small pieces are copied to. With `block` bytes used, the next piece starts a new one. */
  #block = Buffer.alloc(0);
  #blockUsed = block;
  /** The whole body goes into one block of the announced length. */
  #isWhole = false;

  constructor(
    connection: Connection,
    endsAt: number,
    inFlight: InFlight,
    done: (outcome: AttemptOutcome) => void,
  ) {
    this.#connection = connection;
    this.#endsAt = endsAt;
    this.#inFlight = inFlight;
    this.#done = done;
  }

  /** Infinite while reading is paused; that time does not count. */
  get endsAt(): number {
    return this.#heldSince === undefined ? this.#endsAt + this.waitedMs : Number.POSITIVE_INFINITY;
  }

  /** Ends the try as a failure and closes its connection, unless it has ended already. */
  fail(failure: Failure): void {
    if (this.#ended) return;
    this.#ended = true;
    // A kept connection can break before the request is handed to it.
    if (!this.sent) this.reused = this.#connection.served > 0;
    this.failure = failure;
    this.chunks.length = 0;
    this.#inFlight.leave(this);
    this.#connection.destroy();
    this.#done(this);
  }

  expire(): void {
    const what = this.status > 0 ? 'the body did not end' : 'no answer';
    this.fail({ kind: 'timeout', why: `${this.sent ? what : 'no connection'} within the time limit` });
  }

  onRequestStart(): void {
    this.sent = true;
    this.reused = this.#connection.served > 0;
  }

  onResponseStarted(): void {
    this.silent = false;
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number): void {
    this.silent = false;
    if (status === 407 && this.#connection.forwarder) {
      const { origin } = this.#connection.forwarder;
      this.fail({
        kind: 'protocol',
        why: `the proxy ${origin} answered 407: it wants user and password in its URL`,
      });
    } else if (status >= 200) {
      this.status = status;
      this.headers = pairs(controller.rawHeaders as Buffer[]);
    } else if (++this.#informational > mostInformational) {
      this.fail({ kind: 'protocol', why: `more than ${mostInformational} interim (1xx) answers` });
    }
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const { maxBytes, share, enter, spend } = this.#inFlight;
    const wasLarge = this.bytes > share;
    this.bytes += chunk.length;
    if (this.bytes > maxBytes) {
      this.fail({ kind: 'too-large', why: `the body is larger than ${maxBytes} bytes` });
      return;
    }
    this.#keep(chunk);
    if (this.bytes <= share) return;
    if (!spend(chunk.length)) {
      this.fail({ kind: 'too-large', why: usedUp });
    } else if (wasLarge) return;
    else if (enter(this, () => this.#resume(controller))) this.#gather();
    else {
      this.#heldSince = performance.now();
      controller.pause();
    }
  }

  #resume(controller: Dispatcher.DispatchController): void {
    this.waitedMs += performance.now() - (this.#heldSince ?? 0);
    this.#heldSince = undefined;
    this.#gather();
    // In a later turn of the event loop, since the caller may be the parser of another connection.
    setImmediate(() => controller.resume());
  }

  /** Reads a large body of announced length into one buffer: joining pieces at the end would take twice the memory. */
  #gather(): void {
    const announced = header(this, 'content-length') ?? '';
    const length = /^\d{1,15}$/.test(announced) ? Number(announced) : 0;
    if (length < this.bytes || length > this.#inFlight.maxBytes) return;
    const whole = Buffer.allocUnsafeSlow(length);
    this.#blockUsed = Buffer.concat(this.chunks).copy(whole);
    this.#block = whole;
    this.chunks.splice(0, this.chunks.length, whole.subarray(0, this.#blockUsed));
    this.#isWhole = true;
  }

  /** Keeps a piece of the body, with bounded memory even where the target sends one byte at a time. */
  #keep(chunk: Buffer): void {
    const { chunks } = this;
    if (this.#isWhole) {
      this.#blockUsed += chunk.copy(this.#block, this.#blockUsed);
      chunks[0] = this.#block.subarray(0, this.#blockUsed);
      return;
    }
    if (chunks.length < mostPieces || chunk.length >= smallPiece) {
      chunks.push(chunk);
      this.#blockUsed = block;
      return;
    }
    if (this.#blockUsed + chunk.length > block) {
      chunks.push(Buffer.alloc(0));
      this.#blockUsed = 0;
      this.#block = Buffer.allocUnsafeSlow(block);
    }
    chunk.copy(this.#block, this.#blockUsed);
    this.#blockUsed += chunk.length;
    chunks[chunks.length - 1] = this.#block.subarray(0, this.#blockUsed);
  }

  onResponseEnd(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#inFlight.leave(this);
    this.#connection.served += 1;
    this.#done(this);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.fail(failureOf(error, this.status > 0));
  }
}

function pairs(raw: readonly Buffer[]): Headers {
  const made: [string, string][] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) {
    made.push([
      (raw[i] as Buffer).toString('latin1').toLowerCase(),
      (raw[i + 1] as Buffer).toString('latin1'),
    ]);
  }
  return made;
}
