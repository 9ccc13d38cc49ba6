// Reads fields of values of unknown type, such as the JSON of a file.
import { isObject } from './json-walk.ts';

export function at(value: unknown, ...path: readonly string[]): unknown {
  let here = value;
  for (const name of path) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, name)) return undefined;
    here = (here as Readonly<Record<string, unknown>>)[name];
  }
  return here;
}

/** The field of that name; undefined also for a name that every object inherits, such as `constructor`. */
export const ownMember = <Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;

/** The value as an object; an empty one where it is no object. */
export const objectOf = <Value = unknown>(value: unknown): Readonly<Record<string, Value>> =>
  (isObject(value) ? value : {}) as Readonly<Record<string, Value>>;

/** Compares entries by name, in the order of code units. */
export const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number =>
  a < b ? -1 : 1;

/** The number at that path; undefined where there is no finite number. */
export function numberAt(value: unknown, ...path: readonly string[]): number | undefined {
  const found = at(value, ...path);
  return typeof found === 'number' && Number.isFinite(found) ? found : undefined;
}

/** The text at that path; undefined where there is none. */
export function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : undefined;
}

/** The list at that path; empty where there is none. */
export function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}
