// Sends several requests at one moment, each on a new connection of its own.
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { addressOf } from './address.ts';
import { type Failure, failureOf } from './attempt.ts';
import type { TransportOptions } from './connection.ts';
import type { Exchange, Headers, Request } from './exchange.ts';
import { headOf, openSocket, readMessage } from './raw.ts';

/**
 * How the requests are released. `last-byte`: all but the last byte of each is sent before, and the last bytes in one
 * tick. `whole`: each is sent whole, all in one tick. `one-connection`: the same, as streams of one HTTP/2 connection.
 */
export type Release = 'last-byte' | 'whole' | 'one-connection';

export interface BurstOptions extends TransportOptions {
  /** Wall clock from the release to the last answer, in ms. */
  readonly timeoutMs: number;
}

/** Most requests at a time. */
export const mostAtOnce = 16;
/** Wait before the last bytes, so that the first have arrived and a missing acknowledgement does not delay the last. */
const warmMs = 20;
const connectMs = 3_000;
const mostBytes = 2 ** 20;

/**
 * Sends the requests at once, at most 16. Never rejects: what goes wrong with one is its exchange's `error`.
 * @returns the exchanges in the order of the requests
 */
export async function burst(
  requests: readonly Request[],
  release: Release,
  options: BurstOptions,
): Promise<readonly Exchange[]> {
  const connections = requests.slice(0, mostAtOnce).map((request) => openConnection(request, options));
  await Promise.race([Promise.all(connections.map(({ connected }) => connected)), sleep(connectMs)]);
  if (release === 'last-byte') {
    for (const { sendFirst } of connections) sendFirst();
    await sleep(warmMs);
  }
  for (const { sendRest } of connections) sendRest();
  const timer = setTimeout(() => {
    for (const { fail } of connections) fail({ kind: 'timeout', why: 'no whole answer in time' });
  }, options.timeoutMs);
  const exchanges = await Promise.all(connections.map(({ exchange }) => exchange));
  clearTimeout(timer);
  return exchanges;
}

interface BurstConnection {
  /** Resolves as soon as bytes can be sent, or the connection has failed. */
  readonly connected: Promise<void>;
  readonly sendFirst: () => void;
  /** Sends what was not sent yet. */
  readonly sendRest: () => void;
  readonly fail: (failure: Failure) => void;
  readonly exchange: Promise<Exchange>;
}

function openConnection(request: Request, options: BurstOptions): BurstConnection {
  const connected = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<Exchange>();
  const message = messageOf(request);
  const chunks: Buffer[] = [];
  let size = 0;
  let sentAt: number | undefined;
  let first = 0;
  let socket: Socket | undefined;

  const end = (parts: Pick<Exchange, 'response'> | Pick<Exchange, 'error'>) => {
    connected.resolve();
    opened?.destroy();
    ended.resolve(sentOnce(request, parts, sentAt));
  };
  const fail = ({ kind, why }: Failure) =>
    end({ error: { kind, message: `${request.method} ${request.url}: ${why}`, reusedConnection: false } });
  const take = (closed: boolean) => {
    const { head, body, complete } = readMessage(Buffer.concat(chunks), request.method, closed);
    if (head === undefined || !complete) {
      if (closed) fail({ kind: 'reset', why: 'the connection ended before the answer' });
      return;
    }
    const { status, headers } = head;
    const wire = { bytes: body.length };
    end({ response: { status, headers, body, wire } });
  };
  const begin = (made: Socket) => {
    socket = made;
    made.once('encrypted' in made ? 'secureConnect' : 'connect', () => connected.resolve());
    made.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > mostBytes) fail({ kind: 'too-large', why: `more than ${mostBytes} bytes` });
      else take(false);
    });
    made.on('error', (error) => fail(failureOf(error, size > 0)));
    made.on('close', () => take(true));
  };
  const origin = addressOf(request.url)?.origin;
  const opened =
    message === undefined || origin === undefined
      ? undefined
      : openSocket(origin, options, begin, (error) => fail(failureOf(error)));
  if (opened === undefined) fail({ kind: 'protocol', why: 'the request cannot be written' });
  const send = (to: number) => {
    if (message !== undefined && first < to) socket?.write(message.subarray(first, to));
    first = to;
  };
  return {
    connected: connected.promise,
    sendFirst: () => send((message?.length ?? 0) - 1),
    sendRest: () => {
      sentAt = performance.now();
      send(message?.length ?? 0);
    },
    fail,
    exchange: ended.promise,
  };
}

/**
 * The exchange of a request that was sent once, and has just ended.
 * @param sentAt on the clock of `performance.now()`; undefined where it was never sent
 */
export function sentOnce(
  request: Request,
  parts: Pick<Exchange, 'response'> | Pick<Exchange, 'error'>,
  sentAt = performance.now(),
): Exchange {
  const startedAt = Math.round(performance.timeOrigin + sentAt);
  const durationMs = Math.round(performance.now() - sentAt);
  return { request, ...parts, startedAt, durationMs, attempts: 1, waits: 0 };
}

/** The bytes of a request; undefined where a header cannot be written. */
export function messageOf({ method, url, headers, body }: Request): Buffer | undefined {
  const bytes = body === undefined ? Buffer.alloc(0) : Buffer.from(body as string);
  const length: Headers = body === undefined ? [] : [['content-length', String(bytes.length)]];
  const head = headOf(method, url, [['connection', 'close'], ...length, ...headers]);
  return head === undefined ? undefined : Buffer.concat([Buffer.from(head, 'latin1'), bytes]);
}
