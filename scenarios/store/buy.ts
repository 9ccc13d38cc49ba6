// Buys a character: the one that the profile names, or one that the target's own reads offer and the buyer does not own.

import { areas } from '../../catalog/catalog.ts';
import { belongings } from '../../engine/attack/figures.ts';
import { unlessStopped } from '../../engine/flow/refusal.ts';
import type { BodyAsk, StepContext } from '../../engine/flow/step-context.ts';
import { answerLeaves, type Exchange, isSuccess } from '../../engine/http/exchange.ts';
import { Stop } from '../../engine/judgement.ts';
import { parentOf } from '../../engine/values/json-walk.ts';
import type { Snapshots } from './effects.ts';

const { extensions, game, general } = areas;

/** Reads that may offer characters, the likeliest first. */
const offers = [
  extensions.catalogItems,
  extensions.recommendations,
  extensions.specialPacks,
  game.allCharacters,
];

/** The items tried before a purchase counts as impossible: some are owned, and some are too dear. */
const mostTried = 6;

export interface Bought {
  /** The parameters that name the character, to repeat the purchase. */
  readonly ask: Pick<BodyAsk, 'params'>;
  readonly answer: Exchange;
}

/** @param snapshots the buyer's wallets and belongings before the purchase */
export async function buy<Role extends 'buyer'>(
  context: StepContext<Role>,
  snapshots: Snapshots,
): Promise<Bought> {
  const role = 'buyer' as NoInfer<Role>;
  if (context.isGiven(general.purchase, 'characterName'))
    return { ask: {}, answer: await context.done(role, general.purchase) };
  const owned = belongings.flatMap((read) => snapshots.get(read)?.exchange ?? []);
  let last: Stop | undefined;
  const names = await offered(context, role, owned);
  for (const characterName of names.slice(0, mostTried)) {
    const ask = { params: { characterName } };
    try {
      return { ask, answer: await context.done(role, general.purchase, ask) };
    } catch (error) {
      unlessStopped(error);
      if (error instanceof Stop && error.judgement.kind === 'violation') throw error;
      last = error as Stop;
    }
  }
  throw (
    last ?? context.cannotTell('unknown-resource', 'no read names a character that the buyer does not own')
  );
}

/** The names of what is for sale. Names that the player owns come last: a read may list all characters, owned ones too. */
export async function offered<Role extends string>(
  context: StepContext<Role>,
  role: NoInfer<Role>,
  owned: readonly Exchange[],
): Promise<readonly string[]> {
  const answers = (await Promise.all(offers.map((read) => context.put(role, read)))).filter(isSuccess);
  const isOwned = (name: string) => owned.some((answer) => context.mentioned(answer, name));
  const all = [...new Set(charactersFirst(answers))];
  return [...all.filter((name) => !isOwned(name)), ...all.filter(isOwned)];
}

const characterName = /^character_?name$/i;

/** Under such a name an offer says what it sells. */
export const nameOfItem = /^(?:character|item|product|offer|sku|catalog)?_?(?:id|name|key|sku)$/i;

/**
 * Characters that offers name as others name the known ones, then the values of members named `characterName`, like the
 * parameter, then the names of the items in the offers.
 */
function charactersFirst(offers: readonly Exchange[]): readonly string[] {
  const names = offers
    .flatMap(answerLeaves)
    .flatMap(({ name, value }) => (characterName.test(name) && typeof value === 'string' ? [value] : []));
  const known = new Set(names);
  const further = offers.flatMap((offer) => {
    // A member `characterName` may say for whom an item is.
    const holding = new Set(
      answerLeaves(offer).flatMap(({ name, value }) =>
        known.has(String(value)) && !characterName.test(name) ? [name] : [],
      ),
    );
    return holding.size === 0 ? [] : namesIn(offer, (name) => holding.has(name));
  });
  return [
    ...further.filter((name) => !known.has(name)),
    ...names,
    ...offers.flatMap((offer) => namesIn(offer)),
  ];
}

/**
 * The names of the items in an offer; only those of characters, where an entry mentions characters.
 * @param isName whether a member of that name holds one
 */
function namesIn(
  offer: Exchange,
  isName = (name: string): boolean => nameOfItem.test(name),
): readonly string[] {
  const leaves = answerLeaves(offer);
  // A list of bare names.
  const bare = leaves.filter(({ pointer, value }) => typeof value === 'string' && /\/\d+$/.test(pointer));
  const entries = [...Map.groupBy(leaves, ({ pointer }) => parentOf(pointer)).values()];
  const characterEntries = entries.filter((entry) =>
    entry.some(({ name, value }) => /character/i.test(name) || /^characters?$/i.test(String(value))),
  );
  const named = (characterEntries.length > 0 ? characterEntries : entries).flatMap((entry) => {
    const names = entry.filter(({ name, value }) => typeof value === 'string' && isName(name));
    // `itemId` rather than the `name` that a player reads.
    const [first] = names.toSorted((a, b) => Number(/name$/i.test(a.name)) - Number(/name$/i.test(b.name)));
    return first ? [String(first.value)] : [];
  });
  return named.length > 0 ? named : bare.map(({ value }) => String(value));
}
