// Finds the session's token in the answer to a login: lists the values that could be it, likeliest first, and the ways
// to send each back. session-proof.ts finds out which of them is the session.

import { cookiesOf } from '../http/cookies.ts';
import { answerLeaves, type Exchange, headerAll } from '../http/exchange.ts';
import type { SessionTransport } from '../target/session-transport.ts';
import { isPointer, type Session, take, withoutScheme } from './session.ts';

const alphabet = /^[A-Za-z0-9._~+/=|:!%-]+$/;
const date = /^\d{4}-\d\d-\d\d(T|$)/;
const shortest = 16;
const shortestNamed = 6;
const longest = 8 * 1024;

/** Ranks a name: 0 names a session, 1 probably does, 2 is neutral, 3 names something else. */
type Rank = 0 | 1 | 2 | 3;

const something =
  /refresh|track|trace|request|correlation|device|csrf|xsrf|analytic|install|nonce|avatar|etag/i;
const surely = /^(x-)?([a-z]+[-_]?)?(token|jwt|session|session[-_]?id|sid|ticket|authorization)$/i;
const rather = /token|session|auth|ticket|bearer|credential|jwt|key/i;

/** Names that say nothing of a value: the name of the object around it counts, as in `{"ticket": {"value": …}}`. */
const nameless = /^(value|string|text|raw)$/i;

/** @param names the name of the value, preceded by those of the objects around it, outermost first */
export function rankOf(names: readonly string[]): Rank {
  if (names.some((name) => something.test(name))) return 3;
  const last = names.at(-1) ?? '';
  const own = nameless.test(last) ? (names.at(-2) ?? last) : last;
  if (surely.test(own)) return 0;
  return rather.test(own) ? 1 : 2;
}

/** Whether a value looks like a token by its characters and length; under a sure name six characters suffice. */
export function isTokenLike(value: unknown, rank: Rank): value is string {
  if (typeof value !== 'string' || value.length > longest) return false;
  if (value.length < (rank === 0 ? shortestNamed : shortest)) return false;
  return alphabet.test(value) && !date.test(value) && !value.includes('://');
}

/** Names of CSRF tokens, which a target may require beside a cookie. */
const isCsrfName = (name: string) => /csrf|xsrf|anti-?forgery/i.test(name);

const most = 24;
/** Most places that are tried; each value is tried with each header name that the answer gives. */
const mostPlaces = 200;
const mostHeaderNames = 8;

/** Fields that every server sends, or that name the request; none of them is a session. */
const ordinary =
  /^(date|age|etag|last-modified|expires|server|via|vary|allow|link|location|connection|keep-alive|content-.*|cache-.*|transfer-.*|accept-.*|access-control-.*|set-cookie.*|www-.*|strict-.*|alt-svc|nel|report-.*|referrer-.*|permissions-.*|cross-origin-.*|server-timing|traceparent|tracestate|retry-after|x-(powered-by|frame-.*|content-.*|xss-.*|cache.*|response-time|runtime|robots-.*|amz-.*)|cf-.*|.*rate-?limit.*|.*(request|trace|correlation|span)-?id)$/;

export interface Candidates {
  /** Sessions sent back in the usual ways: all cookies, a header under its own name, any value as Bearer. */
  readonly usual: readonly Session[];
  /** The same values sent back in rarer ways: without a scheme, under their own name, in the query. */
  readonly rarer: readonly Session[];
  /** The same values under names and schemes made from the words of their own name, and under common ones. */
  readonly derived: readonly Session[];
  /** Values that a target may require beside a cookie, in their likely headers; those named as CSRF tokens first. */
  readonly besideCookies: readonly Session[];
  /** For other hosts: values in headers and cookies; a cookie's also as Bearer, since clients send no cookie there. */
  readonly elsewhere: readonly Session[];
}

