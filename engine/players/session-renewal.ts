// Reads sessions out of answers: cookies, the player's id, the session a known transport holds, the next one; and lists
// the secrets that a request carries.
import { parseSetCookie } from 'set-cookie-parser';
import { type Exchange, headerAll, json, type Request, type Response } from '../http/exchange.ts';
import type { Secrets, SessionSecret } from '../http/redact.ts';
import type { SessionTransport } from '../target/session-transport.ts';
import { leavesOf, valueAt } from '../values/json-walk.ts';
import { combined, cookieIn, isPointer, type Session } from './session.ts';

const most = 32;

/**
 * What an answer's Set-Cookie fields leave in a client that starts without any, by name; the last field of
 * a name counts. Attributes are ignored but for those that delete.
 * @param now ms since the epoch
 */
export function cookiesOf(answer: Exchange | Response, now: number): Map<string, string> {
  const cookies = new Map<string, string>();
  const fields = headerAll(answer, 'set-cookie').slice(0, most);
  const asWritten = { decodeValues: false, silent: true };
  for (const { name, value, maxAge, expires } of parseSetCookie(fields, asWritten)) {
    // RFC 6265 5.3: Max-Age outranks Expires.
    const isOver = maxAge === undefined ? expires !== undefined && expires.getTime() <= now : maxAge <= 0;
    if (value === '' || isOver) cookies.delete(name);
    else if (name !== '') cookies.set(name, value);
  }
  return cookies;
}

/** A longer text does not fit into a path. */
const longest = 1_024;
/** Likely names of a player's own id, the surest first. */
const names = ['playerId', 'userId', 'player_id', 'user_id', 'accountId', 'account_id', 'uid', 'pid', 'id'];

/** The id found in each answer: many candidate credentials of one answer are tried with it. */
const found = new WeakMap<object, { readonly id: string | undefined }>();

/** The player's id in a login's answer; the shallowest where there are several, undefined where there is none. */
export function playerIdIn(value: unknown): string | undefined {
  if (value === null || typeof value !== 'object') return find(value);
  const known = found.get(value) ?? { id: find(value) };
  found.set(value, known);
  return known.id;
}

function find(value: unknown): string | undefined {
  const leaves = leavesOf(value).filter(
    (leaf) =>
      typeof leaf.value === 'number' ||
      (typeof leaf.value === 'string' && leaf.value !== '' && leaf.value.length <= longest),
  );
  for (const name of names) {
    const leaf = leaves.find((each) => each.name === name);
    if (leaf) return String(leaf.value);
  }
  return undefined;
}

// The session in an answer, for a known transport: of a login, or of any answer that gives the next one.

/** Shorter cookie values (`en`, `1`) are words, not secrets. */
const shortestSecret = 8;
/** A longer text does not fit into a header field or a path. */
const takeLongest = 32 * 1024;

/**
 * The session that a login's answer holds for a known transport; undefined where it holds none.
 * @param idAt JSON Pointer to the player's own id; without it the id is looked for by its usual names
 */
export function take(transport: SessionTransport, login: Exchange, idAt?: string): Session | undefined {
  const held = heldBy(transport, login);
  const body = held && login.response && json(login.response);
  const id = body?.ok ? (idAt === undefined ? playerIdIn(body.value) : valueAt(body.value, idAt)) : undefined;
  const isId = (typeof id === 'string' && id.length <= takeLongest) || typeof id === 'number';
  return held && (isId ? { ...held, playerId: String(id) } : held);
}

function heldBy(transport: SessionTransport, answer: Exchange): Session | undefined {
  switch (transport.kind) {
    case 'combined': {
      const parts = transport.parts.map((part) => heldBy(part, answer));
      const [first, ...others] = parts.filter((part) => part !== undefined);
      return first && others.length + 1 === parts.length ? combined(first, ...others) : undefined;
    }
    case 'cookie': {
      const cookies = cookiesOf(answer, answer.startedAt);
      return transport.names.every((name) => cookies.has(name)) ? withCookies(transport, cookies) : undefined;
    }
    default: {
      const value = valueIn(transport.source, answer);
      return value === undefined ? undefined : withValue(transport, value);
    }
  }
}

/**
 * The session with the new values that an answer holds at the places of the login's answer; undefined where it holds
 * none, or the same ones. A part or a cookie that the answer does not hold stays.
 */
