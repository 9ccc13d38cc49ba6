// Sends several requests at one moment, each on a new connection of its own or all as streams of one HTTP/2 connection,
// and measures how close together they arrive.
import type { ClientHttp2Session, ClientHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { addressOf, wireValue } from './address.ts';
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
function sentOnce(
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

// As streams of one HTTP/2 connection: what leaves in one write arrives together.

/** Fields that HTTP/2 does not know (RFC 9113, section 8.2.2), and those that node writes itself. */
const left = /^(connection|host|keep-alive|transfer-encoding|upgrade|content-length)$/i;

/** Opens a connection that speaks HTTP/2; undefined where TLS does not agree on it, and behind a proxy. */
async function open(origin: string, options: TransportOptions): Promise<ClientHttp2Session | undefined> {
  const { insecure = false, ca, proxies = {} } = options;
  if (!origin.startsWith('https:') || proxies[origin] !== undefined) return undefined;
  // Imported only here, since few runs need it.
  const { connect } = await import('node:http2');
  const session = connect(origin, { rejectUnauthorized: !insecure, ...(ca !== undefined && { ca }) });
  const isOpen = await Promise.race([
    new Promise<boolean>((settle) => {
      session.once('remoteSettings', () => settle(true));
      session.on('error', () => settle(false)).once('close', () => settle(false));
    }),
    sleep(connectMs, false, { ref: false }),
  ]);
  if (isOpen) return session;
  session.destroy();
  return undefined;
}

/** Whether a host speaks HTTP/2 with a client that offers it. Never rejects. */
export async function offersHttp2(origin: string, options: TransportOptions): Promise<boolean> {
  const session = await open(origin, options);
  session?.destroy();
  return session !== undefined;
}

/**
 * Sends the requests as streams of one connection, in one tick. Never rejects: a failure is the `error` of its
 * exchange.
 * @returns the exchanges in the order of the requests
 */
export async function burstHttp2(
  requests: readonly Request[],
  options: BurstOptions,
): Promise<readonly Exchange[]> {
  const origin = addressOf(requests[0]?.url ?? '')?.origin ?? '';
  const session = await open(origin, options);
  const timer = setTimeout(() => session?.destroy(), options.timeoutMs);
  const exchanges = await Promise.all(requests.map((request) => send(request, session)));
  clearTimeout(timer);
  session?.destroy();
  return exchanges;
}

function send(request: Request, session: ClientHttp2Session | undefined): Promise<Exchange> {
  const sentAt = performance.now();
  const { method, url, headers, body } = request;
  return new Promise((settle) => {
    const end = (parts: Pick<Exchange, 'response'> | Pick<Exchange, 'error'>) =>
      settle(sentOnce(request, parts, sentAt));
    const fail = (error: Error = new Error('closed')) => {
      const { kind, why } = failureOf(error);
      end({ error: { kind, message: `${method} ${url}: ${why}`, reusedConnection: false } });
    };
    if (session === undefined || session.destroyed) return fail();
    try {
      const stream = session.request({
        ':method': method,
        ':path': addressOf(url)?.path ?? '/',
        ...fieldsOf(headers),
      });
      take(stream, end, fail);
      stream.end(body === undefined ? undefined : Buffer.from(body as string));
    } catch (error) {
      fail(error as Error);
    }
  });
}

/** The fields to send, those of one name as a list. */
function fieldsOf(headers: Request['headers']): Record<string, string[]> {
  const fields: Record<string, string[]> = {};
  for (const [name, value] of headers) {
    if (left.test(name)) continue;
    const key = name.toLowerCase();
    fields[key] = [...(fields[key] ?? []), wireValue(value)];
  }
  return fields;
}

function take(
  stream: ClientHttp2Stream,
  end: (parts: Pick<Exchange, 'response'>) => void,
  fail: (error?: Error) => void,
): void {
  let head: { status: number; headers: [string, string][] } | undefined;
  const chunks: Buffer[] = [];
  let size = 0;
  stream.on('response', (fields) => {
    const headers = Object.entries(fields).flatMap(([name, value]) =>
      name.startsWith(':') ? [] : [value ?? []].flat().map((each): [string, string] => [name, String(each)]),
    );
    head = { status: Number(fields[':status']), headers };
  });
  stream.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    size += chunk.length;
    if (size > mostBytes) stream.destroy(new Error(`more than ${mostBytes} bytes`));
  });
  stream.on('error', fail);
  stream.on('close', () => {
    if (head === undefined || !stream.readableEnded) return fail();
    const body = Buffer.concat(chunks);
    end({ response: { ...head, body, wire: { bytes: body.length } } });
  });
}

// How close together the calls arrive from this machine, measured with a small racy server of its own: a race with a
// shorter window is found only by luck.

const callsMeasured = 8;
const measuringMs = 2_000;

/**
 * The server, in a thread of its own. It stands for a target that grants something once, but records that only after a
 * window of time. It answers the ms since the first call: with a longer window, this call would be granted it too.
 */
const racyServer = `
const { createServer } = require('node:http');
const { parentPort } = require('node:worker_threads');
const firstCall = new Map();
const server = createServer((request, response) => {
  request.resume().once('end', () => {
    const now = performance.now();
    if (!firstCall.has(request.url)) firstCall.set(request.url, now);
    response.end(String(now - firstCall.get(request.url)));
  });
});
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

/**
 * Sends bursts to the racy server.
 * @param bursts how many count; one more goes before them as a warm-up
 * @returns the shortest window, in ms, with which every burst would have been granted it twice; undefined where that is
 * not known
 */
export async function shortestWindowMs(bursts: number): Promise<number | undefined> {
  const server = new Worker(racyServer, { eval: true });
  try {
    const port = await new Promise<number>((ready, fail) =>
      server.once('message', ready).once('error', fail),
    );
    const windows: number[] = [];
    for (let nth = 0; nth <= bursts; nth += 1) {
      const url = `http://127.0.0.1:${port}/${nth}`;
      const request: Request = { method: 'POST', url, headers: [], body: '{}' };
      const answers = await burst(Array<Request>(callsMeasured).fill(request), 'last-byte', {
        timeoutMs: measuringMs,
      });
      const after = answers.map(({ response }) =>
        Number(Buffer.from(response?.body ?? []).toString() || Number.NaN),
      );
      // The delay of the second call; burst 0 is the warm-up.
      if (nth > 0) windows.push(after.toSorted((a, b) => a - b)[1] ?? Number.NaN);
    }
    const widest = Math.max(...windows);
    return Number.isFinite(widest) ? widest : undefined;
  } catch {
    return undefined;
  } finally {
    await server.terminate();
  }
}