/**
 * The possible sessions in a login's answer, each list likeliest first and at most 24 long.
 * @param token the login token; an echo of it is not a session
 * @param idAt JSON Pointer to the player's own id, where the profile states one
 * @param refusals answers of the target to callers without a session: they may say how one is sent
 */
export function candidates(
  login: Exchange,
  token: string,
  idAt?: string,
  refusals: readonly Exchange[] = [],
): Candidates {
  const asked = { schemes: challengesIn(refusals), headers: namedHeaders([login, ...refusals]) };
  const places = likeliest([...placesInHeaders(login), ...placesInBody(login)]);
  const made = (ways: readonly Way[], leftOut: readonly Session[] = []) =>
    sessionsIn(ways, login, token, leftOut, idAt);
  const usual = made([...cookieWays(login), ...places.flatMap((place) => usualWays(place, asked))]);
  const rarer = made(places.flatMap(rarerWays), usual);
  const types = namedSchemes(login);
  const derived = made(
    places.filter(({ rank }) => rank < 3).flatMap((place) => derivedWays(place, types)),
    [...usual, ...rarer],
  );
  const headerNames = namedCsrfHeaders(login);
  const beside = likeliest([...places, ...placesInCookies(login)]).flatMap((place) =>
    csrfWays(place, headerNames),
  );
  const fromCookies = placesInCookies(login).map(
    ({ source, rank }): Way => ({
      transport: { kind: 'bearer', source },
      rank,
    }),
  );
  const elsewhere = [...usual, ...made(fromCookies), ...rarer.filter(({ query }) => query === undefined)];
  return { usual, rarer, derived, besideCookies: made(beside), elsewhere };
}

/** The place of a value that could be a session. */
interface TokenPlace {
  readonly source: string;
  /** The name it stands under. */
  readonly name: string;
  /** The name of the object around it; empty where there is none. */
  readonly holder: string;
  readonly rank: Rank;
}

/** All places in their order; where there are too many, only those of the best ranks. */
const likeliest = (places: readonly TokenPlace[]): readonly TokenPlace[] =>
  places.length <= mostPlaces ? places : places.toSorted((a, b) => a.rank - b.rank).slice(0, mostPlaces);

interface Way {
  readonly transport: SessionTransport;
  readonly rank: number;
}

function sessionsIn(
  ways: readonly Way[],
  login: Exchange,
  token: string,
  leftOut: readonly Session[],
  idAt: string | undefined,
): Session[] {
  const keyOf = ({ credentials, query }: Session) => JSON.stringify([credentials, query]);
  const known = new Set(leftOut.map(keyOf));
  const found = new Map<string, Session>();
  for (const { transport } of ways.toSorted((a, b) => a.rank - b.rank)) {
    const session = found.size < most ? take(transport, login, idAt) : undefined;
    if (!session || session.secrets.includes(token)) continue;
    const key = keyOf(session);
    if (!known.has(key) && !found.has(key)) found.set(key, session);
  }
  return [...found.values()];
}

function cookieWays(login: Exchange): Way[] {
  const names = [...cookiesOf(login, login.startedAt).keys()];
  return names.length === 0 ? [] : [{ transport: { kind: 'cookie', names }, rank: 0 }];
}

function placesInHeaders(login: Exchange): TokenPlace[] {
  return (login.response?.headers ?? []).flatMap(([name, value]) => {
    const rank = rankOf([name]);
    return ordinary.test(name) || !isTokenLike(withoutScheme(value), rank)
      ? []
      : [{ source: name, name, holder: '', rank }];
  });
}

function placesInBody(login: Exchange): TokenPlace[] {
  const places = answerLeaves(login).flatMap(({ pointer, name, value }) => {
    const holders = pointer.split('/').slice(1, -1);
    const rank = rankOf([...holders, name]);
    const held = typeof value === 'string' ? withoutScheme(value) : value;
    return isTokenLike(held, rank)
      ? [{ source: pointer, name, holder: holders.at(-1) ?? '', rank, held }]
      : [];
  });
  // A value that stands in many places under one name is tried once.
  const distinct = new Map(
    places.toReversed().map((place) => [JSON.stringify([place.name, place.rank, place.held]), place]),
  );
  return [...distinct.values()].toReversed();
}

