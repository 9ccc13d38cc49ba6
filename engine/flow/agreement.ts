// Checks that a read agrees with the answer to a call: finds what the answer states and the read contradicts.

import type { Operation } from '../../catalog/operation.ts';
import type { Ask } from '../http/ask.ts';
import { answerLeaves, type Exchange, jsonValue, sentJson } from '../http/exchange.ts';
import { entriesOf, isNested, isObject, leavesOf, parentOf } from '../values/json-walk.ts';
import { literalPattern } from '../values/text.ts';
import { isIdentifier } from './identifiers.ts';
import { isLong } from './places.ts';
import { poll } from './polling.ts';
import type { StepContext } from './step-context.ts';

/** The scalar members of one object, by name. */
type Entry = ReadonlyMap<string, unknown>;

interface Denial {
  readonly name: string;
  /** The value in the answer to the call. */
  readonly stated: unknown;
  /** The value that the read showed before the call and shows after it. */
  readonly shown: unknown;
}

interface Answered {
  readonly answer: Exchange;
  /** The read before the call. */
  readonly before: Exchange;
  /** Ids that the call names outside of its body. */
  readonly names?: readonly string[];
}

/** What the answer states and the read before the call contradicts. */
export const statements = ({ answer, before, names = [] }: Answered): readonly Denial[] =>
  denials({ answer, before, names }, before);

/**
 * Finds members of the thing that the call names whose value in the answer differs from the one that the read showed
 * before and still shows. A boolean counts, and a text or number in place of null; a word counts only where the answer
 * and the read show the thing with the same members, since it may otherwise be the outcome of the call.
 */
export function denials({ answer, before, names = [] }: Answered, after: Exchange): readonly Denial[] {
  const isNamed = namedBy(answer, names);
  const [stated, was, is] = [answer, before, after].map((each) => entriesAbout(each, isNamed));
  return [...(stated as Entries)].flatMap(([key, entries]) => {
    const shown = [...(was?.get(key) ?? []), ...(is?.get(key) ?? [])];
    if (!was?.has(key) || !is?.has(key)) return [];
    return entries.flatMap((entry) =>
      [...entry].flatMap(([name, value]) => {
        const [first] = shown;
        const old = first?.get(name);
        if (!shown.every((one) => one.has(name) && one.get(name) === old)) return [];
        const isAlike = shown.every((one) => isOfOneForm(one, entry));
        return isState(value, old, isAlike) ? [{ name, stated: value, shown: old }] : [];
      }),
    );
  });
}

/** Objects by the member that identifies what they are about: its name and value, as JSON. */
type Entries = ReadonlyMap<string, readonly Entry[]>;

const isWord = (value: unknown) => typeof value === 'string' && /^[\p{L}_ -]+$/u.test(value);

function isState(stated: unknown, shown: unknown, isAlike: boolean): boolean {
  if (stated === shown || stated === undefined) return false;
  if (typeof stated === 'boolean') return typeof shown === 'boolean';
  if (shown === null) return (typeof stated === 'string' && stated !== '') || typeof stated === 'number';
  return isAlike && isWord(stated) && isWord(shown);
}

const isOfOneForm = (one: Entry, other: Entry) =>
  one.size > 1 && one.size === other.size && [...one.keys()].every((name) => other.has(name));

/** Whether the body of a call itself states the member with that value. */
const says = ({ request }: Exchange, { name, stated }: Denial): boolean =>
  leavesOf(sentJson({ request })).some((leaf) => leaf.name === name && leaf.value === stated);

/** Whether a member identifies what the call names: by a value that its body has under the same name, or a given id. */
function namedBy({ request }: Exchange, names: readonly string[]) {
  const sent = leavesOf(sentJson({ request })).filter(({ value }) => isIdentifier(value));
  return (name: string, value: unknown) =>
    isIdentifier(value) &&
    (names.includes(String(value)) ||
      sent.some(
        (leaf) =>
          leaf.value === value && (leaf.name === name || (typeof value === 'string' && isLong(value))),
      ));
}

