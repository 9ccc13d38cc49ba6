// Compares the lists of belongings after a purchase: those that held the same before must hold the same new things.
import { areas } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import { belongings } from '../../engine/attack/figures.ts';
import { pollAnswered } from '../../engine/flow/polling.ts';
import { valuesIn } from '../../engine/flow/snapshot.ts';
import type { StepContext } from '../../engine/flow/step-context.ts';
import { ignoreStop } from '../../engine/flow/why-refused.ts';
import { type Exchange, isSuccess, jsonValue } from '../../engine/http/exchange.ts';
import { objectsIn } from '../../engine/values/json-walk.ts';
import { nameOfItem } from './buy.ts';
import type { Change, Snapshots } from './effects.ts';

const { game } = areas;

/** Reads that list what a player owns; a message only says what it brings. */
const ownLists = belongings.filter((read) => read !== areas.messages.list);

/** Fewest other entries that two lists have to share: fewer may be chance. */
const fewestOthers = 2;

/** The names that came into a list, each with the other names that this list held before. */
function arrivedBeside(before: Exchange, after: Exchange) {
  const was = valuesIn(before);
  return [...valuesIn(after)].flatMap(([place, values]) => {
    const held = new Set(was.get(place));
    const isList = held.size === was.get(place)?.length;
    const [fellows, came] = [wordsOf(held), wordsOf(new Set(values).difference(held))];
    return isList && fellows.length >= fewestOthers ? came.map((name) => ({ name, fellows })) : [];
  });
}

/** The words among JSON values: no numbers, and no times. */
const wordsOf = (values: ReadonlySet<string>): string[] =>
  [...values]
    .map((value) => JSON.parse(value) as unknown)
    .filter((value) => typeof value === 'string')
    .filter((word) => /\p{L}{3}/u.test(word));

/** Whether one list of the answer holds these names and no others: it may also list what the player does not own. */
const listsJust = (answer: Exchange, names: readonly string[]): boolean =>
  [...valuesIn(answer).values()].some((values) => {
    const words = new Set(wordsOf(new Set(values)));
    return words.size === names.length && names.every((name) => words.has(name));
  });

/**
 * Whether what came is a thing for the character of that name, as an outfit is: the list names its characters by their
 * own names as ids, and no entry has this one.
 */
function isThingOf(name: string, others: readonly string[], list: Exchange): boolean {
  const ids = new Set(
    objectsIn(jsonValue(list)).flatMap(({ members }) => idOf(Object.entries(members)) ?? []),
  );
  return others.some((other) => ids.has(other)) && !ids.has(name);
}

/** The text that identifies an entry: under a name such as `itemId` or `sku`, else the first that names it. */
function idOf(entries: readonly [string, unknown][]): string | undefined {
  const named = entries.flatMap(([key, value]) =>
    nameOfItem.test(key) && typeof value === 'string' ? [[key, value] as const] : [],
  );
  // An entry may also name the character that its thing is for.
  const [, id] = named.find(([key]) => /(?:id|key|sku)$/i.test(key)) ?? named[0] ?? [];
  return id;
}

/** Whether the character is listed once it was made ready: a target may list only characters that are. */
async function isListedOnceReady(context: StepContext<'buyer'>, characterName: string): Promise<boolean> {
  const ask = { carry: { characterName }, mayRefuse: 'a character that was bought' };
  await context.mustSucceed('buyer', game.getOrInitCharacter, ask).catch(ignoreStop);
  const answer = await context.send('buyer', game.allCharacters);
  return isSuccess(answer) && context.mentions(answer, characterName);
}

/**
 * Expects that what came into one list of belongings came into each other one that held all that this one held.
 * @param before what the reads showed before the purchase
 * @param changes what the purchase changed in them
 * @param character the one that the purchase named: the list of characters need not hold anything else that it brought
 */
export async function expectListsAgree(
  context: StepContext<'buyer'>,
  before: Snapshots,
  changes: ReadonlyMap<Operation, Change>,
  character: string,
): Promise<void> {
  const lists = new Map([...before].filter(([read]) => ownLists.includes(read)));
  let compared = 0;
  for (const [read, was] of lists) {
    const { after } = changes.get(read) ?? {};
    if (after === undefined) continue;
    for (const { name, fellows } of arrivedBeside(was.exchange, after))
      for (const [other, { exchange }] of lists) {
        const holds = (answer: Exchange) => isSuccess(answer) && context.mentions(answer, name);
        if (other === game.allCharacters && (name !== character || !listsJust(exchange, fellows))) continue;
        if (other === game.allCharacters && isThingOf(name, fellows, after)) continue;
        if (other === read || !fellows.every((each) => context.mentions(exchange, each))) continue;
        compared += 1;
        const known = changes.get(other)?.after;
        if (known && holds(known)) continue;
        const { holds: isThere, last } = await pollAnswered(() => context.send('buyer', other), holds);
        if (!isThere && other === game.allCharacters && (await isListedOnceReady(context, name))) continue;
        const found = `not that, and what else ${read.id} lists, as ${fellows[0]}`;
        context.expect(isThere, `${other.id} lists ${name}, as ${read.id} does`, found, last);
      }
  }
  if (compared === 0) context.notTriggered('no two reads listed the same belongings before');
}

const saysOwned = /^(?:is_?)?owned$/i;

/** What a catalog says of the things that it lists: whether the caller owns each, by its id, else by its name. */
function ownedIn(catalog: Exchange): ReadonlyMap<string, boolean> {
  const marks = new Map<string, boolean>();
  for (const { members } of objectsIn(jsonValue(catalog))) {
    const entries = Object.entries(members);
    const owned = entries.find(([name, value]) => saysOwned.test(name) && typeof value === 'boolean')?.[1];
    const id = idOf(entries);
    if (typeof owned === 'boolean' && id !== undefined) marks.set(id, owned || marks.get(id) === true);
  }
  return marks;
}

/**
 * Expects that a catalog which says of each thing whether its caller owns it says so of what was bought. It has to be
 * right of something that was owned before: the field may mean something else.
 * @param lists the lists of what the buyer owns, as they were before the purchase
 */
export async function expectMarkedOwned(
  context: StepContext<'buyer'>,
  lists: readonly Exchange[],
  bought: readonly string[],
): Promise<void> {
  const read = () => context.send('buyer', { ...areas.extensions.catalogItems, query: {} });
  const marks = ownedIn(await read());
  const [name] = bought.filter((each) => marks.has(each));
  if (name === undefined)
    return context.notTriggered('the catalog does not say whether what was bought is owned');
  const isListed = (each: string) => lists.some((list) => context.mentions(list, each));
  const isRight = [...marks].some(([each, owned]) => owned && each !== name && isListed(each));
  if (!isRight) return context.notTriggered('the catalog says of nothing that is owned that it is');
  const { holds, last } = await pollAnswered(read, (answer) => ownedIn(answer).get(name) !== false);
  context.expect(
    holds,
    `the catalog with ${name} as owned, as lists of belongings show it`,
    'not owned',
    last,
  );
}