function placesInCookies(login: Exchange): TokenPlace[] {
  return [...cookiesOf(login, login.startedAt)].flatMap(([name, value]) => {
    const rank = rankOf([name]);
    return isTokenLike(value, rank) ? [{ source: `cookie:${name}`, name, holder: '', rank }] : [];
  });
}

function usualWays(
  place: TokenPlace,
  { schemes, headers }: { readonly schemes: readonly string[]; readonly headers: readonly string[] },
): Way[] {
  const { source, name, rank } = place;
  const asked = [
    ...schemes.map((scheme): Way => ({ transport: { kind: 'bearer', source, scheme }, rank })),
    ...headers.map((header): Way => ({ transport: { kind: 'header', name: header, source }, rank })),
  ];
  const bearer: Way = { transport: { kind: 'bearer', source }, rank };
  const own: Way = { transport: { kind: 'header', name, source }, rank };
  return [...asked, ...(isPointer(source) ? [] : [own]), bearer];
}

/** Bearer is tried anyway; the others carry a password or a computed proof instead of a token. */
const otherwiseUsed = /^(bearer|basic|digest|negotiate|ntlm|hoba|mutual|vapid|dpop|scram-.*)$/i;
const mostChallenged = 2;

/**
 * The schemes that answers ask for in WWW-Authenticate, except the common ones. Answers other than 401 may hold the
 * field where a credential would change them (RFC 9110, 11.6.1).
 */
