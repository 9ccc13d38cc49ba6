// Sends requests and returns exchanges: queue, connections, retries and deadlines.
import { setTimeout as timer } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import { defaultLimits } from '../values/default-limits.ts';
import { switchPoint } from '../values/switch-points.ts';
import { addressOf, wireValue } from './address.ts';
import { createCollector, createHoldings, type Holdings, release } from './answer-memory.ts';
import { Attempt, type AttemptOutcome, createDeadlineWatch, type Failure, line, usedUp } from './attempt.ts';
import { createInFlight, type InFlight } from './body-limits.ts';
import { Connection, createConnector, type TransportOptions } from './connection.ts';
import { decode, outsize } from './decode.ts';
import {
  type Exchange,
  header,
  headerAll,
  type Request,
  type Response,
  type TransportError,
} from './exchange.ts';
import { createPace } from './rate-limits.ts';
import { createRedactor, type Redactor } from './redact.ts';
import { createQueue, type Places } from './request-queue.ts';

const nothing = new Uint8Array();

interface Room {
  readonly reading: InFlight;
  readonly holdings: Holdings;
  /** Counts the bytes that an answer took. */
  readonly note: (bytes: number) => void;
}

/** The decoded answer, or why it cannot be decoded or kept. */
function answer(outcome: AttemptOutcome, { reading, holdings, note }: Room): Response | Failure {
  const { chunks, bytes } = outcome;
  const wire = (chunks.length > 1 ? Buffer.concat(chunks, bytes) : chunks[0]) ?? nothing;
  const reply = decoded(outcome, wire, reading);
  if (!('status' in reply)) {
    note(reply.decodedBytes);
    return reply;
  }
  note(Math.max(bytes, reply.body.length));
  const why = holdings.knows(reply.body) ? undefined : outsize(reply.body);
  if (why !== undefined) {
    release(reply.body);
    return { kind: 'too-large', why };
  }
  const body = holdings.keep(reply.body, reply.headers);
  if (body && body !== reply.body) release(reply.body);
  return body
    ? { ...reply, body }
    : { kind: 'too-large', why: 'the run holds as many bytes of answers as it can' };
}

/** A failure to decode, with the bytes that were decoded before it. */
interface Undecodable extends Failure {
  readonly decodedBytes: number;
}

function decoded(
  { status, headers, bytes }: AttemptOutcome,
  wire: Uint8Array,
  { maxBytes, share, isSpent, spend }: InFlight,
): Response | Undecodable {
  const coding = headerAll({ headers }, 'content-encoding').join(', ');
  // A few bytes may decode to many, so decoded bytes count towards the run's limit too.
  const most = isSpent() ? share : maxBytes;
  const plainly = decode(wire, coding, most);
  const decodedBytes = 'tooLarge' in plainly ? most : plainly.body.length;
  if (plainly.coding !== undefined && decodedBytes > share) spend(decodedBytes);
  if ('tooLarge' in plainly) {
    const why =
      most === maxBytes ? `the decoded body (${plainly.coding}) is larger than ${maxBytes} bytes` : usedUp;
    return { kind: 'too-large', why, decodedBytes };
  }
  const { body, ...rest } = plainly;
  return { status, headers, body, wire: { bytes, ...rest } };
}

/** The error of a failed request, for reports; `redact` is given the URL and the reason. */
function transportError(
  request: Request,
  { kind, why }: Failure,
  redact: (text: string) => string,
  outcome?: AttemptOutcome,
): TransportError {
  const error: TransportError = {
    kind,
    message: line(request.method, redact(request.url), redact(why)),
    reusedConnection: outcome?.reused ?? false,
  };
  if (!outcome?.status) return error;
  const { status, headers, bytes } = outcome;
  return { ...error, partial: { status, headers, bytes } };
}

