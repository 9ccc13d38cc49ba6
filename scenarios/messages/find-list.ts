// Where in an answer the messages are listed: the document shows no shape, so the list is recognised.
import { textInOneOrder } from '../../fixtures/check/flow/any-order.ts';
import { type Exchange, json } from '../../fixtures/client/exchange.ts';
import { entriesOf } from '../../fixtures/players/json-walk.ts';
import { pointerTo, valueAt } from '../../fixtures/target/json-pointer.ts';

/** A list in an answer, and the member that tells one entry from another. */
export interface Place {
  /** JSON Pointer of the list. */
  readonly list: string;
  readonly key: string;
}

export interface Message {
  readonly id: string | number;
  /** The entry as text, to see whether it changed; of lists and names in any order. */
  readonly text: string;
}

const deepest = 4;
const mostMembers = 10_000;
const named = /^(message|mail|notification)?_?(id|key|uuid|guid)$/i;
const perhaps = /(id|key)$/i;

/**
 * The longest list of objects that each have an identifier of their own, the nearest to the root first.
 * @param id of a message that is known to be there: the list is the one that holds it
 */
export function findList(exchange: Exchange, id?: string): Place | undefined {
  const parsed = exchange.response && json(exchange.response);
  if (!parsed?.ok) return undefined;
  const found = listsIn(parsed.value, '', 0).flatMap(({ pointer, entries }) => {
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

/** The messages that an answer lists there; undefined where it has no such list. */
export function messagesAt(exchange: Exchange, { list, key }: Place): Message[] | undefined {
  const parsed = exchange.response && json(exchange.response);
  const entries = parsed?.ok ? valueAt(parsed.value, list) : undefined;
  if (!Array.isArray(entries)) return undefined;
  return entries.flatMap((entry) => {
    const id: unknown = isObject(entry) ? entry[key] : undefined;
    return isId(id) ? [{ id, text: textInOneOrder(entry) }] : [];
  });
}

type Entry = Readonly<Record<string, unknown>>;

function listsIn(value: unknown, pointer: string, depth: number): { pointer: string; entries: Entry[] }[] {
  if (value === null || typeof value !== 'object' || depth > deepest) return [];
  if (Array.isArray(value))
    return value.length > 0 && value.every(isObject) ? [{ pointer, entries: value }] : [];
  return entriesOf(value, mostMembers).flatMap(([name, member]) =>
    listsIn(member, pointerTo(pointer, name), depth + 1),
  );
}

/** Names under which every entry has a value that no other has. */
function keysOf(entries: readonly Entry[]): string[] {
  return Object.keys(entries[0] ?? {}).filter((name) => {
    const ids = new Set<unknown>();
    // Ends at the first that has none: a name of the first entry alone costs no look at all the others.
    return entries.every((entry) => isId(entry[name]) && ids.size < ids.add(entry[name]).size);
  });
}

const isObject = (value: unknown): value is Entry =>
  value !== null && typeof value === 'object' && !Array.isArray(value);
const isId = (value: unknown): value is string | number =>
  (typeof value === 'string' && value !== '') || Number.isSafeInteger(value);
