// Watches every read of a run for a member that is a list in one answer and null in another.
import type { Operation } from '../../catalog/operation.ts';
import { type Exchange, isSuccess, jsonValue } from '../http/exchange.ts';
import { entriesOf, isObject } from '../values/json-walk.ts';

export interface NullList {
  /** The member's name. */
  readonly name: string;
  readonly withNull: Exchange;
  readonly withList: Exchange;
}

export interface NullLists {
  /** Members that were a list. */
  readonly lists: number;
  /** The first of them that was null, too. */
  readonly found?: NullList;
}

export interface NullListWatch {
  readonly note: (operation: Operation, exchange: Exchange) => void;
  readonly of: (operation: Operation) => NullLists;
}

const largestBody = 64 * 1024;
const mostMembers = 64;

/** The first answers that held a list and a null, by the name of the member. */
interface Seen {
  readonly lists: Map<string, Exchange>;
  readonly nulls: Map<string, Exchange>;
}

/** Looks at the members of the answer itself: deeper down, a list may belong to something that is not there. */
export function createNullListWatch(): NullListWatch {
  const operations = new Map<string, Seen>();
  return {
    note({ id, host, method }, exchange) {
      if (host !== 'base' || method !== 'GET' || !isSuccess(exchange)) return;
      if (!exchange.response || exchange.response.body.length > largestBody) return;
      const value = jsonValue(exchange);
      if (!isObject(value)) return;
      const { lists, nulls } = operations.get(id) ?? { lists: new Map(), nulls: new Map() };
      operations.set(id, { lists, nulls });
      for (const [name, member] of entriesOf(value, mostMembers)) {
        const kept = member === null ? nulls : Array.isArray(member) ? lists : undefined;
        if (kept && !kept.has(name)) kept.set(name, exchange);
      }
    },
    of({ id }) {
      const { lists, nulls } = operations.get(id) ?? {};
      if (!lists || !nulls) return { lists: 0 };
      for (const [name, withNull] of nulls) {
        const withList = lists.get(name);
        if (withList) return { lists: lists.size, found: { name, withNull, withList } };
      }
      return { lists: lists.size };
    },
  };
}