/** An option that is left out is as in `defaultLimits`, or unlimited. */
export interface ClientOptions extends TransportOptions {
  /** Wall clock of one request from connecting to the decoded body, in ms. */
  readonly timeoutMs?: number;
  /** Bounds the answers that are being read, over all connections. Default: 16 MiB each, 48 MiB together. */
  readonly inFlight?: InFlight;
  /** Requests in flight, over all origins. */
  readonly concurrency?: number;
  /** Requests per second. */
  readonly rate?: number | undefined;
  /** Wall clock the whole run may wait for 429 and 503 with Retry-After, in ms. */
  readonly waitBudgetMs?: number;
  /** End of the whole run, in ms since the epoch; a call without an answer by then fails as `budget`. */
  readonly deadline?: number;
  /** Ends everything as `aborted`. */
  readonly signal?: AbortSignal;
  /** Takes secrets out of error messages. */
  readonly redactor?: Redactor;
  readonly now?: () => number;
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
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

export interface Client {
  /** Never rejects: whatever goes wrong is the exchange's `error`. Redirects are answers like any other. */
  send(request: Request, options?: SendOptions): Promise<Exchange>;
  /** Ends queued and in-flight calls as `aborted` and closes every connection, at once. */
  close(): void;
}

/** Bytes of garbage that a head leaves when it is refused as too large. */
const manyFields = 2 * 2 ** 20;

const tickMs = 20;
/** Most bytes of answers that a run holds, from its first call to its last. */
const mostHeldBytes = 64 * 2 ** 20;
const longestTimerMs = 2 ** 31 - 1;

/** Creates the client of a run. Its pace, limits and budgets hold for all requests of the run together. */
export function createClient(options: ClientOptions = {}): Client & Places {
  const {
    timeoutMs = defaultLimits.timeoutMs,
    concurrency = defaultLimits.loopbackConcurrency,
    waitBudgetMs = defaultLimits.waitBudgetMs,
  } = options;
  const { inFlight: reading = createInFlight({ connections: concurrency }) } = options;
  const {
    now = Date.now,
    sleep = (ms, signal) => timer(ms, undefined, { signal }),
    redactor = createRedactor(),
    signal,
  } = options;
  const connector = createConnector(options);
  const pace = createPace({ waitBudgetMs, now, ...(options.rate ? { rate: options.rate } : {}) });
  const watch = createDeadlineWatch(tickMs);
  const collector = createCollector();
  const room = { reading, holdings: createHoldings(mostHeldBytes), note: collector.note };
  const stopper = new AbortController();
  const rest = (ms: number) => sleep(ms, stopper.signal).catch(() => {});
  const queue = createQueue<Job>({ limit: concurrency, turn: pace.turn, start: begin, sleep: rest });
  const idle = new Map<string, Connection[]>();
  const inFlight = new Set<Attempt>();
  const waiting = new Set<Job>();
  let stopped: Failure | undefined;

  const interrupt = () => stop({ kind: 'aborted', why: 'the run was interrupted' });
  const overdue = () => stop({ kind: 'budget', why: 'the time for the whole run is used up' });
  signal?.addEventListener('abort', interrupt, { once: true });
  const remaining = (options.deadline ?? Number.POSITIVE_INFINITY) - Date.now();
  const alarm = remaining < longestTimerMs ? setTimeout(overdue, Math.max(0, remaining)) : undefined;
  alarm?.unref();
  if (signal?.aborted) interrupt();
  if (remaining <= 0) overdue();

  function begin(job: Job): void {
    const why = job.options.withhold?.();
    if (why !== undefined) {
      job.settle(exchangeFor(job, { kind: 'aborted', why }));
      queue.release();
      return;
    }
    const { deadlineMs = timeoutMs } = job.options;
    run(job, performance.now() + (typeof deadlineMs === 'number' ? deadlineMs : deadlineMs()));
  }

  function run(job: Job, endsAt: number): void {
    const begunAt = performance.now();
    const free = connectionsOf(job.origin ?? '');
    const connection =
      (job.fresh || job.apart ? undefined : free.pop()) ?? new Connection(job.origin ?? '', connector);
    const attempt = new Attempt(connection, endsAt, reading, (outcome) => {
      inFlight.delete(attempt);
      watch.delete(attempt);
      if (outcome.sent) job.attempts += 1;
      if (job.apart) connection.destroy();
      else if (!outcome.failure) free.push(connection);
      ended(job, outcome, begunAt, endsAt);
    });
    inFlight.add(attempt);
    watch.add(attempt);
    connection.dispatch(job.dispatch(), attempt);
  }

  function ended(job: Job, outcome: AttemptOutcome, begunAt: number, endsAt: number): void {
    if (!stopped && stale(outcome)) {
      job.fresh = true;
      run(job, endsAt);
      return;
    }
    if (outcome.failure)
      collector.note(
        outcome.failure.kind === 'too-large' ? Math.max(outcome.bytes, manyFields) : outcome.bytes,
      );
    const reply = outcome.failure ?? answer(outcome, room);
    const exchange = exchangeFor(job, reply, outcome, performance.now() - begunAt - outcome.waitedMs);
    if (stopped || job.options.noWait || !sendAgain(job, exchange.response)) job.settle(exchange);
    queue.release();
  }

  /** Sends the call again after the time that the target asked for; returns false where it does not. */
  function sendAgain(job: Job, response: Response | undefined): boolean {
    if (response?.status !== 429 && response?.status !== 503) return false;
    const limited = { status: response.status, tries: job.tries, date: header(response, 'date') };
    const ms = pace.chargeWait({ ...limited, retryAfter: header(response, 'retry-after') });
    if (ms === undefined) return false;
    job.tries += 1;
    job.waits += ms;
    job.fresh = false;
    if (response.status === 503) {
      void later(job, ms);
    } else {
      // A 429 limits the sender, not this one request: all requests wait, and go on more slowly.
      if (pace.hold(ms)) queue.narrow();
      queue.push(job, job.priority, true);
    }
    return true;
  }

  async function later(job: Job, ms: number): Promise<void> {
    waiting.add(job);
    await rest(ms);
    if (waiting.delete(job)) queue.push(job, job.priority, true);
  }

  function exchangeFor(job: Job, reply: Response | Failure, outcome?: AttemptOutcome, elapsed = 0): Exchange {
    const { request, attempts, waits } = job;
    const startedAt = outcome?.startedAt ?? Date.now();
    const about = { request, startedAt, durationMs: Math.round(elapsed * 1000) / 1000, attempts, waits };
    if ('status' in reply) return { ...about, response: reply };
    return { ...about, error: transportError(request, reply, redactor.url, outcome) };
  }

  function connectionsOf(origin: string): Connection[] {
    const known = idle.get(origin);
    if (known) return known;
    const made: Connection[] = [];
    idle.set(origin, made);
    return made;
  }

  function stop(failure: Failure): void {
    if (stopped) return;
    stopped = failure;
    clearTimeout(alarm);
    signal?.removeEventListener('abort', interrupt);
    const unsent = [...queue.clear(), ...waiting];
    waiting.clear();
    stopper.abort();
    for (const job of unsent) job.settle(exchangeFor(job, failure));
    for (const attempt of inFlight) attempt.fail(failure);
    for (const connection of [...idle.values()].flat()) connection.destroy();
    idle.clear();
    collector.end();
  }

  return {
    send: (request, sendOptions = {}) =>
      new Promise((settle) => {
        const job = createJob(request, sendOptions, settle);
        if (stopped) settle(exchangeFor(job, stopped));
        else if (!job.origin)
          settle(exchangeFor(job, { kind: 'protocol', why: 'not an absolute http or https URL' }));
        else queue.push(job, job.priority);
      }),
    atMost: queue.atMost,
    beside: queue.beside,
    close: () => stop({ kind: 'aborted', why: 'the client was closed' }),
  };
}

/**
 * Whether a kept-alive connection failed in a way that shows nothing about the target: it was closed before the
 * request, or stray bytes of an earlier answer arrived. The request is then sent again on a new connection.
 */
export const stale = switchPoint(
  ({ reused, silent, failure }: AttemptOutcome) =>
    reused && silent && (failure?.kind === 'reset' || failure?.kind === 'protocol'),
);

/** One call of `send` in progress: its request, its callback and its state. */
interface Job {
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

function createJob(request: Request, options: SendOptions, settle: (exchange: Exchange) => void): Job {
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
  await timer(waitMs, undefined, { ref: false });
  yield bytes.subarray(firstBytes);
}
