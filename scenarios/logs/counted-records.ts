// Finds what an answer to a batch of records counts: how many were taken, and how many were left out. Places are JSON
// Pointers.
import { answerLeaves, type Exchange, isSuccess, jsonValue, statusOf } from '../../engine/http/exchange.ts';
import { takenWords } from '../../engine/target/refusal-form.ts';
import { entriesOf, isObject, pointerTo } from '../../engine/values/json-walk.ts';
import { is2xx } from '../../engine/values/status.ts';

/** Numbers by the places where they stand. */
export type Numbers = ReadonlyMap<string, number>;

/** Whether the number at that place says where records stand, and not how many there are. */
const isPosition = (place: string): boolean =>
  /index|offset|position|last|next|first|cursor|seq/i.test(place);

/** Matches names of fields that count the records to which one of these words applies. */
const counts = (words: string) =>
  new RegExp(
    `^(?:num|number|total)?_?(?:of_?)?(?:${words})(?:_?(?:count|records|events|logs|entries))?$`,
    'i',
  );
const taken = counts(takenWords);
const leftOut = counts('rejected|failed|dropped|discarded|skipped');
const lastOf = (place: string) => place.slice(place.lastIndexOf('/') + 1);
/** Whether the number at this place counts records that were taken; below, records that were left out. */
const saysTaken = (place: string): boolean => taken.test(lastOf(place));
const saysLeftOut = (place: string): boolean => leftOut.test(lastOf(place));

/** The numbers in an answer. */
export const numbersIn = (answer: Exchange): Numbers =>
  new Map(
    answerLeaves(answer).flatMap(({ pointer, value }) =>
      typeof value === 'number' ? [[pointer, value] as const] : [],
    ),
  );

/** How long the lists of an answer are: it may list what it left out. */
export const listsOf = (answer: Exchange): Numbers => new Map(listsBelow(jsonValue(answer), '', deepestList));

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
 * How many records an answer counts as taken, and how many as left out. Undefined where it does not count both, where
 * it has another number or list, which may stand for the rest, or where the first number may count batches.
 * @param ofOne the numbers in the answer to a batch with one record less
 */
export function partsOf(
  answer: Exchange,
  { sent, ofOne }: { readonly sent: number; readonly ofOne: Numbers },
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

/**
 * The places at which answers count the records of a batch.
 * @param numbers those in the answers to batches of one record, of two and of many
 * @returns `onlyGrow`: the numbers grow by one with each record more, but are not the number of records
 */
export function countingPlaces({ one, two, many }: Readonly<Record<'one' | 'two' | 'many', Numbers>>): {
  readonly places: readonly string[];
  readonly onlyGrow: boolean;
} {
  const placesWhere = (isSo: (place: string, ofOne: number) => boolean) =>
    [...one].flatMap(([place, ofOne]) => (isSo(place, ofOne) ? [place] : []));
  const exact = placesWhere((place, ofOne) => ofOne === 1 && two.get(place) === 2);
  if (exact.length > 0) return { places: exact, onlyGrow: false };
  const growing = placesWhere((place, ofOne) => (two.get(place) ?? 0) - ofOne === 1 && !isPosition(place));
  if (growing.length > 0) return { places: growing, onlyGrow: true };
  // A place that names records as taken, and whose number grows, unlike a number of batches.
  const named = placesWhere((place, ofOne) => ofOne === 1 && saysTaken(place) && (many.get(place) ?? 0) > 1);
  return { places: named, onlyGrow: false };
}

/**
 * How many records an answer counts as accepted, and how many as rejected; undefined where it does not count both.
 * @param ofOne the numbers in the answer to a batch of one record, which was accepted
 */
export function countedApart(
  answer: Exchange,
  sent: number,
  ofOne: Numbers,
): { readonly place: string; readonly accepted: number; readonly rejected: number } | undefined {
  const numbers = [...numbersIn(answer)].filter(([, value]) => value <= sent);
  // A counter of all batches does not count the records of this one.
  const [accepted, ...others] = numbers.filter(([place]) => saysTaken(place) && ofOne.get(place) === 1);
  const rejected = [...numbers, ...listsOf(answer)].filter(
    ([place, value]) => saysLeftOut(place) && value <= sent && (ofOne.get(place) ?? 0) === 0,
  );
  // An answer that lists what it left out may read as a refusal, and counts all the same.
  if (!is2xx(statusOf(answer)) || !accepted || others.length > 0 || rejected.length === 0) return undefined;
  const [place, value] = accepted;
  return { place, accepted: value, rejected: Math.max(...rejected.map(([, many]) => many)) };
}