function challengesIn(answers: readonly Exchange[]): string[] {
  const fields = answers
    .flatMap((answer) => headerAll(answer, 'www-authenticate'))
    // An unclosed quoted string ends with the field: to look for its end from each quote would take quadratic time.
    .map((field) => field.replace(/"(?:\\.|[^"\\])*(?:"|\\?$)/g, '""'));
  const schemes = fields.flatMap((field) =>
    Array.from(
      field.matchAll(/(?:^|,)\s*([A-Za-z]{2,20})(?=\s+[^\s=,]|\s*(?:,|$))/g),
      ([, scheme = '']) => scheme,
    ),
  );
  return [...new Set(schemes)].filter((scheme) => !otherwiseUsed.test(scheme)).slice(0, mostChallenged);
}

const mostNamed = 2;
const longestText = 4_000;

/**
 * Names of headers that answers give: `WWW-Authenticate: Session header="X-Game-Session"`, `The X-Game-Session header is
 * missing`, or `{"header": "X-Game-Session", "token": …}` in the login's answer.
 */
function namedHeaders(answers: readonly Exchange[]): string[] {
  const names = answers.flatMap((answer) => {
    const texts = [
      ...headerAll(answer, 'www-authenticate'),
      ...answerLeaves(answer).flatMap(({ value }) => (typeof value === 'string' ? [value] : [])),
    ];
    const inTexts = texts.flatMap((text) => {
      const short = text.slice(0, longestText);
      return [
        ...short.matchAll(/(?<![\w-])(X-[A-Za-z][A-Za-z\d-]{1,60})(?![\w-])/gi),
        ...short.matchAll(/\bheader="([A-Za-z][\w-]{1,60})"/gi),
      ].flatMap(([, name]) => name ?? []);
    });
    const inFields = answerLeaves(answer).flatMap(({ name, value }) =>
      /header(?:_?name)?$/i.test(name) && typeof value === 'string' && isHeaderName(value) ? [value] : [],
    );
    return [...inTexts, ...inFields];
  });
  const own = names
    .map((name) => name.toLowerCase())
    .filter((name) => !ordinary.test(name) && !something.test(name) && name !== 'authorization');
  return [...new Set(own)].slice(0, mostNamed);
}

const isHeaderName = (name: string) => /^[A-Za-z][\w-]{0,63}$/.test(name);
const kebab = (name: string) => name.replace(/([a-z\d])([A-Z])|_+/g, '$1-$2').toLowerCase();

function rarerWays(place: TokenPlace): Way[] {
  const { source, name, rank } = place;
  const bare: SessionTransport = { kind: 'header', name: 'authorization', source };
  if (!isPointer(source) || !isHeaderName(name)) return [{ transport: bare, rank }];
  const transports: SessionTransport[] = [
    bare,
    { kind: 'header', name, source },
    { kind: 'query', name, source },
    { kind: 'header', name: `x-${kebab(name)}`, source },
  ];
  return transports.map((transport) => ({ transport, rank }));
}

/** Names that many clients send a token under, whatever the answer calls it. */
const commonNames = [
  'x-session',
  'x-session-token',
  'x-session-id',
  'x-auth-token',
  'x-access-token',
  'x-auth',
  'x-authorization',
];

/**
 * Headers made from the value's own name and that of the object around it, and other schemes of Authorization:
 * `sessionToken` may go back as Session-Token, X-Session or `Authorization: Session`.
 */
function derivedWays({ source, name, rank, holder }: TokenPlace, types: readonly string[]): Way[] {
  if (!isHeaderName(name)) return [];
  const whole = kebab(name).replace(/^x-/, '');
  const words = whole.split('-').filter((word) => word.length > 1);
  const held = isHeaderName(holder) ? [`${kebab(holder)}-${whole}`] : [];
  const own = [whole, ...held, ...(words.length > 1 ? words : [])];
  const names = new Set([...own.flatMap((each) => [`x-${each}`, each]), ...commonNames]);
  const schemes = new Set([...types, ...words.map(capital), words.map(capital).join(''), 'Token', 'JWT']);
  const transports: SessionTransport[] = [
    ...Array.from(names, (name) => ({ kind: 'header' as const, name, source })),
    ...Array.from(schemes, (scheme) => ({ kind: 'bearer' as const, source, scheme })),
  ];
  return transports.map((transport) => ({ transport, rank }));
}

const capital = (word: string) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;

/** Schemes that the answer itself gives: `{"tokenType": "Session", "token": …}`. */
function namedSchemes(login: Exchange): string[] {
  return answerLeaves(login).flatMap(({ name, value }) =>
    /^(token|auth)[-_]?(type|scheme)$/i.test(name) &&
    typeof value === 'string' &&
    /^[A-Za-z]{2,20}$/.test(value)
      ? [value]
      : [],
  );
}

/** Whether the answer to a login gives a CSRF token, by the name of a value in its body, its headers or its cookies. */
export const givesCsrfToken = (login: Exchange): boolean =>
  [...placesInHeaders(login), ...placesInBody(login), ...placesInCookies(login)].some(
    ({ name, holder }) => isCsrfName(name) || isCsrfName(holder),
  );

/** Names of headers that the answer itself gives: `{"headerName": "X-CSRF-TOKEN", "token": …}`. */
function namedCsrfHeaders(login: Exchange): string[] {
  const headerNames = answerLeaves(login).flatMap(({ value }) =>
    typeof value === 'string' && isHeaderName(value) && isCsrfName(value) ? [value.toLowerCase()] : [],
  );
  return headerNames.slice(0, mostHeaderNames);
}

function csrfWays(place: TokenPlace, headerNames: readonly string[]): Way[] {
  const { source, name } = place;
  const own = isHeaderName(name) ? [kebab(name)] : [];
  const spelled = own.map((each) => (each.startsWith('x-') ? each : `x-${each}`));
  const names = new Set([...headerNames, ...own, ...spelled, 'x-csrf-token', 'x-xsrf-token', 'csrf-token']);
  const rank = isCsrfName(name) ? 0 : 1;
  return [...names].map((header) => ({ transport: { kind: 'header', name: header, source }, rank }));
}
