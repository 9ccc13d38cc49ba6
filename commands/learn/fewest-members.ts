// Reduces bodies to the members that matter, by delta debugging: flows are played again and offered smaller bodies.

import { operationById } from '../../catalog/catalog.ts';
import type { Form } from '../../engine/players/body-template.ts';
import { formOf } from '../../engine/players/body-template.ts';
import { guessesFor } from '../../engine/players/candidate-bodies.ts';
import type { Json } from '../../engine/target/profile-validation.ts';
import { isObject } from '../../engine/values/json-walk.ts';

/** Bodies by operation id, in the order in which they are to be tried. */
type Offers = ReadonlyMap<string, readonly Form[]>;

/** Rounds at most: each plays the flows of all operations that are not settled. */
const mostRounds = 8;
/** Most bodies that one operation is offered in one round: each may be accepted without effect, which takes a wait. */
const mostOffers = 12;

/** How an operation's next candidates are made: of single members, of all but a part, of all but one. */
const cuts = [single, coarse, fine] as const;

/**
 * @param effective bodies whose effect showed, by operation id
 * @param play plays flows with players who did not play before, and returns for each operation the bodies whose effect
 *   showed; scenarios may differ in which one they took
 * @returns the smallest bodies found, each with an effect in every scenario that had one with the larger body
 */
export async function fewestMembers(
  effective: ReadonlyMap<string, Form>,
  play: (offers: Offers) => Promise<Offers>,
): Promise<Map<string, Form>> {
  const smallest = new Map(effective);
  const open = new Map<string, { readonly cut: number; readonly smaller: readonly Form[] }>();
  const search = (id: string, cut: number) => {
    const smaller = candidates(id, smallest.get(id) as Form, cut);
    if (smaller.length === 0) open.delete(id);
    else open.set(id, { cut, smaller });
  };
  for (const id of effective.keys()) search(id, 0);
  for (let round = 0; round < mostRounds && open.size > 0; round += 1) {
    const offers = Array.from(
      open,
      ([id, { smaller }]) => [id, [...smaller, smallest.get(id) as Form]] as const,
    );
    const took = await play(new Map(offers));
    for (const [id, { cut, smaller }] of open) {
      const forms = took.get(id) ?? [];
      const agreed = forms.find((form) => forms.every((other) => holds(form, other)));
      if (agreed) {
        const isSmaller = sizeOf(agreed) < sizeOf(smallest.get(id) as Form);
        smallest.set(id, agreed);
        search(id, isSmaller ? Math.max(cut, 1) : cut + 1);
        continue;
      }
      // Not every scenario took the first of them, or nothing was sent after it: the others are left.
      const first = smaller.findIndex((form) =>
        forms.some((other) => holds(form, other) && holds(other, form)),
      );
      const left = smaller.toSpliced(Math.max(first, 0), 1);
      if (left.length > 0) open.set(id, { cut, smaller: left });
      else if (forms.length > 0) search(id, cut + 1);
      else open.delete(id);
    }
  }
  return smallest;
}

const membersOf = ({ template }: Form): [string, Json][] =>
  isObject(template) ? Object.entries(template) : [];

/** Returns whether the one body has all members of the other. */
const holds = (form: Form, other: Form) => {
  const names = new Set(membersOf(form).map(([name]) => name));
  return membersOf(other).every(([name]) => names.has(name));
};

const sizeOf = (form: Form) => membersOf(form).length;

/** Smaller bodies than this one, likeliest first; none where it has one member, is no guess or every cut was tried. */
function candidates(id: string, form: Form, cut: number): Form[] {
  const members = membersOf(form);
  const choose = cuts[cut];
  if (choose === undefined || form.from === 'profile' || members.length < 2) return [];
  const names = members.map(([name]) => name);
  // A body with a list can name two, as some steps do.
  const lists = members.filter(([, value]) => Array.isArray(value)).map(([name]) => name);
  const hasList = (subset: readonly string[]) => lists.some((name) => subset.includes(name));
  const subsets = choose(names, id)
    .filter(({ length }) => length > 0 && length < names.length)
    .toSorted((a, b) => Number(hasList(b)) - Number(hasList(a)));
  const distinct = [...new Map(subsets.map((subset) => [subset.join('\n'), subset])).values()];
  return distinct.slice(0, mostOffers).map((subset) => {
    const template = Object.fromEntries(members.filter(([name]) => subset.includes(name)));
    return formOf(template, 'guess', form.contentType);
  });
}

/** One member alone, and the members that a likely body of the operation has. */
function single(names: readonly string[], id: string): string[][] {
  const operation = operationById(id);
  const likely = (operation ? guessesFor(operation) : []).map((guess) =>
    membersOf(guess).map(([name]) => name),
  );
  const known = likely.filter((each) => each.every((name) => names.includes(name)));
  return [...known, ...names.map((name) => [name])].toSorted((a, b) => a.length - b.length);
}

/** All but a half, and all but a quarter: the later members first, which repeat the earlier ones in another spelling. */
function coarse(names: readonly string[]): string[][] {
  return [2, 4].flatMap((parts) => {
    const size = Math.ceil(names.length / parts);
    return Array.from({ length: parts }, (_, nth) => without(names, nth * size, size)).toReversed();
  });
}

function fine(names: readonly string[]): string[][] {
  return names.map((_, at) => without(names, at, 1)).toReversed();
}

const without = (names: readonly string[], from: number, count: number) => [
  ...names.slice(0, from),
  ...names.slice(from + count),
];
