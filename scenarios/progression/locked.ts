// Reads which entries of an answer are locked, such as story nodes that build on others, and later journal pages.
import { type Exchange, jsonValue } from '../../engine/http/exchange.ts';
import { isNested, isObject } from '../../engine/values/json-walk.ts';

const deepest = 8;
const isId = /(?:^|_|[a-z])id$/i;
const isState = /^(?:status|state|availability|visibility)$/i;

/** What one entry says of itself; undefined where it says nothing of a lock. */
export function saysLocked(entry: Readonly<Record<string, unknown>>): boolean | undefined {
  for (const [name, value] of Object.entries(entry)) {
    if (typeof value === 'boolean' && /^(?:is_?)?locked$/i.test(name)) return value;
    if (typeof value === 'boolean' && /^(?:is_?)?unlocked$/i.test(name)) return !value;
    if (typeof value === 'string' && isState.test(name)) return /^locked$/i.test(value);
  }
  return undefined;
}

/**
 * The ids of the entries that are locked, in their order. Empty where no entry is open: then the lock may be of the
 * whole, or the field may mean something else.
 */
export function lockedIn(answer: Exchange): readonly string[] {
  const locked: string[] = [];
  let open = 0;
  const visit = (value: unknown, levels: number): void => {
    if (!isNested(value) || levels === 0) return;
    const says = isObject(value) ? saysLocked(value) : undefined;
    if (says === false) open += 1;
    if (says)
      for (const [name, member] of Object.entries(value))
        if (isId.test(name) && (typeof member === 'string' || typeof member === 'number'))
          locked.push(String(member));
    for (const member of Object.values(value)) visit(member, levels - 1);
  };
  visit(jsonValue(answer), deepest);
  return open > 0 ? locked : [];
}