/** The objects of an answer that are about what the call names. */
function entriesAbout(answer: Exchange, isNamed: (name: string, value: unknown) => boolean): Entries {
  const objects = new Map<string, Map<string, unknown>>();
  for (const { pointer, name, value } of answerLeaves(answer)) {
    const place = parentOf(pointer);
    objects.set(place, (objects.get(place) ?? new Map()).set(name, value));
  }
  const found = new Map<string, Entry[]>();
  for (const entry of objects.values())
    for (const [name, value] of entry)
      if (isNamed(name, value)) {
        const key = JSON.stringify([name, value]);
        found.set(key, [...(found.get(key) ?? []), entry]);
      }
  return found;
}

const mostMembers = 100;
const deepest = 8;

/** The objects of a JSON value, the outer ones first. */
function objectsIn(value: unknown, levels = deepest): readonly Readonly<Record<string, unknown>>[] {
  if (!isNested(value) || levels === 0) return [];
  const inside = entriesOf(value, mostMembers).flatMap(([, member]) => objectsIn(member, levels - 1));
  return isObject(value) ? [value, ...inside] : inside;
}

/** Whether the query of a read asks for a member, as `includeState=true` does for `state`. */
const asksFor = ({ request }: Exchange, name: string): boolean =>
  new RegExp(`[?&]include_?${literalPattern(name)}=true(?:&|$)`, 'i').test(request.url);

/**
 * Whether a read contradicts what the answer to a call shows of a thing. The answer names the thing by an id that the
 * body does not hold and has the value in a member; the read shows the thing without the value, though it has that
 * member or its query asks for it. Members that the answer may only repeat from the body do not count.
 */
export function isDenied(answer: Exchange, read: Exchange, value: string): boolean {
  const body = sentJson(answer);
  const sent = new Set(leavesOf(body).map((leaf) => leaf.value));
  const isRepeated = (name: string) => isObject(body) && Object.hasOwn(body, name);
  const holds = (member: unknown) => JSON.stringify(member)?.includes(value) === true;
  const shown = objectsIn(jsonValue(read));
  return objectsIn(jsonValue(answer)).some((thing) => {
    const members = entriesOf(thing, mostMembers);
    const ids = members.filter(
      ([, id]) => typeof id === 'string' && isLong(id) && !sent.has(id) && !holds(id),
    );
    const stated = members.filter(([name, member]) => holds(member) && !isRepeated(name));
    return ids.some(([key, id]) => {
      const same = shown.filter((one) => one[key] === id);
      return stated.some(([name]) => {
        const having = same.filter((one) => Object.hasOwn(one, name) || asksFor(read, name));
        return having.length > 0 && !having.some((one) => holds(one[name]));
      });
    });
  });
}

/** As `expectAgreement`, but does nothing where the answer states nothing that the read did not show before. */
export async function expectAnyAgreement<Role extends string>(
  ...[context, role, answered, read]: Parameters<typeof expectAgreement<Role>>
): Promise<void> {
  if (statements(answered).length > 0) await expectAgreement(context, role, answered, read);
}

/** Expects that a read comes to show what the answer to a call states of the thing that the call names. */
export async function expectAgreement<Role extends string>(
  context: StepContext<Role>,
  role: NoInfer<Role>,
  answered: Answered & { readonly call: Operation },
  { operation, params = {} }: Pick<Ask, 'params'> & { readonly operation: Operation },
): Promise<void> {
  if (statements(answered).length === 0)
    context.notTriggered(
      `the answer of ${answered.call.id} says nothing that ${operation.id} did not show before`,
    );
  const { last } = await poll(
    () => context.send(role, operation, { params }),
    (after) => denials(answered, after).length === 0,
  );
  const [denial] = denials(answered, last);
  const { name, stated, shown } = denial ?? { name: '', stated: '', shown: '' };
  // A value that the body did not hold comes from the target itself, so the target has understood the call.
  if (denial !== undefined && !says(answered.answer, denial)) context.confirmBody(answered.call);
  context.expect(
    denial === undefined,
    `${operation.id} shows ${name} ${JSON.stringify(stated)}, as the answer of ${answered.call.id} says`,
    `${JSON.stringify(shown)}, as before the call`,
    last,
  );
}
