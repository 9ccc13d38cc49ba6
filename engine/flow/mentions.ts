// Finds whether an answer mentions a value anywhere, for values without a known place.
import { type Exchange, json } from '../http/exchange.ts';
import { leavesOf } from '../values/json-walk.ts';
import { placesOf } from './places.ts';

/** Is the value in the body: as a leaf, as a member's name, or within a longer text? */
export const mentions = (exchange: Exchange, value: string): boolean => placesOf(exchange, value).size > 0;

/** A longer name is data, and a longer text is the name of nothing. */
const longestName = 100;
const longestValue = 1_024;
const mostValues = 50;

/** The texts that stand under names of this pattern in a JSON answer, each once, shallow ones first; at most fifty. */
export function valuesUnder({ response }: Exchange, pattern: RegExp): string[] {
  const parsed = response && json(response);
  const leaves = parsed?.ok ? leavesOf(parsed.value) : [];
  const found = leaves.flatMap(({ name, value }) =>
    name.length <= longestName &&
    pattern.test(name) &&
    typeof value === 'string' &&
    value !== '' &&
    value.length <= longestValue
      ? [value]
      : [],
  );
  return [...new Set(found)].slice(0, mostValues);
}
