// Connects to hosts: through proxies (RFC 9110 7.2, 9.3.6), with TLS settings, and reads a host's certificate.
import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect, createSecureContext, type TLSSocket } from 'node:tls';
import type { Dispatcher } from 'undici';
import buildConnector from 'undici/lib/core/connect.js';
import Client from 'undici/lib/dispatcher/client.js';
import { is2xx } from '../values/status.ts';
import { addressOf } from './address.ts';
import { failureOf } from './attempt.ts';
import { readHead } from './raw-head.ts';

interface ProxyServer {
  /** Without user information, so that messages may show it. */
  readonly origin: string;
  /** The value of `Proxy-Authorization`, where its URL holds a login. */
  readonly authorization: string | undefined;
}

/** @param url http or https; user information is the login at the proxy */
export function proxyAt(url: string): ProxyServer {
  const { origin, username, password } = new URL(url);
  const login = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
  return { origin, authorization: username === '' ? undefined : `Basic ${login.toString('base64')}` };
}

/** Why a proxy did not reach the target; carries an error code, so that it is classified like any other error. */
class ProxyError extends Error {
  override readonly name = 'ProxyError';
  readonly code: string | undefined;

  constructor({ origin }: ProxyServer, why: string, code?: string) {
    super(`the proxy ${origin} ${why}`);
    this.code = code;
  }
}

interface DialOptions {
  readonly insecure?: boolean;
  readonly ca?: string | undefined;
}

type Dialled = (error: Error | null, socket: Socket | null) => void;

/** Opens a connection to an origin, with a TLS handshake for https; `over` is an open connection to use for that. */
export function openTo(origin: string, { insecure = false, ca }: DialOptions, over?: Socket): Socket {
  const { protocol, hostname, port } = new URL(origin);
  const host = hostname.replace(/^\[|\]$/g, '');
  if (protocol === 'http:') return connectPlain({ host, port: Number(port) || 80 });
  return connect({
    host,
    port: Number(port) || 443,
    rejectUnauthorized: !insecure,
    ...(ca !== undefined && { ca }),
    // A name may be announced, an IP address may not (RFC 6066 3).
    ...(isIP(host) === 0 && { servername: host }),
    ...(over && { socket: over }),
  });
}

/** Opens a connection to the proxy itself; the callback is called once. */
function dial(proxy: ProxyServer, options: DialOptions, callback: Dialled): Socket {
  const isTls = proxy.origin.startsWith('https:');
  const socket = openTo(proxy.origin, options);
  socket.setNoDelay(true);
  const failed = (error: NodeJS.ErrnoException) => {
    socket
      .off('error', failed)
      .off('close', closed)
      .on('error', () => {});
    const { code = '', message } = error instanceof AggregateError ? (error.errors[0] ?? error) : error;
    callback(new ProxyError(proxy, `is not reached: ${message}`, code), null);
  };
  const closed = () => failed(Object.assign(new Error('closed'), { code: 'ECONNRESET' }));
  socket
    .once('error', failed)
    .once('close', closed)
    .once(isTls ? 'secureConnect' : 'connect', () => {
      socket.off('error', failed).off('close', closed);
      callback(null, socket);
    });
  return socket;
}

const longestHead = 16 * 1024;
/** Statuses by which a proxy says that it cannot reach the target. */
const targetAway = new Set([502, 503, 504]);

/**
 * Opens a tunnel through the proxy to a host; the callback gets a socket that is used like a direct connection.
 * @param authority host and port
 * @returns at once the connection to the proxy, so that it can be destroyed at any time
 */
