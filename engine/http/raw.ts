// Sends one request on its own connection and reads every byte of the answer, without a parser that tolerates framing
// mistakes.
import type { Socket } from 'node:net';
import { switchPoint } from '../values/switch-points.ts';
import { addressOf, wireValue } from './address.ts';
import { type Failure, failureOf } from './attempt.ts';
import { createInFlight, type InFlight } from './body-limits.ts';
import { openTo, proxyAt, type TransportOptions, tunnel } from './connection.ts';
import { type Headers, header, headerAll, type Method } from './exchange.ts';
import { type RawFinding, type RawHead, readHead, shown } from './raw-head.ts';

type Chunked =
  | { readonly state: 'open' | 'complete'; readonly body: Buffer; readonly end: number }
  | { readonly state: 'malformed'; readonly body: Buffer; readonly end: number; readonly why: string };

const longestLine = 4096;
const sizeLine = /^([0-9a-fA-F]{1,8})(?:[ \t]*;[^\r\n]*)?$/;

/** Reads chunked content from `start` (RFC 9112 7.1); `end` is where the content ends or stops being valid. */
export function readChunks(bytes: Buffer, start: number): Chunked {
  // Copies all chunks into one buffer, so that a target that sends one byte at a time does not fill the memory.
  const content = Buffer.allocUnsafe(Math.max(0, bytes.length - start));
  let length = 0;
  let at = start;
  const body = () => content.subarray(0, length);
  const readSoFar = (state: 'open' | 'complete') => ({ state, body: body(), end: at });
  const wrong = (why: string): Chunked => ({ state: 'malformed', body: body(), end: at, why });

  for (;;) {
    const line = readLine(bytes, at);
    if (!line)
      return bytes.length - at > longestLine ? wrong('a chunk-size line without end') : readSoFar('open');
    if (line.bare) return wrong('a chunk-size line ends in LF alone');
    const size = Number.parseInt(sizeLine.exec(line.text)?.[1] ?? '', 16);
    if (Number.isNaN(size)) return wrong(`chunk size ${JSON.stringify(line.text.slice(0, 40))}`);
    if (size === 0) {
      const end = endOfTrailers(bytes, line.next);
      if (end === undefined) return readSoFar('open');
      at = end;
      return readSoFar('complete');
    }
    const close = line.next + size;
    length += bytes.copy(content, length, line.next, close);
    if (bytes.length < close + 2) return readSoFar('open');
    if (bytes[close] !== 13 || bytes[close + 1] !== 10)
      return wrong(`no CRLF after a chunk of ${size} bytes`);
    at = close + 2;
  }
}

interface Line {
  readonly text: string;
  readonly bare: boolean;
  readonly next: number;
}

function readLine(bytes: Buffer, start: number): Line | undefined {
  const lf = bytes.indexOf(10, start);
  if (lf < 0) return undefined;
  const bare = bytes[lf - 1] !== 13 || lf === start;
  return { text: bytes.toString('latin1', start, bare ? lf : lf - 1), bare, next: lf + 1 };
}

function endOfTrailers(bytes: Buffer, start: number): number | undefined {
  for (let line = readLine(bytes, start); line; line = readLine(bytes, line.next)) {
    if (line.text === '') return line.next;
  }
  return undefined;
}

interface RawMessage extends Readonly<Content> {
  /** The final head; undefined while none has arrived. */
  readonly head: RawHead | undefined;
}

const empty = Buffer.alloc(0);

/** Whether another head follows a head of this status (RFC 9110, section 15.2). After 101 another protocol follows. */
export const isInterim = switchPoint(
  (status: number): boolean => status >= 100 && status < 200 && status !== 101,
);

/** Reads the bytes that arrived on a connection in answer to one request. `closed`: nothing more will arrive. */
export function readMessage(bytes: Buffer, method: string, closed: boolean): RawMessage {
  const interim: RawHead[] = [];
  let start = 0;
  let head = readHead(bytes, start);
  while (head && isInterim(head.status)) {
    interim.push(head);
    start += head.bytes.length;
    head = readHead(bytes, start);
  }
  if (!head)
    return {
      head,
      body: empty,
      complete: false,
      findings: headless(bytes, start, closed),
    };
  const rest = bytes.subarray(start + head.bytes.length);
  const framing = framingOf(head);
  const content = contentOf(head, rest, method, framing.length, closed);
  const findings = [...interim, head].flatMap((each) => each.findings);
  return {
    head,
    body: content.body,
    complete: content.complete,
    findings: [...findings, ...framing.findings, ...content.findings],
  };
}

function headless(bytes: Buffer, start: number, closed: boolean): RawFinding[] {
  if (!closed || bytes.length === start) return [];
  return [{ kind: 'malformed-head', detail: `no end of the head in ${shown(bytes.subarray(start))}` }];
}

type Length = number | 'chunked' | 'close';