export function next(session: Session, answer: Exchange): Session | undefined {
  const { transport, parts, playerId } = session;
  const kept = playerId === undefined ? {} : { playerId };
  if (parts) {
    const followed = parts.map((part) => next(part, answer) ?? part);
    const [first = session, ...others] = followed;
    return followed.every((part, at) => part === parts[at])
      ? undefined
      : { ...combined(first, ...others), ...kept };
  }
  const found = transport.kind === 'cookie' ? nextCookies(session, answer) : heldBy(transport, answer);
  return found && !isSame(found, session) ? { ...found, ...kept } : undefined;
}

function nextCookies({ transport, credentials }: Session, answer: Exchange): Session | undefined {
  if (transport.kind !== 'cookie') return undefined;
  const now = cookiesOf(answer, answer.startedAt);
  const held = (credentials[0]?.[1] ?? '').split('; ').map((pair): [string, string] => {
    const [name = ''] = pair.split('=', 1);
    return [name, now.get(name) ?? pair.slice(name.length + 1)];
  });
  return withCookies(transport, new Map(held));
}

const isSame = (a: Session, b: Session) =>
  JSON.stringify([a.credentials, a.query]) === JSON.stringify([b.credentials, b.query]);

function withCookies(transport: SessionTransport, cookies: ReadonlyMap<string, string>): Session {
  const values = [...cookies.values()];
  const long = values.filter((value) => value.length >= shortestSecret);
  const field = Array.from(cookies, ([name, value]) => `${name}=${value}`).join('; ');
  return { transport, credentials: [['cookie', field]], secrets: long.length > 0 ? long : values };
}

function withValue(
  transport: Exclude<SessionTransport, { kind: 'cookie' | 'combined' }>,
  value: string,
): Session {
  const bare = withoutScheme(value);
  const secrets = [bare];
  switch (transport.kind) {
    case 'bearer':
      return { transport, credentials: [['authorization', `Bearer ${bare}`]], secrets };
    case 'header':
      return { transport, credentials: [[transport.name, value]], secrets };
    case 'query':
      return { transport, credentials: [], query: [[transport.name, bare]], secrets };
  }
}

function valueIn(source: string, answer: Exchange): string | undefined {
  const cookie = cookieIn(source);
  if (cookie !== undefined) return cookiesOf(answer, answer.startedAt).get(cookie);
  if (!isPointer(source))
    return answer.response?.headers.find(([name]) => name === source.toLowerCase())?.[1] || undefined;
  if (!answer.response || !mayHold(answer.response, source)) return undefined;
  const body = json(answer.response);
  const value = body.ok ? valueAt(body.value, source) : undefined;
  return typeof value === 'string' && value !== '' && value.length <= takeLongest ? value : undefined;
}

/**
 * Returns whether the JSON may hold a member with the pointer's last name. Every answer is searched for the next session,
 * and searching a name costs far less than parsing. A text with escapes may spell the name in other ways.
 */
function mayHold({ body }: Response, pointer: string): boolean {
  const name = pointer.slice(pointer.lastIndexOf('/') + 1);
  if (!/^[a-z_][\w.-]*$/i.test(name)) return true;
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  return bytes.includes(`"${name}"`) || bytes.includes('\\u');
}

export const withoutScheme = (value: string) => value.replace(/^Bearer +/i, '');

/** The login token and the session, out of those of a run, that a request carries. */
export function secretsIn(
  request: Request,
  tokens: readonly string[],
  sessions: readonly Session[],
): Pick<Secrets, 'token' | 'session'> {
  const token = tokens.find((each) => request.url.includes(encodeURIComponent(each)));
  const session = sessions.find((each) => isSentIn(request, each));
  return { ...(token && { token }), ...(session && { session: secretsOf(session) }) };
}

function isSentIn({ url, headers }: Request, { credentials, query = [] }: Session): boolean {
  const inHeaders = credentials.every(([name, value]) =>
    headers.some(([sent, held]) => sent.toLowerCase() === name.toLowerCase() && held.includes(value)),
  );
  return inHeaders && query.every((pair) => url.includes(pair.map(encodeURIComponent).join('=')));
}

/** One secret per variable, in order: ASSAY_SESSION, ASSAY_SESSION_2. Several cookies count as one secret. */
export function secretsOf(session: Session): SessionSecret[] {
  if (session.parts) return session.parts.flatMap(secretsOf);
  const { transport, secrets, credentials } = session;
  const [[, field = ''] = []] = credentials;
  if (transport.kind === 'cookie' && transport.names.length > 1) return [{ value: field, cookies: secrets }];
  return [{ value: secrets[0] ?? '' }];
}