export function tunnel(
  proxy: ProxyServer,
  authority: string,
  options: DialOptions,
  callback: Dialled,
): Socket {
  return dial(proxy, options, (failure, socket) => {
    if (socket === null) return callback(failure, null);
    let read = Buffer.alloc(0);
    const finish = (error: Error | null) => {
      socket.off('data', take).off('error', broken).off('close', closed);
      if (error === null) return callback(null, socket);
      socket.on('error', () => {}).destroy();
      return callback(error, null);
    };
    const broken = (error: NodeJS.ErrnoException) =>
      finish(new ProxyError(proxy, `broke off: ${error.message}`, error.code ?? ''));
    const closed = () => finish(new ProxyError(proxy, 'closed the connection', 'ECONNRESET'));
    const take = (chunk: Buffer) => {
      read = Buffer.concat([read, chunk]);
      const head = readHead(read, 0);
      if (head === undefined) {
        if (read.length > longestHead) finish(new ProxyError(proxy, 'sends a head without end'));
        return;
      }
      if (!is2xx(head.status)) {
        const why = head.status === 407 ? ' (it wants user and password in its URL)' : '';
        const code = targetAway.has(head.status) ? 'ECONNREFUSED' : undefined;
        finish(new ProxyError(proxy, `answered ${head.status} to CONNECT ${authority}${why}`, code));
        return;
      }
      socket.pause();
      finish(null);
    };
    socket.on('data', take).once('error', broken).once('close', closed);
    const login = proxy.authorization === undefined ? '' : `Proxy-Authorization: ${proxy.authorization}\r\n`;
    socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${login}\r\n`);
    return undefined;
  });
}

export interface TlsOptions {
  /** Accept any certificate. */
  readonly insecure?: boolean;
  /** PEM certificates to trust instead of the system's. */
  readonly ca?: string;
}

/** How hosts are reached. */
export interface TransportOptions extends TlsOptions {
  /** By origin, the URL of the proxy for a host; user information in the URL is the login at the proxy. */
  readonly proxies?: Readonly<Record<string, string>>;
}

interface Connector {
  /** Opens connections in the form that undici takes; what it returns can be destroyed at any time. */
  readonly connect: buildConnector.connector;
  readonly proxyOf: (origin: string) => ProxyServer | undefined;
}

/** The longest head of an answer: bytes of names and values, and fields. A longer one fails the call as `too-large`. */
const maxHeaderSize = 32 * 1024;
const mostFields = 1_000;

/** One connector for all connections of a client, so that TLS sessions are resumed. HTTP/1.1 only. */
export function createConnector(options: TransportOptions): Connector {
  const { insecure = false, ca, proxies = {} } = options;
  const plain = buildConnector({ allowH2: false, timeout: 0 });
  let overTls: buildConnector.connector | undefined;
  // Making a context takes as long as a handshake, so all connections share one.
  const makeOverTls = () =>
    buildConnector({
      allowH2: false,
      rejectUnauthorized: !insecure,
      timeout: 0,
      secureContext: createSecureContext(ca === undefined ? {} : { ca }),
    });
  const direct: buildConnector.connector = (to, callback) => {
    if (to.protocol !== 'https:') return plain(to, callback);
    overTls ??= makeOverTls();
    return overTls(to, callback);
  };
  const proxyOf = (origin: string) => {
    const url = proxies[origin];
    return url === undefined ? undefined : proxyAt(url);
  };
  const connect: buildConnector.connector = (to, callback) => {
    const proxy = proxyOf(`${to.protocol}//${to.host}`);
    if (proxy === undefined) return direct(to, callback);
    const done = (error: Error | null, socket: Socket | null) =>
      socket === null ? callback(error ?? new Error('no connection'), null) : callback(null, socket);
    if (to.protocol !== 'https:') return dial(proxy, options, done);
    const authority = to.port ? to.host : `${to.host}:443`;
    return tunnel(proxy, authority ?? to.hostname, options, (error, socket) => {
      if (socket === null) done(error, null);
      else direct({ ...to, httpSocket: socket }, callback);
    });
  };
  return { connect, proxyOf };
}

/**
 * One connection to one origin, carrying one request at a time. It opens when first used and again after
 * the target has closed it; `served` counts answers on the present connection, so a request knows whether
 * its connection was fresh. A pool would hide that.
 */
export class Connection {
  served = 0;
  /** The proxy of an http origin, which gets requests in absolute form; undefined where there is none. */
  readonly forwarder: ProxyServer | undefined;
  readonly #origin: string;
  readonly #client: Client;
  #socket: Socket | undefined;

  constructor(origin: string, { connect, proxyOf }: Connector) {
    this.#origin = origin;
    this.forwarder = /^http:/i.test(origin) ? proxyOf(origin) : undefined;
    this.#client = new Client(origin, {
      pipelining: 1,
      maxHeaderSize,
      // The client keeps deadlines itself, so undici needs no timers for each request.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: (options, callback) => {
        const socket: unknown = connect(options, (...result) => {
          this.served = 0;
          callback(...result);
          if (result[1]) mendParser(result[1]);
        });
        this.#socket = socket as Socket;
      },
    });
  }

  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    const sent = this.forwarder ? absolute(options, this.#origin, this.forwarder) : options;
    this.#client.dispatch(sent, handler);
  }

  /** Closes it at once, also while it is connecting, when undici would wait for the connection first. */
  destroy(): void {
    this.#client.destroy(null, () => {});
    this.#socket?.destroy();
  }
}

