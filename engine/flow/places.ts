// Finds the places in an answer where a value stands, as paths. Member names do not count.
import { type Exchange, json, text } from '../http/exchange.ts';
import { pointerTo } from '../values/json-walk.ts';

export interface Place {
  /** How often the value stands there: a log may name one player twice. */
  readonly times: number;
  /** In a list, among the names of an object, or in a longer text: where others could stand as well. */
  readonly listed: boolean;
  /** The item of a list, or the member of a map, that holds the value there first; undefined where it stands alone. */
  readonly entry: object | undefined;
}

/** By path: `/members/#/id` stands for every item of the list, `/members/*` for every name that is such a value. */
export type Places = ReadonlyMap<string, Place>;

/** Shorter values stand in longer texts by chance: a leaf or a name has to be the whole of them. */
const shortest = 6;
const deepest = 24;
const mostNodes = 200_000;
/** JSON may be the text of a member of JSON. */
const mostNested = 3;

/**
 * Do answers name somebody where one of the fellows stands in any of them? Where none of them names a fellow: at all,
 * but for an id of a few letters, which is then taken for a count.
 */
export function namedBeside(id: string, fellows: readonly string[], answers: readonly Exchange[]): boolean {
  const telling = new Set(
    answers.flatMap((answer) => fellows.flatMap((fellow) => [...placesOf(answer, fellow).keys()])),
  );
  return answers.some((answer) => {
    const paths = [...placesOf(answer, id).keys()];
    return telling.size > 0 ? paths.some((path) => telling.has(path)) : isLong(id) && paths.length > 0;
  });
}

/** A value of a few letters may be a count, or a level. */
export const isLong = (value: string) => value.length >= shortest;

interface Node {
  readonly value: unknown;
  readonly path: string;
  readonly listed: boolean;
  readonly entry: object | undefined;
  readonly depth: number;
  readonly nested: number;
}

/** The places of a value in an answer, shallow ones first; bounded in depth and number. */
export function placesOf({ response }: Exchange, value: string): Places {
  const found = new Map<string, Place>();
  if (!response || value === '') return found;
  const parsed = json(response);
  if (!parsed.ok) {
    if (within(text(response), value)) found.set('', { times: 1, listed: true, entry: undefined });
    return found;
  }
  const add = (path: string, { listed, entry }: Pick<Place, 'listed' | 'entry'>) => {
    const known = found.get(path);
    found.set(path, known ? { ...known, times: known.times + 1 } : { times: 1, listed, entry });
  };
  const root = { value: parsed.value, path: '', listed: false, entry: undefined, depth: 0, nested: 0 };
  const open: Node[] = [root];
  for (let at = 0; at < Math.min(open.length, mostNodes); at += 1) {
    const node = open[at] as Node;
    const { value: held, nested } = node;
    if (held !== null && typeof held === 'object') {
      if (node.depth < deepest) for (const each of below(node, held, value, add)) open.push(each);
      continue;
    }
    const inside = typeof held === 'string' && nested < mostNested ? jsonIn(held) : undefined;
    if (inside !== undefined)
      open.push({
        ...node,
        value: inside,
        path: `${node.path}/$`,
        nested: nested + 1,
        depth: node.depth + 1,
      });
    else if (isSame(held, value)) add(node.path, node);
    else if (typeof held === 'string' && within(held, value)) add(node.path, { ...node, listed: true });
  }
  return found;
}

function* below(
  node: Node,
  held: object,
  value: string,
  add: (path: string, place: Pick<Place, 'listed' | 'entry'>) => void,
): Iterable<Node> {
  const deeper = { depth: node.depth + 1, nested: node.nested };
  if (Array.isArray(held)) {
    for (const each of held.slice(0, mostNodes))
      yield { ...deeper, value: each, path: `${node.path}/#`, listed: true, entry: objectOf(each) };
    return;
  }
  for (const [name, each] of Object.entries(held).slice(0, mostNodes)) {
    if (name === value || within(name, value)) {
      const inMap = { listed: true, entry: objectOf(each) };
      add(`${node.path}/*`, inMap);
      yield { ...deeper, ...inMap, value: each, path: `${node.path}/*` };
    } else if (/^\d+$/.test(name)) {
      yield { ...deeper, value: each, path: `${node.path}/#`, listed: true, entry: objectOf(each) };
    } else {
      const path = pointerTo(node.path, name);
      yield { ...deeper, value: each, path, listed: node.listed, entry: node.entry };
    }
  }
}

const objectOf = (value: unknown): object | undefined =>
  value !== null && typeof value === 'object' ? value : undefined;

const isSame = (held: unknown, value: string) =>
  (typeof held === 'string' || typeof held === 'number') && String(held) === value;

const wordy = /[\p{L}\p{N}]/u;

/** Whether a text holds the value as a whole word: `player-12` does not hold `player-1`. */
function within(held: string, value: string): boolean {
  if (!isLong(value)) return false;
  const runsOn = (inner: string | undefined, outer: string | undefined) =>
    inner !== undefined && outer !== undefined && wordy.test(inner) && wordy.test(outer);
  for (let at = held.indexOf(value); at >= 0; at = held.indexOf(value, at + 1)) {
    const end = at + value.length;
    if (!runsOn(value[0], held[at - 1]) && !runsOn(value.at(-1), held[end])) return true;
  }
  return false;
}

/** The object or list that a text is as JSON. */
function jsonIn(held: string): object | undefined {
  if (!/^\s*["[{]/.test(held)) return undefined;
  try {
    const found: unknown = JSON.parse(held);
    return typeof found === 'string' ? jsonIn(found) : objectOf(found);
  } catch {
    return undefined;
  }
}
