// Walks JSON values: lists their leaves, and names places in them by JSON Pointer (RFC 6901).
import { quoted } from './text.ts';

/** Whether a value is an object or a list. */
export const isNested = (value: unknown): value is object => value !== null && typeof value === 'object';

/** Whether a value is an object and not a list. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isNested(value) && !Array.isArray(value);

/** The value of a JSON text; undefined where it is not JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The JSON Pointer (RFC 6901) of an object's field or a list's element. */
export function pointerTo(parent: string, key: string | number): string {
  // Hardly any name needs escaping, and a run makes a pointer for every value of every answer.
  const isPlain = typeof key === 'number' || !(key.includes('~') || key.includes('/'));
  return `${parent}/${isPlain ? key : key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** A copy of a JSON value with changed texts. @param rename changes names of fields */
export function withTexts<Value>(
  value: Value,
  change: (text: string) => unknown,
  rename = (name: string) => name,
): Value {
  const copy = (each: unknown): unknown => {
    if (typeof each === 'string') return change(each);
    if (!isNested(each)) return each;
    if (Array.isArray(each)) return each.map(copy);
    return Object.fromEntries(Object.entries(each).map(([name, member]) => [rename(name), copy(member)]));
  };
  return copy(value) as Value;
}

/** The JSON Pointer of the object or list that holds this place. */
export const parentOf = (pointer: string): string => pointer.slice(0, pointer.lastIndexOf('/'));

/** A JSON Pointer with a mark in place of each position in a list. */
export const withoutPositions = (pointer: string, mark: string): string =>
  pointer.replace(/\/\d+(?=\/|$)/g, `/${mark}`);

/** The names in a JSON Pointer, outermost first. */
export const keysIn = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));

/** The value under a JSON Pointer; undefined where there is none. */
export function valueAt(root: unknown, pointer: string): unknown {
  let value = root;
  for (const key of keysIn(pointer)) {
    if (!isNested(value) || !Object.hasOwn(value, key)) return undefined;
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
  /** The field's name; for an element of a list, the name of the list. */
  readonly name: string;
  readonly value: unknown;
}

const deepest = 12;
const mostNodes = 2_000;
/** Limits all pointers together, since a name of a megabyte is part of the pointer of each leaf below it. */
const mostCharacters = 2 ** 20;

/**
 * The scalars of a JSON value, shallow ones first; at most 12 levels and 2^20 characters of pointers.
 * @param most values that are visited, objects and lists included
 */
export function leavesOf(root: unknown, most = mostNodes): Leaf[] {
  const leaves: Leaf[] = [];
  let level: Leaf[] = [{ pointer: '', name: '', value: root }];
  let characters = 0;
  for (let depth = 0, seen = 0; level.length > 0 && depth <= deepest; depth++) {
    const below: Leaf[] = [];
    for (const node of level) {
      characters += node.pointer.length;
      if (++seen > most || characters > mostCharacters) return leaves;
      if (!isNested(node.value)) leaves.push(node);
      else if (below.length < most) below.push(...childrenOf(node, most));
    }
    level = below;
  }
  return leaves;
}

function childrenOf({ pointer, name, value }: Leaf, most: number): Leaf[] {
  const isList = Array.isArray(value);
  return entriesOf(value as object, most).map(([key, child]) => ({
    pointer: pointerTo(pointer, key),
    name: isList ? name : key,
    value: child,
  }));
}

/** The first `most` of Object.entries. Does not make the others: those of a list of a million would take a gigabyte. */
export function entriesOf(value: object, most: number): [string, unknown][] {
  if (Array.isArray(value)) return value.slice(0, most).map((each, at) => [String(at), each]);
  return Object.keys(value)
    .slice(0, most)
    .map((name) => [name, (value as Record<string, unknown>)[name]]);
}

interface Spot {
  /** Both count from 1; columns in UTF-16 units. */
  readonly line: number;
  readonly column: number;
}

/** A JSON text that was read, and the offsets of its fields. */
export interface JsonText {
  /** Undefined where the text is not valid JSON. */
  readonly value: unknown;
  /** The first error of a text that is not valid JSON. */
  readonly wrong?: { readonly offset: number; readonly why: string };
  /** JSON Pointers (RFC 6901) of fields whose name is repeated in their object, so that the last one counts. */
  readonly repeated: readonly string[];
  /** The offset of an element, or of a field's key, by JSON Pointer; of the last one where the key is repeated. */
  offsetOf(pointer: string): number | undefined;
  /** The line and column of an offset. Takes time in proportion to the offset. */
  spotAt(offset: number): Spot;
}

/** Reads a JSON text. Accepts a byte order mark. Never throws: `wrong` reports bad JSON, or more than 100 levels. */
export function readJson(text: string): JsonText {
  const bare = text.replace(/^\uFEFF/, '');
  const { starts, repeated, end, expected } = scanJson(bare);
  const places = {
    repeated,
    offsetOf: (pointer: string) => starts.get(pointer),
    spotAt: (offset: number) => spotAt(bare, offset),
  };
  if (expected === undefined) return { value: JSON.parse(bare), ...places };
  const hint = /^(?:\/[/*]|#)/.test(bare.slice(end)) ? '; JSON has no comments' : '';
  return { value: undefined, wrong: { offset: end, why: `expected ${expected}${hint}` }, ...places };
}

function spotAt(text: string, offset: number): Spot {
  const before = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
}

interface Scan {
  /** Offsets of keys and elements by JSON Pointer, up to the first error. */
  readonly starts: ReadonlyMap<string, number>;
  readonly repeated: readonly string[];
  /** Offset of the first error, or where the value ended. */
  readonly end: number;
  /** What should have stood there; undefined for a valid text. */
  readonly expected?: string;
}

const string = /"[^"\\\x00-\x1f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*)*"/y;
const scalar = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y;
const space = /[ \t\r\n]*/y;
const deepestText = 100;

function scanJson(text: string): Scan {
  const starts = new Map<string, number>();
  const repeated: string[] = [];
  let at = 0;
  let expected: string | undefined;

  const wants = (what: string) => {
    expected ??= what;
    return false;
  };
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    at += found?.length ?? 0;
    return found;
  };
  const eats = (char: string) => {
    take(space);
    if (text[at] !== char) return false;
    at += 1;
    return true;
  };
  const key = (): string | undefined => {
    take(space);
    const raw = take(string);
    return raw === undefined ? undefined : (JSON.parse(raw) as string);
  };
  const member = (pointer: string, depth: number) => {
    take(space);
    const from = at;
    const name = key();
    if (name === undefined) return wants('a property name in double quotes');
    const inner = pointerTo(pointer, name);
    if (starts.has(inner)) repeated.push(inner);
    starts.set(inner, from);
    return eats(':') ? value(inner, depth) : wants('":"');
  };
  const element = (pointer: string, index: number, depth: number) => {
    take(space);
    starts.set(`${pointer}/${index}`, at);
    return value(`${pointer}/${index}`, depth);
  };
  const list = (close: string, item: (index: number) => boolean) => {
    if (eats(close)) return true;
    for (let index = 0; ; index++) {
      if (!item(index)) return false;
      if (eats(close)) return true;
      if (!eats(',')) return wants(`"," or "${close}"`);
    }
  };
  const value = (pointer: string, depth: number): boolean => {
    take(space);
    if (depth > deepestText) return wants(`at most ${deepestText} levels`);
    if (eats('{')) return list('}', () => member(pointer, depth + 1));
    if (eats('[')) return list(']', (index) => element(pointer, index, depth + 1));
    return take(string) !== undefined || take(scalar) !== undefined || wants('a value');
  };

  starts.set('', 0);
  if (value('', 0)) {
    take(space);
    if (at < text.length) wants('the end of the file');
  }
  return { starts, repeated, end: at, ...(expected === undefined ? {} : { expected }) };
}

/** An object within a JSON value, and the names of the members that lead to it; the index of a list's element is one. */
export interface Inside {
  readonly members: Readonly<Record<string, unknown>>;
  readonly path: readonly string[];
}

const deepestObject = 8;

/** All objects of a JSON value down to eight levels, the outer ones first. */
export function objectsIn(value: unknown, path: readonly string[] = []): readonly Inside[] {
  if (!isNested(value) || path.length > deepestObject) return [];
  return [
    ...(isObject(value) ? [{ members: value, path }] : []),
    ...Object.entries(value).flatMap(([name, each]) => objectsIn(each, [...path, name])),
  ];
}
