// Buys a character: the one that the profile names, or one that the target's reads offer and the buyer does not own.

import { areas } from '../../catalog/catalog.ts';
import { belongings } from '../../engine/attack/figures.ts';
import type { BodyAsk, StepContext } from '../../engine/flow/step-context.ts';
import { ignoreStop } from '../../engine/flow/why-refused.ts';
import { answerLeaves, type Exchange, isSuccess } from '../../engine/http/exchange.ts';
import { Stop } from '../../engine/judgement.ts';
import { parentOf } from '../../engine/values/json-walk.ts';
import type { Snapshots } from './effects.ts';

const { clientData, extensions, game, general } = areas;

/** Reads that may offer characters, the likeliest first. */
const offers = [
  extensions.catalogItems,
  extensions.recommendations,
  extensions.specialPacks,
  game.allCharacters,
];

/** Most items that are tried before a purchase counts as impossible: some are owned, and some are too dear. */
const mostTried = 6;
const mostPairs = 3;

export interface Bought {
  /** Names the character, and in the body its item, so that the purchase can be repeated. */
  readonly ask: Pick<BodyAsk, 'params' | 'carry' | 'offer'>;
  readonly answer: Exchange;
}

/** @param snapshots the buyer's wallets and belongings before the purchase */
export async function buy(context: StepContext<'buyer'>, snapshots: Snapshots): Promise<Bought> {
  if (context.isGiven(general.purchase, 'characterName'))
    return { ask: {}, answer: await context.mustSucceed('buyer', general.purchase) };
  const owned = belongings.flatMap((read) => snapshots.get(read)?.exchange ?? []);
  let last: Stop | undefined;
  for (const { ask } of await offered(context, 'buyer', owned)) {
    try {
      return { ask, answer: await context.mustSucceed('buyer', general.purchase, ask) };
    } catch (error) {
      ignoreStop(error);
      if (error instanceof Stop && error.judgement.kind === 'violation') throw error;
      last = error as Stop;
    }
  }
  throw (
    last ?? context.cannotTell('unknown-resource', 'no read names a character that the buyer does not own')
  );
}

/** A thing that is for sale, and a call that may buy it. */
export interface OnSale {
  readonly name: string;
  readonly ask: Bought['ask'];
}

/**
 * What is for sale. Names that the player owns come last: a read may list all characters, owned ones too.
 * @param most the most names to return, besides items that are bought by way of their characters
 */
export async function offered<Role extends string>(
  context: StepContext<Role>,
  role: NoInfer<Role>,
  owned: readonly Exchange[],
  most = mostTried,
): Promise<readonly OnSale[]> {
  const answers = await offersTo(context, role);
  const isOwned = (name: string) => owned.some((answer) => context.mentions(answer, name));
  const names = charactersFirst(answers);
  const [first, ...others] = [...names.filter((name) => !isOwned(name)), ...names.filter(isOwned)]
    .slice(0, most)
    .flatMap((name) =>
      asksFor(name, answers, false)
        .slice(0, 1)
        .map((ask) => ({ name, ask })),
    );
  // The body may name the item where the path names its character.
  const paired = itemsOfCharacters(answers)
    .filter(({ item }) => !isOwned(item))
    .toSorted((a, b) => Number(isOwned(a.character)) - Number(isOwned(b.character)))
    .slice(0, mostPairs)
    .flatMap(({ item }) => asksFor(item, answers, true).map((ask) => ({ name: item, ask })));
  return [...(first ? [first] : []), ...paired, ...others];
}

/** The names of what is for sale. */
export const namesOffered = async <Role extends string>(
  context: StepContext<Role>,
  role: NoInfer<Role>,
): Promise<readonly string[]> => charactersFirst(await offersTo(context, role));

/**
 * Calls that buy one thing of each type in the catalog, which the client data may hold as well.
 * @param bought a call that bought something: where its body named the item, its path is kept
 */
export async function oneOfEachType(
  context: StepContext<'buyer'>,
  bought: Bought['ask'],
): Promise<readonly Bought['ask'][]> {
  const ofAllTypes = { ...extensions.catalogItems, query: {} };
  const all = [
    await context.send('buyer', ofAllTypes),
    await context.send('buyer', clientData.catalog),
  ].filter(isSuccess);
  const things = entriesIn(all).flatMap(({ own }) => {
    const type = own.find(({ name }) => /^(?:item_?)?(?:type|kind|category)$/i.test(name))?.value;
    const name = own.find((leaf) => itemId.test(leaf.name))?.value;
    return typeof name === 'string' && type !== undefined ? [{ name, type }] : [];
  });
  const first = [...Map.groupBy(things, ({ type }) => type).values()].flatMap((same) => same[0]?.name ?? []);
  return first
    .flatMap((name) =>
      asksFor(name, all, false)
        .slice(0, 1)
        .map((ask) =>
          bought.carry
            ? { ...ask, ...bought, carry: { characterName: name }, ...(ask.offer && { offer: ask.offer }) }
            : ask,
        ),
    )
    .slice(0, mostTried);
}

const offersTo = async <Role extends string>(context: StepContext<Role>, role: NoInfer<Role>) =>
  (await Promise.all(offers.map((read) => context.send(role, read)))).filter(isSuccess);

