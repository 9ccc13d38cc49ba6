// Sends several requests at one moment as streams of one HTTP/2 connection: what leaves in one write arrives together.
import type { ClientHttp2Session, ClientHttp2Stream } from 'node:http2';
import { setTimeout as sleep } from 'node:timers/promises';
import { addressOf, wireValue } from './address.ts';
import { failureOf } from './attempt.ts';
import { type BurstOptions, sentOnce } from './burst.ts';
import type { TransportOptions } from './connection.ts';
import type { Exchange, Request } from './exchange.ts';

const connectMs = 3_000;
const mostBytes = 2 ** 20;

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
