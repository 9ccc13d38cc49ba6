// Writes the curl command that repeats a request, with secrets as shell variables.
import { bytesOf, isPlain, type Piece, print, remarked, word } from '../values/shell.ts';
import { addressOf, wireValue } from './address.ts';
import type { TransportOptions } from './connection.ts';
import type { Request } from './exchange.ts';
import {
  isCredentialHeader,
  isCredentialParameter,
  type Secrets,
  type Splitter,
  sessionVariable,
  splitter,
} from './redact.ts';

export interface CurlTransport extends TransportOptions {
  /** The file that holds `ca`. */
  readonly caFile?: string;
}

/** The curl options for the request's TLS settings and proxy. The login at a proxy is left out. */
function transportOf(url: string, { insecure, caFile, proxies = {} }: CurlTransport): string[] {
  const origin = addressOf(url)?.origin ?? '';
  const proxy = proxies[origin];
  const isTls = /^https:/i.test(origin);
  return [
    ...(isTls && insecure ? ['--insecure'] : []),
    ...(isTls && caFile !== undefined ? ['--cacert', word([{ bytes: bytesOf(caFile) }])] : []),
    ...(proxy === undefined ? [] : ['--proxy', word([{ bytes: bytesOf(new URL(proxy).origin) }])]),
  ];
}

/** How a curl command gets the body that it sends. */
interface Body {
  readonly options: readonly string[];
  /** A command whose output is the body. */
  readonly source?: string;
  /** Says what the command does not repeat. */
  readonly remark?: string;
}

/** Most bytes that are shown: a whole batch of log records fits, since a body that is cut off is not JSON. */
const mostShown = 32 * 1024;
const piped = ['--data-binary', '@-'];

/** Undefined where no body is sent. */
function bodyOf({ method, body }: Request, show: Splitter): Body | undefined {
  // The client announces an empty body where the method expects one; curl does so only when given one.
  if (body === undefined && !/^(POST|PUT|PATCH)$/.test(method)) return undefined;
  const bytes =
    typeof body === 'string' ? bytesOf(body.toWellFormed()) : Buffer.from(body ?? '').toString('latin1');
  if (bytes === '' && !/^(POST|PUT|PATCH)$/.test(method)) return undefined;
  if (method === 'HEAD') return { options: [], remark: `curl cannot send the body of ${bytes.length} bytes` };
  if (bytes.length > mostShown) return long(bytes, show);
  const pieces = show(bytes);
  if (!isPlain(bytes)) return { options: piped, source: print(pieces) };
  // --data-binary would take what follows an @ for the name of a file.
  return { options: [bytes.startsWith('@') ? '--data-raw' : '--data-binary', word(pieces)] };
}

/** A body too long to show whole: a run of one byte, of which large test bodies consist, is made by a command. */
function long(bytes: string, show: Splitter): Body {
  const parts = withRuns(bytes);
  const shown = parts.reduce((sum, part, index) => sum + (index % 2 === 0 ? part.length : 0), 0);
  if (shown > mostShown) {
    const start = Buffer.from(bytes.slice(0, mostShown), 'latin1');
    return {
      options: piped,
      source: print(show(start.toString('latin1'))),
      remark: `body shortened: ${bytes.length} bytes were sent, these are the first ${mostShown}`,
    };
  }
  const commands = parts.flatMap((part, index) => {
    if (part === '') return [];
    return index % 2 === 0 ? [print(show(part))] : [repeat(part)];
  });
  const [only] = commands;
  return {
    options: piped,
    source: only && commands.length === 1 ? only : `{ ${commands.join('; ')}; }`,
  };
}

const shortestRun = 1_024;

/** Splits bytes into parts, of which every second is a run of one byte. */
function withRuns(bytes: string): string[] {
  const parts: string[] = [];
  let [from, at] = [0, 0];
  while (at < bytes.length) {
    const start = at;
    const byte = bytes.charCodeAt(start);
    while (bytes.charCodeAt(at) === byte) at += 1;
    if (at - start < shortestRun) continue;
    parts.push(bytes.slice(from, start), bytes.slice(start, at));
    from = at;
  }
  return [...parts, bytes.slice(from)];
}

function repeat(run: string): string {
  const char = run.charCodeAt(0).toString(8).padStart(3, '0');
  const to = /^[\w.-]/.test(run) ? run.charAt(0) : `\\${char}`;
  return `head -c ${run.length} /dev/zero | tr '\\0' '${to}'`;
}

/** Header fields that curl sends by default. */
const uninvited = ['Accept', 'User-Agent'];

/**
 * One command for a POSIX shell that sends the same request: same method, raw path, headers and body bytes.
 * It holds secrets as variables. A body too large to show is made by the shell where it consists of runs of one
 * byte, and is shortened with a remark otherwise.
 */
export function curl(request: Request, secrets: Secrets = {}, transport: CurlTransport = {}): string {
  const show = splitter(secrets);
  const body = bodyOf(request, show);
  const options = [
    '--path-as-is',
    '--globoff',
    ...(/^https:/i.test(request.url) ? ['--http1.1'] : []),
    ...transportOf(request.url, transport),
    ...method(request, body),
    ...headers(request, body, secrets, show),
    ...(body?.options ?? []),
    word(urlPieces(request.url, show)),
  ];
  const command = `${body?.source ? `${body.source} | ` : ''}curl -sS -i ${options.join(' ')}`;
  return body?.remark ? remarked(command, body.remark) : command;
}

function method({ method }: Request, body: Body | undefined): string[] {
  if (method === 'HEAD') return ['--head'];
  return method === (body ? 'POST' : 'GET') ? [] : ['-X', method];
}

/** A URL in which secrets are variables. @param without a beginning of the URL that is left out */
export function urlPieces(given: string, show: Splitter, without = ''): Piece[] {
  const address = addressOf(given);
  const whole = address ? address.origin + address.path : given;
  const parts = whole.slice(whole.startsWith(without) ? without.length : 0).split(/([?&][^=?&#]*=)/);
  return parts.flatMap((part, index) => show(bytesOf(part), isCredentialParameter(parts[index - 1] ?? '')));
}

function headers(request: Request, body: Body | undefined, secrets: Secrets, show: Splitter): string[] {
  const sent = new Set(request.headers.map(([name]) => name.toLowerCase()));
  const given = request.headers
    // curl writes Content-Length itself.
    .filter(([name]) => name.toLowerCase() !== 'content-length')
    .map(
      ([name, value]) =>
        `-H ${word(value.trim() === '' ? [{ bytes: `${name};` }] : headerPieces(name, value, secrets, show))}`,
    );
  const unwanted = [...uninvited, ...(body ? ['Content-Type', 'Expect'] : [])].filter(
    (name) => !sent.has(name.toLowerCase()),
  );
  return [...given, ...unwanted.map((name) => `-H '${name}:'`)];
}

/** A header field in which secrets are variables. */
export function headerPieces(
  name: string,
  value: string,
  { session = [] }: Secrets,
  show: Splitter,
): Piece[] {
  const lower = name.toLowerCase();
  const whole = session.findIndex(({ cookies }) => cookies?.some((part) => value.includes(part)));
  if (lower === 'cookie' && whole >= 0) {
    return [{ bytes: `${name}: ` }, { expansion: `$${sessionVariable(whole)}` }];
  }
  const credential = /^(cookie|(proxy-)?authorization)$/.test(lower) || isCredentialHeader(lower);
  return [...show(`${name}: `), ...show(wireValue(value), credential)];
}
