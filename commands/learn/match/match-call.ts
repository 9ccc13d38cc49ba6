// Matches a recorded call to its documented operation, on any host, below any path prefix, and with other words in
// place of neutral ones.

import { catalog } from '../../../catalog/catalog.ts';
import { type Operation, placeholders } from '../../../catalog/operation.ts';
import { keepsSlashes } from '../../../catalog/request-path.ts';
import { literalPattern, percentDecoded } from '../../../engine/values/text.ts';

interface PathMatch {
  readonly operation: Operation;
  /** The word in place of the operation's neutral word; undefined where it has none. No operation has two. */
  readonly word: string | undefined;
  /** Values of the operation's parameters, decoded; for a call, those of its query too, except the login's `token`. */
  readonly params: Readonly<Record<string, string>>;
}

const anyWord = '([A-Za-z][A-Za-z0-9_-]{0,31}?)';

const byMethod = Map.groupBy(
  catalog.map((operation) => ({ operation, pattern: new RegExp(`^${sourceOf(operation)}$`) })),
  ({ operation }) => operation.method as string,
);

/**
 * The operations that a path without its query matches, those with the fewest placeholders alone: `/party/details` is
 * `party.details`, not a party of that name.
 * @param path as sent, from `/api/v1/` or `/clientData/` on
 */
export function operationsAt(method: string, path: string): readonly PathMatch[] {
  let least = Number.POSITIVE_INFINITY;
  let found: PathMatch[] = [];
  for (const { operation, pattern } of byMethod.get(method) ?? []) {
    const match = pattern.exec(path);
    if (!match) continue;
    const { word, ...rest } = match.groups ?? {};
    const isDocumented = word === undefined || word === documentedWord(operation);
    const chance = Object.keys(rest).length + (isDocumented ? 0 : 1);
    if (chance > least) continue;
    if (chance < least) found = [];
    least = chance;
    found.push({ operation, word, params: decoded(operation, rest) });
  }
  return found;
}

/** The neutral word as the operation's path writes it, `Game` with its capital; undefined where there is none. */
export function documentedWord({ path, words: [mark] }: Operation): string | undefined {
  return mark && path.slice(mark.index, mark.index + mark.word.length);
}

function sourceOf({ path, words: [mark] }: Operation): string {
  const literal = (text: string) =>
    text
      .split(/(\{[^}]+\})/)
      .map((part, index) => (index % 2 === 0 ? literalPattern(part) : hole(part.slice(1, -1))))
      .join('');
  if (!mark) return literal(path);
  const word = anyWord.replace('(', '(?<word>');
  return literal(path.slice(0, mark.index)) + word + literal(path.slice(mark.index + mark.word.length));
}

function hole(name: string): string {
  return `(?<${name}>${keepsSlashes.has(name) ? '.+?' : '[^/]+'})`;
}

/** A malformed escape stays as it was sent. */
function decoded({ path }: Operation, found: Readonly<Record<string, string>>): Record<string, string> {
  const values = placeholders(path).map((name) => [name, found[name] ?? ''] as const);
  return Object.fromEntries(values.map(([name, text]) => [name, percentDecoded(text) ?? text]));
}

export interface CallMatch extends PathMatch {
  /** Origin and path prefix, without a trailing slash: what a host's URL would be set to. */
  readonly host: string;
}

const anchors = ['/api/v1/', '/clientData/'] as const;

/** The operation that a call matches best; undefined where it matches none. */
export function matchCall(method: string, url: URL): CallMatch | undefined {
  for (const anchor of anchors) {
    // A path prefix may hold the anchor itself; what follows the last one is the operation.
    const at = url.pathname.lastIndexOf(anchor);
    if (at < 0) continue;
    const best = closest(operationsAt(method, url.pathname.slice(at)), url.searchParams);
    if (!best) continue;
    return {
      ...best,
      host: url.origin + url.pathname.slice(0, at),
      params: { ...best.params, ...queryParams(best.operation, url.searchParams) },
    };
  }
  return undefined;
}

/** Of operations that share a path, the one whose query fits best: most keys present, and fewest missing. */
function closest(matches: readonly PathMatch[], query: URLSearchParams): PathMatch | undefined {
  const score = ({ operation }: PathMatch) => {
    const keys = Object.entries(operation.query);
    const present = keys.filter(([key, template]) => isPresent(key, template, query)).length;
    return present - 2 * (keys.length - present);
  };
  return matches.reduce<PathMatch | undefined>(
    (best, match) => (best === undefined || score(match) > score(best) ? match : best),
    undefined,
  );
}

/** Whether a query has a key. `filter[]=inbox` needs its value; a fixed boolean is only a default of the key. */
function isPresent(key: string, template: string, query: URLSearchParams): boolean {
  const values = valuesOf(key, query);
  const isFree = template.startsWith('{') || template === '<JWT>' || /^(true|false)$/.test(template);
  return isFree ? values.length > 0 : values.includes(template);
}

function queryParams(operation: Operation, query: URLSearchParams): Record<string, string> {
  const found = Object.entries(operation.query).flatMap(([key, template]) => {
    const [name] = placeholders(template);
    const [value] = valuesOf(key, query);
    return name === undefined || value === undefined || value === '' ? [] : [[name, value]];
  });
  return Object.fromEntries(found);
}

/** `types[]` is sent with its brackets or without. */
const valuesOf = (key: string, query: URLSearchParams) => [
  ...query.getAll(key),
  ...(key.endsWith('[]') ? query.getAll(key.slice(0, -2)) : []),
];
