// Defines an ask: one way to make an operation's call, by its caller and its differences from the plain form.
import { createHash } from 'node:crypto';
import type { Operation } from '../../catalog/operation.ts';
import { onHost, requestPath } from '../../catalog/request-path.ts';
import type { GivenWords } from '../../catalog/words.ts';
import type { Headers, Method, Request } from './exchange.ts';

/** The caller: a signed-in player by name, an anonymous one, or one with a spoiled or expired credential. */
export type Caller = string;
export const nobody = '(nobody)';
export const spoiled = '(spoiled)';
export const dead = '(dead)';
/** Only of a control: the operation's own caller sends it, not the one caller of controls that operations share. */
export const own = '(own)';

export interface Ask {
  /** Default: the operation's own caller (callers.ts). */
  readonly as?: Caller;
  readonly method?: Method;
  readonly params?: Readonly<Record<string, string | readonly string[]>>;
  /** Replaces the path (with its query) altogether: controls, other versions, absent files. */
  readonly path?: string;
  readonly rawBrackets?: boolean;
  /** Appended to the query. */
  readonly extraQuery?: string;
  /** Replaces the operation's plain body; null sends none. */
  readonly body?: string | Uint8Array | null;
  readonly contentType?: string;
  /** Values of placeholders in the operation's plain body, in place of its own. */
  readonly fill?: Readonly<Record<string, string>>;
  readonly headers?: readonly (readonly [string, string])[];
  /**
   * Part of the key by which equal asks share one exchange (`keyOf`), and of nothing that is sent: an ask with another
   * value is sent as a call of its own. A number of a repeat, or a word for why the call is sent once more.
   */
  readonly nth?: number | string;
}

interface Surroundings {
  readonly host: string;
  readonly ambient: Readonly<Record<string, string>>;
  readonly words?: GivenWords | undefined;
  readonly params: Readonly<Record<string, string>>;
  readonly headers: readonly (readonly [string, string])[];
}

/** The headers of every request. */
export const plainHeaders: Headers = [
  ['accept', '*/*'],
  ['user-agent', 'assay'],
];

const binary = new Uint8Array([0, 1, 2, 253, 254, 255]);

/** The operation's own path and query with an ask's parameters. */
export function pathOf(operation: Operation, ask: Ask, around: Surroundings): string {
  const path =
    ask.path ??
    requestPath(
      operation,
      { ...around.params, ...ask.params },
      {
        ambient: around.ambient,
        words: around.words,
        rawBrackets: ask.rawBrackets ?? false,
      },
    );
  return ask.extraQuery === undefined ? path : `${path}${path.includes('?') ? '&' : '?'}${ask.extraQuery}`;
}

/**
 * The request of an ask, without its credential. Where the ask has no body, only POST and PUT send one: `{}`, since the
 * document shows none, or six bytes where the path ends in /binary.
 */
export function requestOf(operation: Operation, ask: Ask, around: Surroundings): Request {
  const method = ask.method ?? operation.method;
  const bodied = method === 'POST' || method === 'PUT';
  const isBinary = operation.path.endsWith('/binary');
  const plain = isBinary ? binary : '{}';
  const body = ask.body === undefined ? (bodied ? plain : null) : ask.body;
  const type = ask.contentType ?? (isBinary ? 'application/octet-stream' : 'application/json');
  const own = new Set(ask.headers?.map(([name]) => name.toLowerCase()));
  const headers = [
    ...plainHeaders,
    ...(body === null || type === '' ? [] : [['content-type', type]]),
    ...around.headers,
  ].filter(([name]) => !own.has((name as string).toLowerCase())) as [string, string][];
  return {
    method,
    url: onHost(around.host, pathOf(operation, ask, around)),
    headers: [...headers, ...(ask.headers ?? [])],
    ...(body !== null && { body }),
  };
}

/** Asks with equal keys share one exchange. */
export function keyOf(operation: Operation, ask: Ask): string {
  const { body, ...rest } = ask;
  return `${operation.id} ${JSON.stringify(rest)} ${bodyKey(body)}`;
}

const longestInKey = 200;

/** A body that is left out is the operation's plain one; null is no body. */
function bodyKey(body: Ask['body']): string {
  if (body === undefined) return 'plain';
  if (body === null) return 'none';
  if (typeof body === 'string' && body.length <= longestInKey) return JSON.stringify(body);
  return createHash('sha256').update(body).digest('hex') + typeof body;
}
