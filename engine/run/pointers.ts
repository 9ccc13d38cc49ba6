// Pointers of a profile that point at nothing: a misspelt one would otherwise do nothing, and say nothing.
import { type Exchange, json } from '../http/exchange.ts';
import type { Profile } from '../target/profile.ts';
import { shownPointer, valueAt } from '../values/json-walk.ts';
import { is2xx } from '../values/status.ts';

export interface Pointers {
  /** Takes an answer into account, where it succeeded and has a body. */
  readonly note: (operation: string, exchange: Exchange) => void;
  /** A line for each pointer at an identifier that no answer of its operation had; sorted. */
  readonly unmatched: () => readonly string[];
}

interface Place {
  readonly operation: string;
  readonly pointer: string;
  answers: number;
  matched: boolean;
}

/** @param fewest answers that have to lack it before a pointer is told */
export function createPointers(profile: Pick<Profile, 'operations'> | undefined, fewest = 1): Pointers {
  const places = Object.entries(profile?.operations ?? {}).flatMap(([operation, { ids = {} }]) =>
    Object.values(ids).map((pointer): Place => ({ operation, pointer, answers: 0, matched: false })),
  );
  const byOperation = Map.groupBy(places, ({ operation }) => operation);
  return {
    note(operation, { response }) {
      const sought = byOperation.get(operation)?.filter(({ matched }) => !matched) ?? [];
      if (sought.length === 0 || !response || !is2xx(response.status)) return;
      if (response.body.length === 0) return;
      const parsed = json(response);
      for (const place of sought) {
        if (parsed.ok && cannotTellYet(parsed.value, place.pointer)) continue;
        place.answers += 1;
        const value = parsed.ok ? valueAt(parsed.value, place.pointer) : undefined;
        place.matched = typeof value === 'string' || typeof value === 'number';
      }
    },
    unmatched: () =>
      places
        .filter(({ answers, matched }) => answers >= fewest && !matched)
        .map(({ operation, pointer, answers }) => {
          const where = shownPointer(pointer, 'the root');
          return `ids: ${where} of ${operation} matched nothing in ${answers} ${answers === 1 ? 'answer' : 'answers'}`;
        })
        .sort(),
  };
}

/** Where a list is empty, or nothing stands in an object's place, on the way there, it may be right all the same. */
function cannotTellYet(answer: unknown, pointer: string): boolean {
  const parts = pointer.split('/');
  return parts.slice(0, -1).some((_, at) => {
    const value = valueAt(answer, parts.slice(0, at + 1).join('/'));
    return value === null || (Array.isArray(value) && value.length === 0);
  });
}
