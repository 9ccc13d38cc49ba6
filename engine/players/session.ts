// Defines a session: the credential of a signed-in player, how requests carry it, and how to spoil it for a control.
import { cookiesOf } from '../http/cookies.ts';
import {
  type Exchange,
  type Headers,
  header,
  jsonValue,
  type Request,
  type Response,
  remembered,
} from '../http/exchange.ts';
import type { Secrets, SessionSecret } from '../http/redact.ts';
import type { SessionTransport } from '../target/session-transport.ts';
import { valueAt } from '../values/json-walk.ts';
import { once } from '../values/once.ts';
import { playerIdIn, playerNamesIn } from './own-names.ts';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const mostChanged = 12;

/** How far letters and digits are shifted. The two shifts give two different spoiled copies of a value. */
type Spoiling = 1 | 2;

/**
 * A value that differs in its middle and keeps length and character classes: digits stay digits, hex stays
 * hex, and a UUID keeps its version, so that a target refuses it for its content and not for its form.
 */
function spoiledText(value: string, nth: Spoiling): string {
  const from = uuid.test(value) ? 20 : Math.floor(value.length / 3);
  const count = Math.min(mostChanged, Math.max(1, Math.ceil(value.length / 3)));
  const change = (text: string) =>
    text.replace(/[0-9A-Za-z]/g, shifted(/^[0-9a-f-]+$/i.test(value) ? 6 : 26, nth));
  const made = value.slice(0, from) + change(value.slice(from, from + count)) + value.slice(from + count);
  // The middle holds nothing but punctuation.
  return made === value ? change(value) : made;
}

const shifted = (letters: number, nth: Spoiling) => (char: string) => {
  const code = char.charCodeAt(0);
  if (code <= 0x39) return String.fromCharCode(0x30 + ((code - 0x30 + 4 + nth) % 10));
  const first = code >= 0x61 ? 0x61 : 0x41;
  return String.fromCharCode(first + ((code - first + letters / 2 + nth - 1) % letters));
};

/** Plain data, passed between threads. */
export interface Session {
  readonly transport: SessionTransport;
  /** Header fields that go with every call. */
  readonly credentials: readonly (readonly [name: string, value: string])[];
  /** Query values that go with every call. */
  readonly query?: readonly (readonly [name: string, value: string])[];
  /** The secret values, which must not be recorded. */
  readonly secrets: readonly string[];
  /** The sessions of a combined transport, in its order. */
  readonly parts?: readonly Session[];
  /** The player's own id, where the login's answer holds one. */
  readonly playerId?: string;
  /** The player's own names, where the login's answer holds some. */
  readonly names?: readonly string[];
}

const sessions = new WeakMap<Request, Session>();

/** The session that signed a request. */
export const sessionOf = (request: Request): Session | undefined => sessions.get(request);

/** The request with this session's credentials. */
export function signed(request: Request, session: Session): Request {
  const { query = [] } = session;
  const headers = withSession(request.headers, session);
  const pairs = query.map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
  const separator = request.url.includes('?') ? '&' : '?';
  const made = { ...request, headers, ...(pairs && { url: request.url + separator + pairs }) };
  sessions.set(made, session);
  return made;
}

/** The headers with the session's credentials; they replace fields of their name, but cookies are joined. */
export function withSession(headers: Headers, session: Session): [string, string][] {
  const own = new Map(session.credentials.map(([name, value]) => [name.toLowerCase(), value]));
  const kept = headers.filter(([name]) => !own.has(name.toLowerCase()));
  const cookies = headers.filter(([name]) => name.toLowerCase() === 'cookie').map(([, value]) => value);
  return [...kept, ...session.credentials].map(([name, value]) =>
    name.toLowerCase() === 'cookie' && own.has('cookie')
      ? [name, [...cookies, value].join('; ')]
      : [name, value],
  );
}

/** Combines several ways of carrying a credential into one session. */
export function combined(first: Session, ...others: readonly Session[]): Session {
  const parts = [first, ...others];
  const query = parts.flatMap((part) => part.query ?? []);
  return {
    ...first,
    transport: { kind: 'combined', parts: parts.map(({ transport }) => transport) },
    credentials: parts.flatMap(({ credentials }) => credentials),
    ...(query.length > 0 && { query }),
    secrets: parts.flatMap(({ secrets }) => secrets),
    parts,
  };
}

/** Adds one more way of carrying the session, for hosts that accept only that way. */
export function beside(session: Session, other: Session): Session {
  const { parts = [session], playerId } = session;
  return { ...combined(...(parts as [Session]), other), ...(playerId !== undefined && { playerId }) };
}

/** Returns whether both sessions need the same header or query field of a request. */
export function areAtOdds(one: Session, other: Session): boolean {
  const names = ({ credentials, query = [] }: Session) =>
    [...credentials, ...query].map(([name]) => name.toLowerCase());
  return names(one).some((name) => names(other).includes(name));
}

