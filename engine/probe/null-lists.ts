// Watches every read of a run for a field that is a list in one answer and null in another.
import type { Operation } from '../../catalog/operation.ts';
import { type Exchange, isSuccess, jsonValue } from '../http/exchange.ts';
import { entriesOf, isObject } from '../values/json-walk.ts';

export interface NullLists {
  /** Fields of this operation's answers that were a list. */
  readonly lists: number;
  /** The first field that was a list in one answer and null in another. */
  readonly found?: { readonly name: string; readonly withNull: Exchange; readonly withList: Exchange };
  /** Fields over all operations that were an empty list, and fields that were both a list and null. */
  readonly emptyOnes: number;
  readonly nullOnes: number;
}

const largestBody = 64 * 1024;
const mostMembers = 64;

/** By field name, the first answers with a list and with null; and the names of fields that were an empty list. */
interface ListMembers {
  readonly lists: Map<string, Exchange>;
  readonly nulls: Map<string, Exchange>;
  readonly empty: Set<string>;
}

const mixed = ({ lists, nulls }: ListMembers) => [...nulls.keys()].filter((name) => lists.has(name));

/** Watches the top-level fields only: deeper down, a list may belong to something that is absent. */
export function createNullListWatch() {
  const operations = new Map<string, ListMembers>();
  return {
    note({ id, host, method }: Operation, exchange: Exchange): void {
      if (host !== 'base' || method !== 'GET' || !isSuccess(exchange)) return;
      if (!exchange.response || exchange.response.body.length > largestBody) return;
      const value = jsonValue(exchange);
      if (!isObject(value)) return;
      const seen: ListMembers = operations.get(id) ?? {
        lists: new Map(),
        nulls: new Map(),
        empty: new Set(),
      };
      operations.set(id, seen);
      for (const [name, member] of entriesOf(value, mostMembers)) {
        if (Array.isArray(member) && member.length === 0) seen.empty.add(name);
        const kept = member === null ? seen.nulls : Array.isArray(member) ? seen.lists : undefined;
        if (kept && !kept.has(name)) kept.set(name, exchange);
      }
    },
    of({ id }: Operation): NullLists {
      const all = [...operations.values()];
      const counts = {
        emptyOnes: all.reduce((sum, { empty }) => sum + empty.size, 0),
        nullOnes: all.reduce((sum, each) => sum + mixed(each).length, 0),
      };
      const own = operations.get(id);
      const [name] = own ? mixed(own) : [];
      const [withNull, withList] = [own?.nulls.get(name ?? ''), own?.lists.get(name ?? '')];
      const found = name !== undefined && withNull && withList ? { name, withNull, withList } : undefined;
      return { lists: own?.lists.size ?? 0, ...(found && { found }), ...counts };
    },
  };
}
