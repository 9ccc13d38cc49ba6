// A body that works, but for one place within that is of the wrong type.
import { type Exchange, statusOf } from '../../engine/http/exchange.ts';

/** Requests; among more places than these are drawn. */
const most = 8;

type Place = readonly string[];

/**
 * The body of a call that succeeded, once for each list and each object within it: an object instead of that list, a
 * list instead of that object. Of a list's own elements the first such stands for all. None where nothing is nested.
 * @param random draws among many: numbers in [0, 1)
 */
export function spoiledWithin(exchange: Exchange, random: () => number): readonly string[] {
  const { body } = exchange.request;
  const status = statusOf(exchange);
  if (typeof body !== 'string' || status < 200 || status > 299) return [];
  const sent = jsonOf(body);
  const places = [...placesIn(sent, [])];
  while (places.length > most) places.splice(Math.floor(random() * places.length), 1);
  return places.map((place) => JSON.stringify(spoiledAt(sent, place)));
}

function* placesIn(value: unknown, at: Place): Iterable<Place> {
  const nested = entriesOf(value).filter(([, member]) => isNested(member));
  for (const [name, member] of Array.isArray(value) ? nested.slice(0, 1) : nested) {
    yield [...at, name];
    yield* placesIn(member, [...at, name]);
  }
}

function spoiledAt(value: unknown, [next, ...rest]: Place): unknown {
  if (next === undefined) return Array.isArray(value) ? {} : [];
  const put = ([name, member]: readonly [string, unknown]) =>
    [name, name === next ? spoiledAt(member, rest) : member] as const;
  const entries = entriesOf(value).map(put);
  return Array.isArray(value) ? entries.map(([, member]) => member) : Object.fromEntries(entries);
}

const entriesOf = (value: unknown): readonly [string, unknown][] =>
  isNested(value) ? Object.entries(value) : [];
const isNested = (value: unknown): value is object => value !== null && typeof value === 'object';

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