function framingOf(head: RawHead): { length: Length; findings: RawFinding[] } {
  const findings: RawFinding[] = [];
  const lengths = headerAll(head, 'content-length');
  const codings = headerAll(head, 'transfer-encoding').join(', ');
  if (lengths.length > 1) findings.push({ kind: 'duplicate-content-length', detail: lengths.join(' and ') });
  const [length] = lengths;
  if (length !== undefined && codings !== '') {
    findings.push({
      kind: 'length-and-transfer-encoding',
      detail: `Content-Length ${length} beside Transfer-Encoding ${codings}`,
    });
  }
  if (/(^|,)\s*chunked\s*$/i.test(codings)) return { length: 'chunked', findings };
  if (codings !== '' || length === undefined) return { length: unstatedLength(), findings };
  if (/^\d{1,15}$/.test(length)) return { length: Number(length), findings };
  findings.push({ kind: 'invalid-content-length', detail: shown(Buffer.from(length, 'latin1')) });
  return { length: 'close', findings };
}

/** Content of no stated length ends with the connection (RFC 9112, section 6.3). The prover makes it 0. */
export const unstatedLength = switchPoint((): Length => 'close');

interface Content {
  /** The content without its framing: chunks joined, cut at Content-Length. */
  readonly body: Buffer;
  /** The framing says that the message is complete. */
  readonly complete: boolean;
  readonly findings: RawFinding[];
}

function contentOf(head: RawHead, rest: Buffer, method: string, length: Length, closed: boolean): Content {
  const stray = `${rest.length} bytes: ${shown(rest)}`;
  if (method === 'HEAD') return bodiless(rest, { kind: 'content-after-head', detail: stray });
  if (head.status === 204 || head.status === 304) {
    return bodiless(rest, { kind: 'content-after-no-content', detail: `after ${head.status}, ${stray}` });
  }
  if (length === 'close') return { body: rest, complete: closed, findings: [] };
  if (length === 'chunked') return chunked(rest, closed);
  const short = closed && rest.length < length;
  return {
    body: rest.subarray(0, length),
    complete: rest.length >= length,
    findings: [
      ...extra(rest, length),
      ...(short ? [{ kind: 'short-body' as const, detail: `${rest.length} of ${length} bytes` }] : []),
    ],
  };
}

function bodiless(rest: Buffer, finding: RawFinding): Content {
  return { body: empty, complete: true, findings: rest.length > 0 ? [finding] : [] };
}

function chunked(rest: Buffer, closed: boolean): Content {
  const read = readChunks(rest, 0);
  const { body, end } = read;
  if (read.state === 'malformed') {
    return { body, complete: true, findings: [{ kind: 'malformed-chunking', detail: read.why }] };
  }
  if (read.state === 'complete') return { body, complete: true, findings: extra(rest, end) };
  const detail = `closed before the last chunk, after ${body.length} bytes of content`;
  return { body, complete: false, findings: closed ? [{ kind: 'short-body', detail }] : [] };
}

function extra(rest: Buffer, end: number): RawFinding[] {
  if (rest.length <= end) return [];
  const stray = rest.subarray(end);
  return [{ kind: 'bytes-after-end', detail: `${stray.length} bytes: ${shown(stray)}` }];
}

export interface RawProbe extends TransportOptions {
  readonly method?: Method;
  /** Fields that are sent besides Host and Connection. */
  readonly headers?: Headers;
  /** Default `close`. With `keep-alive`, a complete answer is over when nothing follows it for 250 ms. */
  readonly connection?: 'close' | 'keep-alive';
  /** Longest time without a byte, connecting included, in ms. Default 3,000. */
  readonly deadlineMs?: number;
  /** The limit on bytes that are read at one time, shared with other readers. */
  readonly inFlight?: InFlight;
}

interface RawAnswer extends RawMessage {
  /** Why nothing more was read: the byte limit, the time limit, an error. */
  readonly failure?: Failure;
}

/** Longest time for the whole answer, in ms; time in which reading is paused does not count. */
const wholeMs = 10_000;

/** Most bytes of heads, interim ones included: twice the client's limit. */
const mostHead = 64 * 1024;
const quietMs = 250;

