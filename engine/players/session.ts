// Defines a session: the credential of a signed-in player, how requests carry it, and how to spoil it for a control.
import type { Headers, Request } from '../http/exchange.ts';
import type { SessionTransport } from '../target/session-transport.ts';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const mostChanged = 12;

/**
 * A value that differs in its middle and keeps length and character classes: digits stay digits, hex stays
 * hex, and a UUID keeps its version, so that a target refuses it for its content and not for its form.
 */
function spoiledText(value: string): string {
  const from = uuid.test(value) ? 20 : Math.floor(value.length / 3);
  const count = Math.min(mostChanged, Math.max(1, Math.ceil(value.length / 3)));
  const change = (text: string) => text.replace(/[0-9A-Za-z]/g, next(/^[0-9a-f-]+$/i.test(value) ? 6 : 26));
  const made = value.slice(0, from) + change(value.slice(from, from + count)) + value.slice(from + count);
  // Nothing but punctuation in the middle.
  return made === value ? change(value) : made;
}

const next = (letters: number) => (char: string) => {
  const code = char.charCodeAt(0);
  if (code <= 0x39) return String.fromCharCode(0x30 + ((code - 0x30 + 5) % 10));
  const first = code >= 0x61 ? 0x61 : 0x41;
  return String.fromCharCode(first + ((code - first + letters / 2) % letters));
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
}

/** The request with this session's credentials. */
export function signed(request: Request, session: Session): Request {
  const { query = [] } = session;
  const headers = withSession(request.headers, session);
  if (query.length === 0) return { ...request, headers };
  const pairs = query.map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
  return { ...request, headers, url: `${request.url}${request.url.includes('?') ? '&' : '?'}${pairs}` };
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

/** The session with wrong values of the same form, which are valid for nobody. */
export function spoiled(session: Session): Session {
  const { query, parts } = session;
  return {
    ...session,
    credentials: session.credentials.map(([name, value]) => [name, spoiledField(name.toLowerCase(), value)]),
    ...(query && { query: query.map(([name, value]) => [name, spoiledText(value)] as const) }),
    ...(parts && { parts: parts.map(spoiled) }),
    secrets: session.secrets.map(spoiledText),
  };
}

function spoiledField(name: string, value: string): string {
  if (name === 'cookie') {
    return value.replace(/=([^;]*)/g, (_, cookie: string) => `=${spoiledText(cookie)}`);
  }
  const scheme = /^[A-Za-z]+ +/.exec(value)?.[0] ?? '';
  return scheme + spoiledText(value.slice(scheme.length));
}

/** A phrase: where the answer holds the credential, and how it is sent back. */
export function described(transport: SessionTransport): string {
  switch (transport.kind) {
    case 'cookie':
      return `${transport.names.length === 1 ? 'the cookie' : 'the cookies'} ${transport.names.join(', ')}`;
    case 'bearer':
      return `${sourceInWords(transport.source)}, sent as Authorization: Bearer`;
    case 'header':
      return `${sourceInWords(transport.source)}, sent back as ${transport.name}`;
    case 'query':
      return `${sourceInWords(transport.source)}, sent back as ?${transport.name}=`;
    case 'combined':
      return transport.parts.map(described).join(', together with ');
  }
}

/** A source begins with `/`, or is empty, where it is a JSON Pointer: no header name does. */
export const isPointer = (source: string) => source === '' || source.startsWith('/');

/** The cookie that a source names; no header name holds a colon. */
export const cookieIn = (source: string) =>
  source.startsWith('cookie:') ? source.slice('cookie:'.length) : undefined;

function sourceInWords(source: string): string {
  if (source === '') return 'the string that is the login answer';
  const cookie = cookieIn(source);
  if (cookie !== undefined) return `the cookie ${cookie} of the login answer`;
  return isPointer(source)
    ? `the token at ${source} of the login answer`
    : `the header ${source} of the login answer`;
}