function absolute(
  options: Dispatcher.DispatchOptions,
  origin: string,
  { authorization }: ProxyServer,
): Dispatcher.DispatchOptions {
  const login = authorization === undefined ? [] : ['proxy-authorization', authorization];
  return {
    ...options,
    path: origin + options.path,
    headers: [...((options.headers ?? []) as string[]), ...login],
  };
}

/** The parts of undici's response parser that are used here; undici does not export it. */
interface Parser {
  /** Names and values, alternating. */
  readonly headers: readonly unknown[];
  readonly headersSize: number;
  readonly headersMaxSize: number;
  onHeadersComplete(status: number, ...rest: boolean[]): number;
  /** Called for each name and each value; ends the connection where the head is too long. */
  trackHeader(length: number): void;
}

/**
 * Corrects two behaviours of undici's parser; does nothing where the socket has none.
 *
 * undici drops the connection at a 100 that it did not ask for, but RFC 9110 15.2 wants it skipped like any other 1xx.
 * undici skips 102, so its parser gets 102 instead.
 *
 * At a head that is too long, undici ends the connection but parses the bytes it already has, and keeps two objects for
 * each field: 3 MiB of garbage for 10,000 fields. Here parsing stops at once, and the number of fields is limited too.
 */
function mendParser(socket: object): void {
  const key = Object.getOwnPropertySymbols(socket).find((symbol) => symbol.description === 'parser');
  const parser = key && (socket as Record<symbol, Parser>)[key];
  const { onHeadersComplete: complete, trackHeader: track } = parser ?? {};
  if (!parser || !complete || !track) return;
  parser.onHeadersComplete = (status, ...rest) =>
    complete.call(parser, status === 100 ? 102 : status, ...rest);
  parser.trackHeader = (length) => {
    track.call(parser, parser.headers.length > 2 * mostFields ? parser.headersMaxSize : length);
    if (parser.headersSize >= parser.headersMaxSize) throw new Error('the head is too long');
  };
}

// The certificate of a host, read apart from every call, so that an untrusted one can be reported.

/** What a TLS handshake shows of a host's certificate, as plain data. */
export interface Certificate {
  /** Such as `TLSv1.3`; undefined where the handshake failed. */
  readonly protocol?: string;
  /** Why a client that checks certificates distrusts it, as a code or a phrase; undefined where it is trusted. */
  readonly distrusted?: string;
  /** The names that the certificate is for, such as `DNS:localhost, IP Address:127.0.0.1`. */
  readonly names?: string;
  /** When it expires, in ms since the epoch. */
  readonly endsAt?: number;
}

const longestNames = 120;

/**
 * Reads a host's certificate by a TLS handshake, without a request. Never rejects.
 * @param deadlineMs wall clock, connecting included
 * @returns undefined where the URL is not https
 */
export async function certificateOf(
  url: string,
  { ca, proxies = {}, deadlineMs }: Omit<TransportOptions, 'insecure'> & { readonly deadlineMs: number },
): Promise<Certificate | undefined> {
  const origin = addressOf(url)?.origin;
  if (!origin || !/^https:/i.test(origin)) return undefined;
  const { hostname, port } = new URL(origin);
  const proxy = proxies[origin];
  return new Promise((resolve) => {
    const finish = (found: Certificate) => {
      clearTimeout(limit);
      opened.destroy();
      resolve(found);
    };
    const limit = setTimeout(() => finish({ distrusted: 'no handshake in time' }), deadlineMs);
    const shake = (over?: Socket): Socket => {
      const socket = openTo(origin, { insecure: true, ca }, over) as TLSSocket;
      socket.on('error', (error) => finish({ distrusted: failureOf(error).why }));
      socket.once('secureConnect', () => finish(shownBy(socket)));
      return socket;
    };
    const opened: Socket =
      proxy === undefined
        ? shake()
        : tunnel(proxyAt(proxy), `${hostname}:${port || 443}`, { ca }, (error, socket) =>
            socket === null ? finish({ distrusted: failureOf(error).why }) : void shake(socket),
          );
  });
}

function shownBy(socket: TLSSocket): Certificate {
  const { subjectaltname, valid_to } = socket.getPeerCertificate();
  const endsAt = Date.parse(valid_to ?? '');
  return {
    protocol: socket.getProtocol() ?? 'TLS',
    ...(!socket.authorized && { distrusted: String(socket.authorizationError) }),
    ...(subjectaltname !== undefined && { names: subjectaltname.slice(0, longestNames) }),
    ...(!Number.isNaN(endsAt) && { endsAt }),
  };
}
