// Finds the list of messages in an answer, whose shape the document does not show.
import { isIdentifier } from '../../engine/flow/identifiers.ts';
import { textInOneOrder } from '../../engine/flow/snapshot.ts';
import { type Exchange, jsonValue } from '../../engine/http/exchange.ts';
import { entriesOf, isNested, isObject, pointerTo, valueAt } from '../../engine/values/json-walk.ts';

/** A list in an answer, and the field that identifies its entries. */
export interface ListPlace {
  /** JSON Pointer of the list. */
  readonly list: string;
  readonly key: string;
}

export interface Message {
  readonly id: string | number;
  /** The entry as text, to see whether it changed; the order of lists and fields does not count. */
  readonly text: string;
}

const deepest = 4;
const mostMembers = 10_000;
const named = /^(message|mail|notification)?_?(id|key|uuid|guid)$/i;
const perhaps = /(id|key)$/i;

/**
 * Finds the longest list of objects that each have an identifier of their own.
 * @param id of a message that is known to be there: only a list that holds it counts
 */
export function findList(exchange: Exchange, id?: string): ListPlace | undefined {
  const found = listsIn(jsonValue(exchange), '', 0).flatMap(({ pointer, entries }) => {
    const keys = keysOf(entries);
    const key =
      id === undefined
        ? (keys.find((name) => named.test(name)) ?? keys.find((name) => perhaps.test(name)))
        : keys.find((name) => entries.some((entry) => String(entry[name]) === id));
    return key === undefined ? [] : [{ list: pointer, key, length: entries.length }];
  });
  const [longest] = found.toSorted((a, b) => b.length - a.length);
  return longest && { list: longest.list, key: longest.key };
}

/** The messages of that list in an answer; undefined where it has no such list. */
export function messagesAt(exchange: Exchange, { list, key }: ListPlace): Message[] | undefined {
  return entriesAt(exchange, list)?.flatMap((entry) => {
    const id: unknown = isObject(entry) ? entry[key] : undefined;
    return isIdentifier(id) ? [{ id, text: textInOneOrder(entry) }] : [];
  });
}

export type Entry = Readonly<Record<string, unknown>>;

/** What that list shows of one message; empty where it is not there. */
export const entryAt = (exchange: Exchange, { list, key }: ListPlace, id: Message['id']): Entry =>
  entriesAt(exchange, list)?.find((entry): entry is Entry => isObject(entry) && entry[key] === id) ?? {};

/** The entries of a list, or of a map that has them by their ids; undefined where neither stands there. */
export function entriesAt(exchange: Exchange, list: string): readonly unknown[] | undefined {
  const found = valueAt(jsonValue(exchange), list);
  if (Array.isArray(found)) return found;
  const entries = isObject(found) ? Object.values(found) : undefined;
  return entries?.every(isObject) ? entries : undefined;
}

/** Whether each entry holds the name that it stands under: `{"7": {"id": 7, …}}`. */
const isByIds = (members: readonly (readonly [string, unknown])[]): boolean => {
  const [first] = members;
  const keys = isObject(first?.[1]) ? Object.keys(first[1]) : [];
  return keys.some((key) =>
    members.every(
      ([name, entry]) => isObject(entry) && isIdentifier(entry[key]) && String(entry[key]) === name,
    ),
  );
};

function listsIn(value: unknown, pointer: string, depth: number): { pointer: string; entries: Entry[] }[] {
  if (!isNested(value) || depth > deepest) return [];
  if (Array.isArray(value))
    return value.length > 0 && value.every(isObject) ? [{ pointer, entries: value }] : [];
  const members = entriesOf(value, mostMembers);
  if (isByIds(members)) return [{ pointer, entries: members.map(([, entry]) => entry as Entry) }];
  return members.flatMap(([name, member]) => listsIn(member, pointerTo(pointer, name), depth + 1));
}

/** Names of the fields in which every entry has a value that no other entry has. */
function keysOf(entries: readonly Entry[]): string[] {
  return Object.keys(entries[0] ?? {}).filter((name) => {
    const ids = new Set<unknown>();
    // Stops at the first entry without the name, so that rare names are cheap.
    return entries.every((entry) => isIdentifier(entry[name]) && ids.size < ids.add(entry[name]).size);
  });
}
