// Finds the offset of each member in a JSON text, so that a message can point at it. JSON.parse does the parsing.
import { pointerTo } from './json-walk.ts';

export interface Spot {
  /** Both count from 1; columns in UTF-16 units. */
  readonly line: number;
  readonly column: number;
}

/** A JSON text that was read, and the offsets of its members. */
export interface JsonText {
  /** Undefined where the text is not valid JSON. */
  readonly value: unknown;
  /** The first error of a text that is not valid JSON. */
  readonly wrong?: { readonly offset: number; readonly why: string };
  /** JSON Pointers (RFC 6901) of members whose name stands in their object a second time, which hides the first. */
  readonly repeated: readonly string[];
  /** The offset of an element, or of a member's key, by JSON Pointer; of the last one where the key is repeated. */
  offsetOf(pointer: string): number | undefined;
  /** The line and column of an offset. Takes time in proportion to the offset. */
  spotAt(offset: number): Spot;
}

/** Reads a JSON text. Accepts a byte order mark. Never throws: bad JSON, or more than 100 levels, is reported in `wrong`. */
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
const deepest = 100;

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
    if (depth > deepest) return wants(`at most ${deepest} levels`);
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
