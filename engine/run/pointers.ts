// Watches whether the pointers of a profile find their identifiers in the answers of a run.
import { type Exchange, json } from '../http/exchange.ts';
import type { Profile } from '../target/profile.ts';
import { shownPointer, valueAt } from '../values/json-walk.ts';
import { is2xx } from '../values/status.ts';

interface WatchedPointer {
  readonly operation: string;
  readonly pointer: string;
  answers: number;
  matched: boolean;
}

/** @param minAnswers how many answers must lack the identifier before its pointer is reported */
export function createPointerWatch(profile: Pick<Profile, 'operations'> | undefined, minAnswers = 1) {
  const places = Object.entries(profile?.operations ?? {}).flatMap(([operation, { ids = {} }]) =>
    Object.values(ids).map((pointer): WatchedPointer => ({ operation, pointer, answers: 0, matched: false })),
  );
  const byOperation = Map.groupBy(places, ({ operation }) => operation);
  return {
    /** Counts an answer for the pointers of its operation, where it succeeded and has a body. */
    note(operation: string, { response }: Exchange) {
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
    /** One line per pointer that matched no answer of its operation; sorted. */
    unmatched: () =>
      places
        .filter(({ answers, matched }) => answers >= minAnswers && !matched)
        .map(({ operation, pointer, answers }) => {
          const where = shownPointer(pointer, 'the root');
          return `ids: ${where} of ${operation} matched nothing in ${answers} ${answers === 1 ? 'answer' : 'answers'}`;
        })
        .sort(),
  };
}

/** Whether the path ends early at an empty list or a null: the pointer may match in an answer that has entries. */
function cannotTellYet(answer: unknown, pointer: string): boolean {
  const parts = pointer.split('/');
  return parts.slice(0, -1).some((_, at) => {
    const value = valueAt(answer, parts.slice(0, at + 1).join('/'));
    return value === null || (Array.isArray(value) && value.length === 0);
  });
}
