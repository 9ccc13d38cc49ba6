// Finds what the target's own offers ask for an item, where the answer to a purchase names no price.
import { areas } from '../../catalog/catalog.ts';
import { figuresIn } from '../../engine/attack/figures.ts';
import type { StepContext } from '../../engine/flow/step-context.ts';
import { answerLeaves, type Exchange, isSuccess } from '../../engine/http/exchange.ts';
import { currenciesIn, namesPrice } from './effects.ts';

const { extensions, general } = areas;

const nameOfItem = /^(?:character|item|product|offer|sku|catalog)?_?(?:id|name|key|sku)$/i;
/** What may change a price, or pay for it otherwise. */
const mayLower =
  /discount|sale|promo|free|percent|trial|voucher|ticket|reduc|special|level|require|until|expire/i;

export interface Priced {
  readonly price: number;
  /** What the offer says of it in texts. */
  readonly texts: ReadonlySet<unknown>;
}

/** The items that an offer asks a price for, each of its prices above nothing and in a currency of the wallet. */
export function pricedIn(offer: Exchange, wallet: Exchange): ReadonlyMap<string, Priced> {
  const currencies = currenciesIn(wallet);
  const leaves = answerLeaves(offer);
  const figures = figuresIn(offer);
  const found = new Map<string, Priced>();
  for (const { pointer, name, value } of leaves) {
    if (typeof value !== 'string' || !nameOfItem.test(name)) continue;
    const entry = pointer.slice(0, pointer.lastIndexOf('/') + 1);
    const own = leaves.filter((leaf) => leaf.pointer.startsWith(entry));
    const isElse = own.some(
      (leaf) =>
        (nameOfItem.test(leaf.name) && !/name$/i.test(leaf.name) && leaf.value !== value) ||
        mayLower.test(leaf.name),
    );
    const prices = figures.filter((each) => each.pointer.startsWith(entry) && namesPrice.test(each.name));
    const isPayable = prices.every((each) => each.value > 0 && !each.labels.isDisjointFrom(currencies));
    const [price] = prices;
    if (!price || !isPayable || isElse) continue;
    const texts = own.map((leaf) => leaf.value).filter((each) => typeof each === 'string' && each !== value);
    found.set(value, { price: price.value, texts: new Set(texts) });
  }
  return found;
}

/** What the offers that a buyer reads ask for their items. */
export async function pricesOffered(
  context: StepContext<'buyer'>,
  wallet: Exchange,
): Promise<ReadonlyMap<string, Priced>> {
  const answer = await context.put('buyer', extensions.catalogItems);
  return isSuccess(answer) ? pricedIn(answer, wallet) : new Map();
}

/** The name in the path of a purchase. */
export const nameIn = ({ request }: Exchange): string =>
  decodeURIComponent(request.url.split('?', 1)[0]?.split('/').at(-1) ?? '');

/**
 * Ends the step where a further purchase at a price is paid: the first one may have been free, and no offer said so.
 */
export async function unlessFirstIsFree(
  context: StepContext<'buyer'>,
  { bought, offered }: { readonly bought: string; readonly offered: ReadonlyMap<string, Priced> },
  /** Reads in which the first one arrived: they show what is owned. */
  belongings: readonly Exchange[],
): Promise<void> {
  const isOwned = (name: string) => belongings.some((answer) => context.mentioned(answer, name));
  const { texts = new Set() } = offered.get(bought) ?? {};
  const likeness = (name: string) => {
    const own = offered.get(name)?.texts ?? new Set();
    return own.intersection(texts).size / own.union(texts).size;
  };
  const [another] = [...offered.keys()]
    .filter((name) => name !== bought && !isOwned(name))
    .toSorted((a, b) => likeness(b) - likeness(a));
  if (another === undefined)
    return context.cannotTell('needs-state', 'the first purchase may be free, and no other item has a price');
  const wallet = await context.settled('buyer', general.currencies);
  const params = { characterName: another };
  await context.done('buyer', general.purchase, { params, mayRefuse: 'a second purchase' });
  if (await context.hasChanged('buyer', wallet, general.currencies))
    context.cannotTell('needs-state', 'the second purchase is paid, so the first one may be free');
}