/** Sends a request without a body on its own connection, and reads every byte that comes back. Never rejects. */
export function rawProbe(url: string, probe: RawProbe = {}): Promise<RawAnswer> {
  const { method = 'GET', connection = 'close', headers = [], deadlineMs = 3_000 } = probe;
  const message = headOf(method, url, [['connection', connection], ...headers]);
  const origin = addressOf(url)?.origin;
  const never = (why: string): Promise<RawAnswer> => {
    const failure: Failure = { kind: 'protocol', why };
    return Promise.resolve({ ...readMessage(Buffer.alloc(0), method, true), failure });
  };
  if (message === undefined || origin === undefined) return never('the request cannot be written');
  if (/^http:/i.test(origin) && probe.proxies?.[origin] !== undefined)
    return never('it is asked through a proxy, whose framing it would be');
  return new Promise((resolve) => {
    const { maxBytes, share, enter, leave } = probe.inFlight ?? createInFlight({ connections: 1 });
    const reader = {};
    const chunks: Buffer[] = [];
    let size = 0;
    let hasHead = false;
    let quiet: NodeJS.Timeout | undefined;
    let finished = false;

    const finish = (closed: boolean, failure?: Failure) => {
      if (finished) return;
      finished = true;
      clearTimeout(limit);
      clearTimeout(quiet);
      opened.destroy();
      leave(reader);
      const read = readMessage(Buffer.concat(chunks), method, closed);
      resolve(failure ? { ...read, failure } : read);
    };
    const overdue = () => finish(false, { kind: 'timeout', why: 'no end in time' });
    const settle = () => {
      if (readMessage(Buffer.concat(chunks), method, false).complete) finish(false);
    };
    const begin = (socket: Socket) => {
      const hold = () => {
        const heldSince = performance.now();
        clearTimeout(limit);
        clearTimeout(quiet);
        socket.pause();
        return () => {
          if (finished) return;
          endsAt += performance.now() - heldSince;
          quiet = setTimeout(settle, quietMs);
          wait();
          socket.resume();
        };
      };
      socket.on('data', (chunk: Buffer) => {
        const wasLarge = size > share;
        chunks.push(chunk);
        size += chunk.length;
        clearTimeout(quiet);
        if (size > mostHead) hasHead ||= readMessage(Buffer.concat(chunks), method, false).head !== undefined;
        if (size > maxBytes || (size > mostHead && !hasHead)) {
          const why = hasHead ? `more than ${maxBytes} bytes` : `a head of more than ${mostHead} bytes`;
          finish(false, { kind: 'too-large', why });
          return;
        }
        quiet = setTimeout(settle, quietMs);
        wait();
        if (size <= share || wasLarge) return;
        let resume = () => {};
        if (!enter(reader, () => resume())) resume = hold();
      });
      socket.on('error', (error) => finish(true, failureOf(error, size > 0)));
      socket.on('close', () => finish(true));
      socket.write(message, 'latin1');
    };
    let endsAt = performance.now() + wholeMs;
    let limit: NodeJS.Timeout | undefined;
    const wait = () => {
      clearTimeout(limit);
      limit = setTimeout(overdue, Math.min(deadlineMs, endsAt - performance.now()));
    };
    wait();
    const opened = openSocket(origin, probe, begin, (error) => finish(true, failureOf(error)));
  });
}

/** The framing mistakes in raw answers of a host, a line each, and why an answer could not be read. */
export interface RawFindings {
  readonly findings: readonly string[];
  readonly failure?: Failure;
}

/**
 * Reads a URL by GET on a connection that closes, by GET and HEAD on connections that stay open, and, where the answer
 * has an ETag, by a GET that asks for a 304.
 */
export async function rawFindings(url: string, how: RawProbe): Promise<RawFindings> {
  const staying = { ...how, connection: 'keep-alive' } as const;
  const [plain, ...others] = await Promise.all([
    rawProbe(url, how),
    rawProbe(url, staying),
    rawProbe(url, { ...staying, method: 'HEAD' }),
  ]);
  const answers = [plain, ...others];
  const etag = plain.head && header(plain.head, 'etag');
  if (plain.head?.status === 200 && etag !== undefined)
    answers.push(
      await rawProbe(url, { ...staying, headers: [...(how.headers ?? []), ['if-none-match', etag]] }),
    );
  const lines = answers.flatMap(({ findings }) => findings.map(({ kind, detail }) => `${kind}: ${detail}`));
  const failure = answers.find((answer) => answer.failure !== undefined)?.failure;
  return { findings: [...new Set(lines)], ...(failure && { failure }) };
}

/**
 * Opens a socket to an origin, for https through its proxy, and passes it to `begin`.
 * @returns at once a socket that can be destroyed at any time
 */
export function openSocket(
  origin: string,
  options: TransportOptions,
  begin: (socket: Socket) => void,
  fail: (error: Error | null) => void,
): Socket {
  const { protocol, hostname, port } = new URL(origin);
  const proxy = options.proxies?.[origin];
  if (proxy !== undefined && protocol !== 'http:')
    return tunnel(proxyAt(proxy), `${hostname}:${port || 443}`, options, (error, socket) =>
      socket === null ? fail(error) : begin(openTo(origin, options, socket)),
    );
  const socket = openTo(origin, options);
  begin(socket);
  return socket;
}

/**
 * The head of a request, to be written in latin1; a Host field comes first, unless `fields` hold one.
 * @returns undefined where the URL is not absolute http(s), or a line would hold CR, LF or NUL
 */
export function headOf(method: string, url: string, fields: Headers): string | undefined {
  const address = addressOf(url);
  if (address === undefined) return undefined;
  const hasHost = fields.some(([name]) => name.toLowerCase() === 'host');
  const host: Headers = hasHost ? [] : [['host', address.origin.replace(/^https?:\/\//i, '')]];
  const lines = [
    `${method} ${address.path} HTTP/1.1`,
    ...[...host, ...fields].map(([name, value]) => `${name}: ${wireValue(value)}`),
  ];
  return lines.some((line) => /[\r\n\0]/.test(line)) ? undefined : `${lines.join('\r\n')}\r\n\r\n`;
}