const characterName = /^character_?name$/i;

/** Each object of the offers: its own leaves, and `all` with those of the objects below it. */
const entriesIn = (answers: readonly Exchange[]) =>
  answers.flatMap((answer) => {
    const leaves = answerLeaves(answer);
    return Array.from(
      Map.groupBy(leaves, ({ pointer }) => parentOf(pointer)),
      ([parent, own]) => ({
        own,
        all: () => leaves.filter(({ pointer }) => pointer.startsWith(`${parent}/`)),
      }),
    );
  });

/** The pairs of a character and an item that stand in one object of an offer and have different names. */
const itemsOfCharacters = (answers: readonly Exchange[]): { character: string; item: string }[] =>
  entriesIn(answers).flatMap(({ own }) => {
    const character = own.find(({ name }) => characterName.test(name))?.value;
    const item = own.find(({ name }) => itemId.test(name))?.value;
    const isPair = typeof character === 'string' && typeof item === 'string' && character !== item;
    return isPair ? [{ character, item }] : [];
  });

/**
 * The calls that buy what offers name `bought`, one for each currency in which they sell it.
 * @param isPaired whether the path names the character of the item, and the body the item
 */
export function asksFor(
  bought: string,
  offers: readonly Exchange[],
  isPaired: boolean,
): readonly Bought['ask'][] {
  const [pair] = isPaired ? itemsOfCharacters(offers).filter(({ item }) => item === bought) : [];
  const ask = {
    params: { characterName: pair?.character ?? bought },
    ...(pair && { carry: { characterName: bought } }),
  };
  const currencies = currenciesOf(bought, offers).map((currency) => ({ ...ask, offer: { currency } }));
  return currencies.length > 0 ? currencies : [ask];
}

const mostCurrencies = 2;

/** The currencies in which an offer sells an item: texts in fields such as `currencyId`, or names of its prices. */
function currenciesOf(bought: string, offers: readonly Exchange[]): readonly string[] {
  const [entry] = entriesIn(offers).filter(({ own }) =>
    own.some(({ name, value }) => value === bought && nameOfItem.test(name)),
  );
  const named = entry?.all().flatMap(({ name, value, pointer }) => {
    if (typeof value === 'string' && /^currency(?:_?(?:id|code|name))?$/i.test(name)) return [value];
    const isPrice = typeof value === 'number' && /\/(?:prices?|costs?)\/[^/]+$/i.test(pointer);
    return isPrice && !/amount|price|value|cost|quantity/i.test(name) ? [name] : [];
  });
  return [...new Set(named)].slice(0, mostCurrencies);
}

const itemId = /^(?:item|product|offer|sku|catalog)?_?(?:id|key|sku)$/i;

/** Names of the fields in which an offer says what it sells. */
export const nameOfItem = /^(?:character|item|product|offer|sku|catalog)?_?(?:id|name|key|sku)$/i;

/**
 * The names to try, each once: those in fields that also hold a known character, then the values of fields named
 * `characterName`, like the parameter, then the names of all items in the offers.
 */
function charactersFirst(offers: readonly Exchange[]): readonly string[] {
  const names = offers
    .flatMap(answerLeaves)
    .flatMap(({ name, value }) => (characterName.test(name) && typeof value === 'string' ? [value] : []));
  const known = new Set(names);
  const further = offers.flatMap((offer) => {
    // A field `characterName` may say whom an item is for; the characters themselves stand in other fields.
    const holding = new Set(
      answerLeaves(offer).flatMap(({ name, value }) =>
        known.has(String(value)) && !characterName.test(name) ? [name] : [],
      ),
    );
    return holding.size === 0 ? [] : namesIn(offer, (name) => holding.has(name));
  });
  const items = offers.flatMap((offer) => namesIn(offer));
  return [...new Set([...further.filter((name) => !known.has(name)), ...names, ...items])];
}

/**
 * The names of the items in an offer; only those of characters, where an entry mentions characters.
 * @param isName whether a field of this name holds the name of an item
 */
function namesIn(
  offer: Exchange,
  isName = (name: string): boolean => nameOfItem.test(name),
): readonly string[] {
  const leaves = answerLeaves(offer);
  // The texts of lists of bare names.
  const bare = leaves.filter(({ pointer, value }) => typeof value === 'string' && /\/\d+$/.test(pointer));
  const entries = [...Map.groupBy(leaves, ({ pointer }) => parentOf(pointer)).values()];
  const characterEntries = entries.filter((entry) =>
    entry.some(({ name, value }) => /character/i.test(name) || /^characters?$/i.test(String(value))),
  );
  const named = (characterEntries.length > 0 ? characterEntries : entries).flatMap((entry) => {
    const names = entry.filter(({ name, value }) => typeof value === 'string' && isName(name));
    // Prefers an `itemId` to the `name` that a player reads.
    const [first] = names.toSorted((a, b) => Number(/name$/i.test(a.name)) - Number(/name$/i.test(b.name)));
    return first ? [String(first.value)] : [];
  });
  return named.length > 0 ? named : bare.map(({ value }) => String(value));
}
