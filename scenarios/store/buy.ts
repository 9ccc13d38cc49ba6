// Buys a character: the one that is given, or one that the target's own reads offer and the buyer does not own.
import { areas } from '../../catalog/catalog.ts';
import { belongings } from '../../engine/attack/figures.ts';
import { unlessStopped } from '../../engine/flow/refusal.ts';
import type { BodyAsk, StepContext } from '../../engine/flow/step-context.ts';
import { answerLeaves, type Exchange, isSuccess } from '../../engine/http/exchange.ts';
import { Stop } from '../../engine/judgement.ts';
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
  /** What names the character, for the same purchase once more. */
  readonly ask: Pick<BodyAsk, 'params'>;
  readonly answer: Exchange;
}

/** @param snapshots what the buyer's wallets and belongings showed before */
export async function buy<Role extends 'buyer'>(
  context: StepContext<Role>,
  snapshots: Snapshots,
): Promise<Bought> {
  const role = 'buyer' as NoInfer<Role>;
  if (context.isGiven(general.purchase, 'characterName'))
    return { ask: {}, answer: await context.done(role, general.purchase) };
  const owned = belongings.flatMap((read) => snapshots.get(read)?.exchange ?? []);
  let last: Stop | undefined;
  for (const characterName of (await offered(context, role, owned)).slice(0, mostTried)) {
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

/** The names of what is for sale; those of what is owned come last, since a read may list all characters with a mark. */
export async function offered<Role extends string>(
  context: StepContext<Role>,
  role: NoInfer<Role>,
  owned: readonly Exchange[],
  namesOf: (offers: readonly Exchange[]) => readonly string[] = (all) => all.flatMap(namesIn),
): Promise<readonly string[]> {
  const answers = (await Promise.all(offers.map((read) => context.put(role, read)))).filter(isSuccess);
  const isOwned = (name: string) => owned.some((answer) => context.mentioned(answer, name));
  const all = [...new Set(namesOf(answers))];
  return [...all.filter((name) => !isOwned(name)), ...all.filter(isOwned)];
}

const nameOfItem = /^(?:character|item|product|offer|sku|catalog)?_?(?:id|name|key|sku)$/i;

/** What offers call by the name of the parameter itself, and then their items. */
export const charactersFirst = (offers: readonly Exchange[]): readonly string[] => [
  ...offers
    .flatMap(answerLeaves)
    .flatMap(({ name, value }) => (name === 'characterName' && typeof value === 'string' ? [value] : [])),
  ...offers.flatMap(namesIn),
];

/** The texts under the names of items: of those that speak of characters, where any does. */
function namesIn(offer: Exchange): readonly string[] {
  const leaves = answerLeaves(offer);
  // A list of bare names.
  const bare = leaves.filter(({ pointer, value }) => typeof value === 'string' && /\/\d+$/.test(pointer));
  const entryOf = (pointer: string) => pointer.slice(0, pointer.lastIndexOf('/'));
  const entries = [...Map.groupBy(leaves, ({ pointer }) => entryOf(pointer)).values()];
  const isOfCharacters = entries.filter((entry) =>
    entry.some(({ name, value }) => /character/i.test(name) || /^characters?$/i.test(String(value))),
  );
  const named = (isOfCharacters.length > 0 ? isOfCharacters : entries).flatMap((entry) => {
    const names = entry.filter(({ name, value }) => typeof value === 'string' && nameOfItem.test(name));
    // `itemId` rather than the `name` that a player reads.
    const [first] = names.toSorted((a, b) => Number(/name$/i.test(a.name)) - Number(/name$/i.test(b.name)));
    return first ? [String(first.value)] : [];
  });
  return named.length > 0 ? named : bare.map(({ value }) => String(value));
}
