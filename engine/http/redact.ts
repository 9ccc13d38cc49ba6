// Keeps secrets out of reports: finds credentials by value, by name and by form, and replaces them with a mark or, in a
// curl command, with a shell variable.

import { bytesOf, type Piece } from '../values/shell.ts';
import { escapedHtml, unicodeEscape } from '../values/text.ts';
import { type Exchange, type Headers, type RecordedExchange, record } from './exchange.ts';

/** Hides known values in texts. It is fast for thousands of values, since it looks them up by how they begin. */
interface Learned {
  /** @param value at least `shortest` characters */
  add(value: string): void;
  /** The text with a mark in place of each value; values that overlap are one. */
  hide(text: string, mark: string): string;
}

/** Values that begin alike. */
interface Alike {
  readonly values: Set<string>;
  longest: number;
}

/** Most comparisons of values and characters in one text; they take some milliseconds. */
const mostCompared = 2 ** 22;

/** @param shortest length of the shortest value that will be added */
export function createLearned(shortest: number): Learned {
  /** The values by their first `shortest` characters. */
  const beginning = new Map<string, Alike>();
  /** 1 for each pair of characters that begins a value; it rules out nearly every place of a text at once. */
  const pairs = new Uint8Array(2 ** 16);

  let compared = 0;
  const longestAt = (text: string, at: number): number => {
    const alike = beginning.get(text.slice(at, at + shortest));
    if (alike === undefined) return 0;
    // A hostile target can make every value match at every place; beyond the limit more is hidden than necessary.
    if (compared > mostCompared) return Math.min(alike.longest, text.length - at);
    let longest = 0;
    for (const value of alike.values) {
      compared += 1;
      const { length } = value;
      if (length <= longest || text.charCodeAt(at + length - 1) !== value.charCodeAt(length - 1)) continue;
      compared += length;
      if (text.startsWith(value, at)) longest = length;
    }
    return longest;
  };

  return {
    add(value) {
      const start = value.slice(0, shortest);
      const alike = beginning.get(start) ?? { values: new Set(), longest: 0 };
      alike.values.add(value);
      alike.longest = Math.max(alike.longest, value.length);
      beginning.set(start, alike);
      pairs[pairAt(value, 0)] = 1;
    },
    hide(text, mark) {
      if (beginning.size === 0) return text;
      compared = 0;
      let safe = '';
      let hiddenUntil = 0;
      for (let at = 0; at + shortest <= text.length; at++) {
        if (pairs[pairAt(text, at)] === 0) continue;
        const length = longestAt(text, at);
        if (length === 0) continue;
        if (at >= hiddenUntil) safe += text.slice(hiddenUntil, at) + mark;
        hiddenUntil = Math.max(hiddenUntil, at + length);
      }
      return hiddenUntil === 0 ? text : safe + text.slice(hiddenUntil);
    },
  };
}

/** A number for two characters. Equal pairs have equal numbers; beyond Latin-1, different pairs may share one. */
function pairAt(text: string, at: number): number {
  return ((text.charCodeAt(at) & 0xff) << 8) | (text.charCodeAt(at + 1) & 0xff);
}

// Finds credentials by the name of their header, query parameter or JSON field, whatever their value.

/** Words that mark a credential at the end of a name, whatever stands before: `refresh_token`, `X-Amz-Signature`. */
const distinctive = [
  ...['token', 'jwt', 'secret', 'password', 'passwd', 'credentials?', 'authorization', 'signature', 'ticket'],
  ...['api[-_]?key', 'access[-_]?key', 'session[-_]?(?:id|key)', 'sessid'],
].join('|');
/** In headers and JSON, these count only as a whole word of a name: ordinary names end in them too (`classId`). */
const shortWords = ['session', 'sid', 'auth', 'csrf', 'xsrf'];
const short = shortWords.join('|');

const headerName = new RegExp(`(?:^|-)(?:${distinctive}|${short})(?:$|-)|(?:${distinctive})$`);

/** @param name a header's, in lower case; authorization and the cookie headers have functions of their own */
export function isCredentialHeader(name: string): boolean {
  return headerName.test(name);
}

const scheme = /^(basic|bearer|digest|negotiate|token|apikey|jwt)[ \t]+/i;

/** `Bearer abc` becomes `Bearer [redacted]`. */
function hideAuthorization(value: string, mark: string): string {
  return `${scheme.exec(value)?.[0] ?? ''}${mark}`;
}

