// Finds where answers hold the identifiers that calls are made with: name → JSON Pointer.
import type { Side } from '../observed-call.ts';
import { type IdentifierName, type KnownValues, leavesIn } from '../privacy.ts';
import { Tally } from '../tally.ts';

export class IdentifierPlaces {
  answers = 0;
  /** How many answers hold an identifier at a place, by `name pointer`. */
  readonly places = new Tally(200);
  /** How many answers hold an identifier anywhere, by its name. */
  readonly holders = new Tally();
}

/** Whether a pointer names no element of a list, which may be another one next time. */
const isFixed = (pointer: string) => !/\/\d+(?:\/|$)/.test(pointer);

/**
 * Adds one answer.
 * @param sent values that the request itself carried: an answer that repeats them proves nothing
 */
export function addAnswerOf(
  found: IdentifierPlaces,
  answer: Pick<Side, 'body'>,
  known: KnownValues,
  sent: ReadonlySet<string>,
): void {
  found.answers += 1;
  const held = new Set<string>();
  for (const { value, pointer } of leavesIn(answer)) {
    if ((typeof value !== 'string' && typeof value !== 'number') || !isFixed(pointer)) continue;
    const text = String(value);
    const name = sent.has(text) ? undefined : known.identifies(text);
    if (name === undefined) continue;
    held.add(name);
    found.places.add(`${name} ${pointer}`);
  }
  for (const name of held) found.holders.add(name);
}

/**
 * Returns one pointer for each name, with the number of answers that hold the identifier there: at least half of all
 * answers, and every one that holds it at all. Where answers hold it at different places, there is no pointer.
 * @param besides answers that no place is taken from, and that must not hold the identifier elsewhere
 * @param isShareable whether the name of a field, of which a pointer is made, may stand in a profile
 */
export function placesOf(
  found: IdentifierPlaces,
  besides: IdentifierPlaces,
  isShareable: (key: string) => boolean,
): Map<IdentifierName, { readonly pointer: string; readonly answers: number }> {
  const isWherever = (place: string, name: string) =>
    [found, besides].every(({ places, holders }) => places.of(place) === holders.of(name));
  const chosen = new Map<IdentifierName, { pointer: string; answers: number }>();
  const sorted = found.places
    .ranked()
    .filter(([place, count]) => count * 2 >= found.answers && isWherever(place, place.split(' ', 1)[0] ?? ''))
    .map(([place, count]) => {
      const [name = '', pointer = ''] = place.split(' ', 2);
      return { name: name as IdentifierName, pointer, answers: count };
    })
    .filter(({ pointer }) => pointer.split('/').slice(1).every(isShareable))
    .sort((a, b) => b.answers - a.answers || distance(a) - distance(b));
  for (const { name, ...place } of sorted) if (!chosen.has(name)) chosen.set(name, place);
  return chosen;
}

/** Sorts a field of the identifier's own name first, then the shallowest. */
const distance = ({ name, pointer }: { readonly name: string; readonly pointer: string }) =>
  (pointer.endsWith(`/${name}`) ? 0 : 100) + pointer.split('/').length;
