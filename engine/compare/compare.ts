// Compares two answers part by part: splits each into named parts (status, headers, one per leaf or word of the body),
// and leaves out parts that change by themselves.

import { createHash, type Hash } from 'node:crypto';
import { type Exchange, header, json, mediaType, text } from '../http/exchange.ts';
import { isNested } from '../values/json-walk.ts';
import { escapedHtml, percentDecoded } from '../values/text.ts';

/** A body with more leaves than this is compared by its first ones. */
const maxParts = 2_000;
const longestPart = 1_024;
/** Most characters kept in parts; the rest is one part, a digest. */
const mostCharacters = 48 * 1024;

interface Parts {
  readonly put: (name: string, text: string) => void;
  /** Whether the limit of parts is reached. */
  readonly isFull: () => boolean;
  readonly done: () => ReadonlyMap<string, string>;
}

/** @param first parts that are there from the beginning */
function createParts(first: readonly (readonly [string, string])[]): Parts {
  const parts = new Map<string, string>(first);
  let rest: Hash | undefined;
  let characters = 0;
  let left = 0;
  return {
    put(name, text) {
      const [at, shown] = [inShort(name), inShort(text)];
      characters += at.length + shown.length;
      if (characters <= mostCharacters) {
        parts.set(at, shown);
      } else {
        rest ??= createHash('sha256');
        rest.update(`${at}\n${shown}\n`);
        left += 1;
      }
    },
    isFull: () => parts.size + left >= maxParts,
    done: () => (rest === undefined ? parts : parts.set('body rest', rest.digest('hex'))),
  };
}

/** The text itself, or a digest where it is long; different texts give different results. */
export function inShort(text: string): string {
  if (text.length <= longestPart) return text;
  return `${text.length} characters ${createHash('sha256').update(text).digest('hex')}`;
}

// Answers often echo what was sent; an echo must not make two answers differ (docs/how-it-decides.md).
type Echo = readonly [piece: string, placeholder: string];
const known = new WeakMap<Exchange['request'], readonly Echo[]>();

/** Text pieces of a request that an answer may echo, longest first, with the placeholder of each. */
export function echoes(request: Exchange['request']): readonly Echo[] {
  const made = known.get(request) ?? echoesOf(request);
  known.set(request, made);
  return made;
}

function echoesOf(request: Exchange['request']): readonly Echo[] {
  const [path = '', query = ''] = withoutOrigin(request.url).split('?', 2);
  const pieces: [string, string][] = [
    [request.url, '‹url›'],
    [query === '' ? path : `${path}?${query}`, '‹target›'],
    [path, '‹path›'],
    ...(query === '' ? [] : [[query, '‹query›'] as [string, string]]),
    ...path.split('/').map((segment) => [segment, '‹segment›'] as [string, string]),
    ...query.split('&').map((pair) => [pair.slice(pair.indexOf('=') + 1), '‹value›'] as [string, string]),
  ];
  const forms = pieces
    .filter(([piece]) => piece.length >= 4)
    .flatMap(([piece, placeholder]) => formsOf(piece).map((form) => [form, placeholder] as const));
  return [...new Map(forms)].sort((a, b) => b[0].length - a[0].length);
}

const withoutOrigin = (url: string): string => url.replace(/^[a-z]+:\/\/[^/]+/i, '');

/** The ways in which an answer may write a piece. */
function formsOf(piece: string): readonly string[] {
  // Most pieces can be written in one way only; looking first is cheaper than building the others.
  if (/^[\w.~-]+$/.test(piece)) return [piece, piece.toLowerCase()];
  const decoded = safeDecode(piece);
  return [
    piece,
    decoded,
    encodeURIComponent(piece),
    piece.toLowerCase(),
    escapedHtml(piece),
    escapedHtml(decoded),
  ];
}

/** The text with every echoed piece of the request replaced by its placeholder. */
export function maskEchoes(text: string, request: Exchange['request']): string {
  if (text === '') return text;
  let left = text;
  for (const [piece, placeholder] of echoes(request)) {
    if (left.includes(piece)) left = left.replaceAll(piece, placeholder);
  }
  return left.includes(request.method) ? left.replaceAll(request.method, '‹method›') : left;
}

const safeDecode = (text: string): string => (text.includes('%') ? (percentDecoded(text) ?? text) : text);

/** Most characters of one text that are compared: to mask echoes in more would take longer than to read it. */
const mostCompared = 2 ** 20;

/** An answer as comparable parts: `status`, `type`, `allow` … and one part per leaf or word of the body. */
type Fingerprint = ReadonlyMap<string, string>;

/** Headers that vary from answer to answer everywhere, and show nothing of the request. */
export const ignoredHeader =
  /^(date|age|content-length|transfer-encoding|connection|keep-alive|set-cookie|etag|last-modified|expires|retry-after|via|server-timing|content-encoding|.*(request|trace|correlation|span)-?id|traceparent|.*rate-?limit.*|x-response-time|x-cache.*|cf-.*)$/;

const cache = new WeakMap<Exchange, Fingerprint>();

/** The comparable parts of an answer; an exchange without an answer has its transport error as its only part. */
export function fingerprint(exchange: Exchange): Fingerprint {
  const known = cache.get(exchange);
  if (known) return known;
  const made = partsOf(exchange);
  cache.set(exchange, made);
  return made;
}

