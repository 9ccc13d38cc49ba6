// Finds what an answer to a batch of records counts: how many were taken, and how many were left out. Places are JSON
// Pointers.
import { answerLeaves, type Exchange, isSuccess, jsonValue } from '../../engine/http/exchange.ts';
import { entriesOf, isObject, pointerTo } from '../../engine/values/json-walk.ts';

/** Whether the number at that place says where records stand, and not how many there are. */
export const isPosition = (place: string): boolean =>
  /index|offset|position|last|next|first|cursor|seq/i.test(place);

/** Names of a number of records of which one of these words is said. */
const counts = (words: string) =>
  new RegExp(
    `^(?:num|number|total)?_?(?:of_?)?(?:${words})(?:_?(?:count|records|events|logs|entries))?$`,
    'i',
  );
const taken = counts('accepted|stored|saved|ingested|inserted|persisted|written');
const leftOut = counts('rejected|failed|dropped|discarded|skipped');
const lastOf = (place: string) => place.slice(place.lastIndexOf('/') + 1);
/** Whether the place names records that were taken, or such that were left out. */
export const saysTaken = (place: string): boolean => taken.test(lastOf(place));
export const saysLeftOut = (place: string): boolean => leftOut.test(lastOf(place));

/** The numbers in an answer, by the places where they stand. */
export const numbersIn = (answer: Exchange): ReadonlyMap<string, number> =>
  new Map(
    answerLeaves(answer).flatMap(({ pointer, value }) =>
      typeof value === 'number' ? [[pointer, value] as const] : [],
    ),
  );

/** How long the lists of an answer are, by the places where they stand: it may list what it left out. */
export const listsOf = (answer: Exchange): ReadonlyMap<string, number> =>
  new Map(listsBelow(jsonValue(answer), '', deepestList));

const deepestList = 4;

function listsBelow(value: unknown, pointer: string, levels: number): [place: string, length: number][] {
  if (Array.isArray(value)) return [[pointer, value.length]];
  if (!isObject(value) || levels === 0) return [];
  return entriesOf(value, mostMembers).flatMap(([name, member]) =>
    listsBelow(member, pointerTo(pointer, name), levels - 1),
  );
}

const mostMembers = 100;

/**
 * How many of the records an answer names as taken, and how many as left out; undefined where it does not name both, where
 * it tells another number or list, which may stand for the rest, or where the first number may be that of batches.
 * @param ofOne the numbers in the answer to one record less
 */
export function partsOf(
  answer: Exchange,
  { sent, ofOne }: { readonly sent: number; readonly ofOne: ReadonlyMap<string, number> },
): readonly [accepted: number, rejected: number] | undefined {
  const all = [...numbersIn(answer), ...listsOf(answer)].filter(([place]) => !withinList.test(place));
  const accepted = all.filter(([place]) => saysTaken(place));
  const rejected = all.filter(([place]) => saysLeftOut(place));
  const isAll = all.every((each) => accepted.includes(each) || rejected.includes(each) || each[1] === sent);
  const [first, ...others] = accepted;
  const [last, ...further] = rejected;
  if (!isSuccess(answer) || !isAll || !first || !last || others.length > 0 || further.length > 0)
    return undefined;
  const [place, count] = first;
  return count > (ofOne.get(place) ?? count) ? [count, last[1]] : undefined;
}

/** A number in an element of a list says something of one record. */
const withinList = /\/\d+\//;