/** The session with wrong values of the same form, valid for nobody; `nth` 2 makes other wrong values. */
export function spoiled(session: Session, nth: Spoiling = 1): Session {
  const { query, parts } = session;
  return {
    ...session,
    credentials: session.credentials.map(([name, value]) => [
      name,
      spoiledField(name.toLowerCase(), value, nth),
    ]),
    ...(query && { query: query.map(([name, value]) => [name, spoiledText(value, nth)] as const) }),
    ...(parts && { parts: parts.map((part) => spoiled(part, nth)) }),
    secrets: session.secrets.map((secret) => spoiledText(secret, nth)),
  };
}

function spoiledField(name: string, value: string, nth: Spoiling): string {
  if (name === 'cookie') {
    return value.replace(/=([^;]*)/g, (_, cookie: string) => `=${spoiledText(cookie, nth)}`);
  }
  const scheme = /^[A-Za-z]+ +/.exec(value)?.[0] ?? '';
  return scheme + spoiledText(value.slice(scheme.length), nth);
}

/** A phrase: where the answer holds the credential, and how it is sent back. */
export function described(transport: SessionTransport): string {
  switch (transport.kind) {
    case 'cookie':
      return `${transport.names.length === 1 ? 'the cookie' : 'the cookies'} ${transport.names.join(', ')}`;
    case 'bearer':
      return `${sourceInWords(transport.source)}, sent as ${wayInWords(transport)}`;
    case 'header':
    case 'query':
      return `${sourceInWords(transport.source)}, sent back as ${wayInWords(transport)}`;
    case 'combined':
      return transport.parts.map(described).join(', together with ');
  }
}

/** What a value is sent back as: `Authorization: Bearer`, the name of a header, `?name=`. */
export function wayInWords(transport: Exclude<SessionTransport, { kind: 'cookie' | 'combined' }>): string {
  if (transport.kind === 'bearer') return `Authorization: ${transport.scheme ?? 'Bearer'}`;
  return transport.kind === 'query' ? `?${transport.name}=` : transport.name;
}

/** Whether a source is a JSON Pointer: it is empty or begins with `/`, as no header name does. */
export const isPointer = (source: string) => source === '' || source.startsWith('/');

/** The cookie that a source names; no header name holds a colon. */
const cookieIn = (source: string) =>
  source.startsWith('cookie:') ? source.slice('cookie:'.length) : undefined;

/** A phrase for the place of a credential in the login's answer. */
export function sourceInWords(source: string): string {
  if (source === '') return 'the string that is the login answer';
  const cookie = cookieIn(source);
  if (cookie !== undefined) return `the cookie ${cookie} of the login answer`;
  return isPointer(source)
    ? `the token at ${source} of the login answer`
    : `the header ${source} of the login answer`;
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
  if (held === undefined) return undefined;
  const answered = jsonValue(login);
  const id = idAt === undefined ? playerIdIn(answered) : valueAt(answered, idAt);
  const isCredential = idAt === undefined && typeof id === 'string' && held.secrets.includes(id);
  const isId =
    (typeof id === 'string' && id.length <= takeLongest && !isCredential) || typeof id === 'number';
  const own = playerNamesIn(answered);
  return { ...held, ...(isId && { playerId: String(id) }), ...(own.length > 0 && { names: own }) };
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
 * The session with the new values that an answer holds where the login's answer held them; undefined where it holds
 * none, or the same ones. A part or a cookie that the answer does not hold keeps its value.
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
      return {
        transport,
        credentials: [['authorization', `${transport.scheme ?? 'Bearer'} ${bare}`]],
        secrets,
      };
    case 'header':
      return { transport, credentials: [[transport.name, value]], secrets };
    case 'query':
      return { transport, credentials: [], query: [[transport.name, bare]], secrets };
  }
}

function valueIn(source: string, answer: Exchange): string | undefined {
  const cookie = cookieIn(source);
  if (cookie !== undefined) return cookiesOf(answer, answer.startedAt).get(cookie);
  if (!isPointer(source)) return header(answer, source) || undefined;
  if (!answer.response || !mayHold(answer.response, source)) return undefined;
  const value = valueAt(jsonValue(answer), source);
  return typeof value === 'string' && value !== '' && value.length <= takeLongest ? value : undefined;
}

/**
 * Returns whether the JSON may hold a member with the pointer's last name. Every answer is searched for the next
 * session, and a search for a name costs far less than parsing. Text with escapes may spell the name in other ways.
 */
function mayHold({ body }: Response, pointer: string): boolean {
  const name = pointer.slice(pointer.lastIndexOf('/') + 1);
  return !/^[a-z_][\w.-]*$/i.test(name) || isNamedIn(body)(name);
}

/** Equal large answers share one body, so each name is searched for in it once. */
const isNamedIn = remembered((body) => {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  return once((name: string) => bytes.includes(`"${name}"`) || bytes.includes('\\u'));
});

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
