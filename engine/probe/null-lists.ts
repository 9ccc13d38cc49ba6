// Watches every read of a run for a member that is a list in one answer and null in another.
import type { Operation } from '../../catalog/operation.ts';
import { type Exchange, isSuccess, jsonValue } from '../http/exchange.ts';
import { entriesOf, isObject } from '../values/json-walk.ts';

export interface NullLists {
  /** Members that were a list. */
  readonly lists: number;
  /** The first of them that was null, too. */
  readonly found?: { readonly name: string; readonly withNull: Exchange; readonly withList: Exchange };
  /** Members of all operations that were an empty list, and those that were a list and null. */
  readonly emptyOnes: number;
  readonly nullOnes: number;
}

const largestBody = 64 * 1024;
const mostMembers = 64;

/** The first answers that held a list and a null, by the name of the member; and those that were an empty list. */
interface ListMembers {
  readonly lists: Map<string, Exchange>;
  readonly nulls: Map<string, Exchange>;
  readonly empty: Set<string>;
}

const mixed = ({ lists, nulls }: ListMembers) => [...nulls.keys()].filter((name) => lists.has(name));

/** Looks at the members of the answer itself: deeper down, a list may belong to something that is not there. */
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
