// Walks JSON values: lists their leaves, and names places in them by JSON Pointer (RFC 6901).
import { quoted } from './text.ts';

/** The JSON Pointer (RFC 6901) of an object's member or a list's element. */
export function pointerTo(parent: string, key: string | number): string {
  return `${parent}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** The value under a JSON Pointer; undefined where there is none. */
export function valueAt(root: unknown, pointer: string): unknown {
  let value = root;
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

const longest = 78;

/**
 * A pointer for a message: the end of a long one (78 characters), with unprintable characters escaped.
 * @param root the text for the empty pointer
 */
export function shownPointer(pointer: string, root: string): string {
  if (pointer === '') return root;
  return quoted(pointer.length > longest ? `…${pointer.slice(1 - longest)}` : pointer).slice(1, -1);
}

export interface Leaf {
  /** JSON Pointer (RFC 6901). */
  readonly pointer: string;
  /** The member's name; for an element of a list, the name of the list. */
  readonly name: string;
  readonly value: unknown;
}

const deepest = 12;
const mostNodes = 2_000;
/** Limits all pointers together, since a name of a megabyte is part of the pointer of each leaf below it. */
const mostCharacters = 2 ** 20;

/** The scalars of a JSON value, shallow ones first; at most 12 levels, 2,000 values and 2^20 characters of pointers. */
export function leavesOf(root: unknown): Leaf[] {
  const leaves: Leaf[] = [];
  let level: Leaf[] = [{ pointer: '', name: '', value: root }];
  let characters = 0;
  for (let depth = 0, seen = 0; level.length > 0 && depth <= deepest; depth++) {
    const below: Leaf[] = [];
    for (const node of level) {
      characters += node.pointer.length;
      if (++seen > mostNodes || characters > mostCharacters) return leaves;
      if (node.value === null || typeof node.value !== 'object') leaves.push(node);
      else if (below.length < mostNodes) below.push(...childrenOf(node));
    }
    level = below;
  }
  return leaves;
}

function childrenOf({ pointer, name, value }: Leaf): Leaf[] {
  const isList = Array.isArray(value);
  return entriesOf(value as object, mostNodes).map(([key, child]) => ({
    pointer: pointerTo(pointer, key),
    name: isList ? name : key,
    value: child,
  }));
}

/** The first `most` entries of Object.entries, without making the others: a list of a million would take a gigabyte. */
export function entriesOf(value: object, most: number): [string, unknown][] {
  if (Array.isArray(value)) return value.slice(0, most).map((each, at) => [String(at), each]);
  return Object.keys(value)
    .slice(0, most)
    .map((name) => [name, (value as Record<string, unknown>)[name]]);
}