/** Cookie: the names stay. */
function hideCookie(value: string, mark: string): string {
  return value
    .split(';')
    .map((pair) => pair.replace(/^(\s*)([^=]*=)?.*$/s, (_, space, name = '') => `${space}${name}${mark}`))
    .join(';');
}

/** Set-Cookie: the name and the attributes stay. */
function hideSetCookie(value: string, mark: string): string {
  return value.replace(/^([^=;]*=)?[^;]*/, (_, name = '') => `${name}${mark}`);
}

const parameter = new RegExp(`(?:${distinctive}|${short})=$`, 'i');

/** @param name a query parameter's, with the equals sign after it */
export function isCredentialParameter(name: string): boolean {
  return parameter.test(name);
}

// Matches a whole name before the lookbehind checks its end, so that a long name costs little.
const query = new RegExp(String.raw`([?&][\w.~-]+=(?<=(?:${distinctive}|${short})=))[^&#\s"'<>]+`, 'gi');
const userinfo = /(\bhttps?:\/\/)[^/?#@\s"'<>]{1,1024}@/gi;

/** Hides the values of credential-like query parameters, and `user:password@`. */
function hideInUrl(url: string, mark: string): string {
  return url.replace(query, `$1${mark}`).replace(userinfo, `$1${mark}@`);
}

/** Makes a pattern match both cases, for an expression in which the case of other letters matters. */
const anyCase = (pattern: string) =>
  pattern.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
const capitalised = shortWords.map((word) => word.charAt(0).toUpperCase() + anyCase(word.slice(1)));
/** A short word counts after any character but a letter, and as the last word of a name in camel case. */
const memberEnd = [
  anyCase(distinctive),
  `(?<![a-zA-Z])(?:${anyCase(short)})`,
  `(?<=[a-z])(?:${capitalised.join('|')})`,
].join('|');
const member = new RegExp(
  String.raw`("[\w.-]{1,96}"(?<=(?:${memberEnd})")\s{0,16}:\s{0,16}")(?:[^"\\]|\\.)+`,
  'g',
);

/** Hides the string values of fields with a credential-like name, also where the JSON was cut off. */
function hideInJson(text: string, mark: string): string {
  return text.replace(member, `$1${mark}`);
}

/** Values that a command or script takes from environment variables instead of showing them. */
export interface Secrets {
  /** The login token: `$ASSAY_TOKEN`. */
  readonly token?: string;
  /** The session's secrets: `$ASSAY_SESSION`, and `$ASSAY_SESSION_2` where it travels in two ways at once. */
  readonly session?: readonly SessionSecret[];
  /** Further secrets by the name of the environment variable that holds them. */
  readonly env?: Readonly<Record<string, string>>;
  /** Takes out whatever else must not be shown. */
  readonly redact?: (text: string) => string;
}

export interface SessionSecret {
  /** What the variable holds. */
  readonly value: string;
  /** The values of several cookies, which together are the whole Cookie header; `value` is then that header's. */
  readonly cookies?: readonly string[];
}

/** The environment variable of a session's nth secret, counted from 0. */
export const sessionVariable = (nth: number) => (nth === 0 ? 'ASSAY_SESSION' : `ASSAY_SESSION_${nth + 1}`);

interface Form {
  readonly bytes: string;
  readonly expansion: string;
}

/** Splits bytes into text that may be shown and variables for secrets; with `credential`, for short secrets too. */
export type Splitter = (bytes: string, credential?: boolean) => Piece[];

/** Characters; a shorter value is hidden only where a credential stands, since elsewhere it may be an ordinary word. */
const shortestSecret = 6;

export function splitter({ token, session = [], env = {}, redact = (text) => text }: Secrets): Splitter {
  const named: [string, string | undefined][] = [
    ...session.flatMap(({ value, cookies }, nth): [string, string][] =>
      cookies ? [] : [[sessionVariable(nth), value]],
    ),
    // A cookie's value that is also sent by itself has a variable of its own.
    ...session.flatMap(({ cookies = [] }, nth) =>
      cookies.map((each): [string, string] => [sessionVariable(nth), each]),
    ),
    ['ASSAY_TOKEN', token],
    ...Object.entries(env),
  ];
  const all = named.flatMap(([name, value]) => (value ? formsOf(name, value) : []));
  all.sort((a, b) => b.bytes.length - a.bytes.length);
  const long = all.filter(({ bytes }) => bytes.length >= shortestSecret);
  return (bytes, credential = false) => split(bytes, credential ? all : long, redact);
}

function split(bytes: string, forms: readonly Form[], redact: (text: string) => string): Piece[] {
  const [first, ...others] = forms;
  if (!first) return bytes === '' ? [] : [{ bytes: redactBytes(bytes, redact) }];
  return bytes
    .split(first.bytes)
    .flatMap((part, index) => [
      ...(index > 0 ? [{ expansion: first.expansion }] : []),
      ...split(part, others, redact),
    ]);
}

function redactBytes(bytes: string, redact: (text: string) => string): string {
  const raw = Buffer.from(bytes, 'latin1');
  const text = raw.toString('utf8');
  const safe = redact(text);
  return safe === text ? bytes : bytesOf(safe);
}

/** The variable holds the raw value; where the request holds it percent-encoded, the shell encodes it too. */
function formsOf(name: string, value: string): Form[] {
  const raw = { bytes: bytesOf(value), expansion: `$${name}` };
  const encoded = encodeURIComponent(value.toWellFormed());
  if (encoded === value) return [raw];
  const expansion = `$(printf %s "$${name}" | od -An -v -tx1 | tr -d '\\n' | tr ' ' %)`;
  const lower = encoded.replace(/%../g, (hex) => hex.toLowerCase());
  return [raw, { bytes: encoded, expansion }, { bytes: lower, expansion }];
}

export interface Redactor {
  /** From now on hides this value in every form it may travel in. */
  learn(secret: string): void;
  /** Hides learned secrets and whatever looks like a JWT. */
  text(text: string): string;
  headers(list: Headers): [string, string][];
  url(url: string): string;
  /** Hides as `url` does, and also the string values of credential-like fields of a JSON body. */
  body(text: string): string;
  /** The part of an exchange that a report may keep. */
  record(exchange: Exchange): RecordedExchange;
}

const mark = '[redacted]';

/** @param secrets that are known from the start, such as those in settings */
export function createRedactor(secrets: Iterable<string> = []): Redactor {
  const learned = new Set<string>();
  const forms = createLearned(shortestSecret);

  function text(given: string): string {
    const safe = forms.hide(given, mark);
    return safe.includes('eyJ') ? safe.replace(tokenLike, hideJwt) : safe;
  }

  const url = (given: string) => hideInUrl(text(given), mark);

  const redactor: Redactor = {
    learn(secret) {
      const trimmed = secret.trim();
      if (trimmed.length < shortestSecret || learned.has(trimmed)) return;
      learned.add(trimmed);
      for (const form of redactFormsOf(trimmed)) forms.add(form);
    },
    text,
    url,
    headers: (list) => list.map(([name, value]) => [name, headerValue(name.toLowerCase(), value, url)]),
    body: (given) => hideInJson(url(given), mark),
    record: (exchange) => record(exchange, redactor),
  };
  for (const secret of secrets) redactor.learn(secret);
  return redactor;
}

function headerValue(name: string, value: string, otherwise: (value: string) => string): string {
  if (name === 'authorization' || name === 'proxy-authorization') return hideAuthorization(value, mark);
  if (name === 'cookie') return hideCookie(otherwise(value), mark);
  if (name === 'set-cookie') return hideSetCookie(otherwise(value), mark);
  return isCredentialHeader(name) ? mark : otherwise(value);
}

/** The forms in which a secret is written: plain, in a URL, in a form, in JSON, in HTML, in base64 and in hex. */
function redactFormsOf(secret: string): string[] {
  const encoded = encodeURIComponent(secret.toWellFormed());
  // Some encoders also escape characters that a component may hold.
  const strict = encoded.replace(/[!'()*]/g, percent);
  const form = new URLSearchParams([['', secret.toWellFormed()]]).toString().slice(1);
  const escaped = JSON.stringify(secret).slice(1, -1);
  const bytes = Buffer.from(secret, 'utf8');
  const forms = [
    secret,
    ...[encoded, strict, form, encoded.replaceAll('%20', '+')].flatMap((each) => [each, lowerHex(each)]),
    escaped,
    escaped.replaceAll('/', '\\/'),
    escaped.replace(/[\x7f-\uffff]/g, unicodeEscape),
    escapedHtml(secret),
    escapedHtml(secret).replaceAll('&#39;', "'"),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
    bytes.toString('hex'),
  ];
  return [...new Set(forms)];
}

const percent = (char: string) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`;
const lowerHex = (text: string) => text.replace(/%../g, (hex) => hex.toLowerCase());

// Matches the whole run at once, so that the search stays linear in hostile text.
const tokenLike = /eyJ[\w.-]*/g;

function hideJwt(run: string): string {
  const [head = '', payload = '', ...rest] = run.split('.');
  return rest.length > 0 && head.length > 8 && payload.length > 1 ? mark : run;
}