/**
 * The parts in which two answers differ, leaving out those that differ between two answers to one control.
 * @param unstable part names that change by themselves (`differences(controlA, controlB)`)
 */
export function differences(
  a: Exchange,
  b: Exchange,
  unstable: ReadonlySet<string> = new Set(),
): Set<string> {
  const [left, right] = withoutOwnNames(fingerprint(a), fingerprint(b), a.request, b.request);
  const names = new Set([...left.keys(), ...right.keys()]);
  return new Set(
    [...names].filter(
      (name) => !unstable.has(name) && !sameOnceMasked(left.get(name), right.get(name), a.request, b.request),
    ),
  );
}

/**
 * Members named after what was asked for (`{"catalog": null}` for catalog.json) become the same member: the names in
 * which the paths of the two requests differ become one. Nothing changes where both answers have the same members.
 */
function withoutOwnNames(
  left: Fingerprint,
  right: Fingerprint,
  a: Exchange['request'],
  b: Exchange['request'],
): readonly [Fingerprint, Fingerprint] {
  if (a.url === b.url) return [left, right];
  const own = namesApart(a.url, b.url);
  const isOwn = (name: string) => name.startsWith('body/') && name.split('/').some((part) => own.has(part));
  const isAlone = (name: string) => left.has(name) !== right.has(name);
  if (own.size === 0 || ![...left.keys(), ...right.keys()].some((name) => isAlone(name) && isOwn(name)))
    return [left, right];
  const renamed = (parts: Fingerprint) =>
    new Map(Array.from(parts, ([name, text]) => [isOwn(name) ? withoutOwnSegments(name) : name, text]));
  const withoutOwnSegments = (name: string) =>
    name
      .split('/')
      .map((part) => (own.has(part) ? '‹segment›' : part))
      .join('/');
  return [renamed(left), renamed(right)];
}

/** Segments of one path that are not in the other, with and without a suffix; no numbers, which may be list indexes. */
function namesApart(a: string, b: string): ReadonlySet<string> {
  const [one, other] = [a, b].map(
    (url) =>
      new Set(
        (withoutOrigin(url).split('?', 1)[0] ?? '')
          .split('/')
          .flatMap((segment) => [segment, segment.replace(/\.[^.]*$/, '')]),
      ),
  ) as [Set<string>, Set<string>];
  return new Set([...one.symmetricDifference(other)].filter((name) => !/^\d*$/.test(name)));
}

/**
 * Whether two texts are equal once each is also masked by the other's request. Without that, a page that happens to
 * hold the word `config` would differ when it is asked for under that name.
 */
function sameOnceMasked(
  left: string | undefined,
  right: string | undefined,
  a: Exchange['request'],
  b: Exchange['request'],
): boolean {
  if (left === right) return true;
  if (left === undefined || right === undefined) return false;
  return maskEchoes(left, b) === maskEchoes(right, a);
}

function partsOf(exchange: Exchange): Fingerprint {
  const { response, request } = exchange;
  if (!response) return new Map([['transport', exchange.error?.kind ?? 'unknown']]);
  const parts = createParts([
    ['status', String(response.status)],
    ['type', mediaType(response) ?? ''],
    ['allow', header(response, 'allow') ?? ''],
    ['location', inShort(maskEchoes(header(response, 'location') ?? '', request))],
    ['challenge', header(response, 'www-authenticate') === undefined ? 'no' : 'yes'],
  ]);
  for (const [name] of response.headers) {
    if (!ignoredHeader.test(name)) parts.put(`header ${name}`, 'sent');
  }
  const parsed = json(response);
  if (parsed.ok) addLeaves(parts, 'body', parsed.value, request);
  else addWords(parts, text(response), request);
  return parts.done();
}

function addLeaves(parts: Parts, path: string, value: unknown, request: Exchange['request']): void {
  /** Objects and lists being read, outermost first. Each is read from its last member, by index, to copy no entries. */
  const open: Begun[] = [];
  const sample = (at: string, item: unknown) => {
    if (isNested(item)) {
      parts.put(at, Array.isArray(item) ? 'list' : 'object');
      const names = Array.isArray(item) ? undefined : Object.keys(item);
      open.push({ at, item, names, left: names?.length ?? (item as unknown[]).length });
    } else {
      parts.put(at, typeof item === 'string' ? `"${masked(item, request)}"` : String(item));
    }
  };
  sample(path, value);
  for (let last = open.at(-1); last && !parts.isFull(); last = open.at(-1)) {
    if (last.left === 0) {
      open.pop();
      continue;
    }
    last.left -= 1;
    const key = last.names?.[last.left] ?? String(last.left);
    // A member's name is the answer's own word and no echo, unless it is a path.
    const name = key.startsWith('/') ? masked(key, request) : key;
    sample(inShort(`${last.at}/${name}`), (last.item as Record<string, unknown>)[key]);
  }
}

interface Begun {
  readonly at: string;
  readonly item: object;
  /** The names of an object's members; undefined for a list. */
  readonly names: readonly string[] | undefined;
  /** How many members have not been read. */
  left: number;
}

const masked = (text: string, request: Exchange['request']) =>
  maskEchoes(text.slice(0, mostCompared), request);

function addWords(parts: Parts, body: string, request: Exchange['request']): void {
  const words = masked(body, request).split(/\s+/, maxParts);
  for (const [index, word] of words.entries()) parts.put(`body word ${index}`, word);
}
