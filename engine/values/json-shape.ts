// Makes the type skeleton of a JSON value: names and types without values. The skeleton is JSON itself.

import { entriesOf } from './json-walk.ts';
import { byName } from './members.ts';

/** Levels; deeper values are ignored. */
const deepest = 12;

/** The number of values that may still be read, over all places of one skeleton. */
interface Budget {
  left: number;
}

/** An object with more names counts as a map, whatever its keys look like. */
const mostNames = 200;
const longestName = 60;

/** Matches keys that are data: numbers, UUIDs, dates, hashes, addresses and ids with a number in them. */
const keyIsData =
  /^(-?\d[\d.:TZ_+-]*|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?=.*\d)[0-9a-f]{12,}|.*\d{4}.*|.*[@:/\s].*)$/i;

/** An object with at least this many names, whose values all have one shape, counts as a map too. */
const manyAlike = 30;

/** The key under which a map's values stand. */
const anyKey = '{}';

interface Member {
  readonly place: Place;
  /** The number of objects at this place that have this field. */
  seen: number;
}

class Place {
  readonly #scalars = new Set<string>();
  readonly #members = new Map<string, Member>();
  #objects = 0;
  #elements: Place | undefined;

  /** Adds the type of one more value at this place. */
  add(value: unknown, budget: Budget, depth = 0): void {
    budget.left -= 1;
    if (depth > deepest || budget.left < 0) this.#scalars.add('…');
    else if (value === null) this.#scalars.add('null');
    else if (Array.isArray(value)) {
      this.#elements ??= new Place();
      for (const element of value) this.#elements.add(element, budget, depth + 1);
    } else if (typeof value === 'object') this.#addObject(value, budget, depth);
    else this.#scalars.add(typeof value);
  }

  #addObject(value: object, budget: Budget, depth: number): void {
    this.#objects += 1;
    const isMap = Object.keys(value).length > mostNames;
    const inThis = new Set<string>();
    // One value more than the budget allows shows that the object was cut.
    for (const [key, child] of entriesOf(value, Math.max(0, budget.left) + 1)) {
      const name = isMap || key.length > longestName || keyIsData.test(key) ? anyKey : key;
      const member = this.#members.get(name) ?? { place: new Place(), seen: 0 };
      this.#members.set(name, member);
      member.place.add(child, budget, depth + 1);
      if (!inThis.has(name)) member.seen += 1;
      inThis.add(name);
    }
  }

  /** The skeleton of the added values. @param depth levels; deeper ones are cut */
  skeleton(depth: number): Skeleton {
    const kinds: Skeleton[] = [];
    if (this.#objects > 0) kinds.push(depth > 0 ? this.#object(depth) : '…');
    if (this.#elements) kinds.push(depth > 0 ? this.#elements.#list(depth) : '…');
    if (this.#scalars.size > 0) kinds.push([...this.#scalars].sort().join('|'));
    const [only = '…', ...others] = new Set(kinds);
    return others.length === 0 ? only : { '|': [only, ...others] };
  }

  #list(depth: number): Skeleton {
    return this.#isEmpty() ? [] : [this.skeleton(depth - 1)];
  }

  #isEmpty(): boolean {
    return this.#objects === 0 && this.#elements === undefined && this.#scalars.size === 0;
  }

  #object(depth: number): Skeleton {
    const named = [...this.#members].sort(byName).map(([name, { place, seen }]) => ({
      name: name !== anyKey && seen < this.#objects ? `${name}?` : name,
      shape: place.skeleton(depth - 1),
    }));
    const shapes = new Set(named.map(({ shape }) => JSON.stringify(shape)));
    if (named.length >= manyAlike && shapes.size === 1) return { [anyKey]: named[0]?.shape ?? '…' };
    return Object.fromEntries(named.map(({ name, shape }) => [name, shape]));
  }
}

/**
 * `"string"`, `"null|number"`; `{"id":"string","note?":"string"}`, where `?` marks a name that only some objects have;
 * `[…]` with the one shape of all elements, `[]` for an empty list; `{"{}":…}` for a map whose keys are data;
 * `{"|":[…]}` where one place has values of several kinds; `"…"` where it was cut.
 */
export type Skeleton = string | readonly Skeleton[] | { readonly [name: string]: Skeleton };

const longest = 4_000;
const mostValues = 100_000;
const depths = [12, 8, 6, 4, 3, 2, 1] as const;

/** The skeleton of a parsed JSON value: names sorted, at most 4,000 characters as text, cut in depth to fit. */
export function skeletonOf(value: unknown): Skeleton {
  const root = new Place();
  root.add(value, { left: mostValues });
  for (const depth of depths) {
    const skeleton = root.skeleton(depth);
    if (JSON.stringify(skeleton).length <= longest) return skeleton;
  }
  return '…';
}
