// Finds what the target's own offers ask for an item, where the answer to a purchase names no price.

import { areas } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import { labelledNumbersIn } from '../../engine/attack/figures.ts';
import { poll, pollAnswered } from '../../engine/flow/polling.ts';
import { requireAnswer } from '../../engine/flow/refusal.ts';
import type { StepContext } from '../../engine/flow/step-context.ts';
import { answerLeaves, type Exchange, isSuccess, sentJson, statusOf } from '../../engine/http/exchange.ts';
import type { Form } from '../../engine/players/body-template.ts';
import { leavesOf, parsedJson } from '../../engine/values/json-walk.ts';
import { asksFor, type Bought, nameOfItem } from './buy.ts';
import { currenciesIn, isPrice, type Movement, movementsIn } from './effects.ts';

const { extensions, general } = areas;

/** What may change a price, or pay for it otherwise. */
const mayLower =
  /discount|sale|promo|free|percent|trial|voucher|ticket|reduc|special|level|require|until|expire/i;

export interface Priced {
  readonly price: number;
  /** The wallet holds less of each of its currencies than it costs there. */
  readonly isBeyond: boolean;
  /** What the offer says of it in texts. */
  readonly texts: ReadonlySet<unknown>;
}

/**
 * The items that an offer asks a price for, each of its prices above nothing and in a currency of the wallet.
 * @param paidIn the currency that a purchase names: prices in others are not asked then
 */
export function pricedIn(offer: Exchange, wallet: Exchange, paidIn?: string): ReadonlyMap<string, Priced> {
  const currencies = currenciesIn(wallet);
  const balances = labelledNumbersIn(wallet);
  const leaves = answerLeaves(offer);
  const figures = labelledNumbersIn(offer);
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
    const prices = figures.filter((each) => each.pointer.startsWith(entry) && isPrice(each));
    const isPayable = prices.every((each) => each.value > 0 && !each.labels.isDisjointFrom(currencies));
    const asked = paidIn === undefined ? prices : prices.filter((each) => each.labels.has(paidIn));
    const [price] = asked;
    if (!price || !isPayable || isElse) continue;
    const texts = own.map((leaf) => leaf.value).filter((each) => typeof each === 'string' && each !== value);
    const isBeyond = asked.every(({ value: sum, labels }) => {
      const own = labels.intersection(currencies);
      return balances.every((each) => each.labels.isDisjointFrom(own) || each.value < sum);
    });
    found.set(value, { price: price.value, isBeyond, texts: new Set(texts) });
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

const nameInPath = ({ request }: Exchange): string =>
  decodeURIComponent(request.url.split('?', 1)[0]?.split('/').at(-1) ?? '');

/** The name of what a purchase buys: an item that its body names and that is offered, else what its path names. */
export const nameIn = (purchase: Exchange, offered: ReadonlyMap<string, Priced>): string =>
  leavesOf(sentJson(purchase))
    .map(({ value }) => String(value))
    .find((value) => offered.has(value)) ?? nameInPath(purchase);

/** How much of what the offer says of two items it says of both, from 0 to 1. */
function likenessIn(offered: ReadonlyMap<string, Priced>, one: string, other: string): number {
  const { texts = new Set() } = offered.get(one) ?? {};
  const { texts: own = new Set() } = offered.get(other) ?? {};
  return own.intersection(texts).size / own.union(texts).size;
}

/** The other items that are offered, those first of which the offer says most of what it says of this one. */
function alike(bought: string, offered: ReadonlyMap<string, Priced>): readonly string[] {
  const likeness = (name: string) => likenessIn(offered, bought, name);
  const others = [...offered.keys()].filter((name) => name !== bought);
  return others.toSorted((a, b) => likeness(b) - likeness(a));
}

/**
 * The one currency of the wallet that the body of a purchase names: the profile's, or one that the target asked for. A
 * guessed one may not have been read.
 */
export function currencyNamed(
  { request }: Exchange,
  wallet: Exchange,
  form: Form | undefined,
): string | undefined {
  if (typeof request.body !== 'string' || (form?.from !== 'profile' && !form?.isAskedFor)) return undefined;
  const textsIn = (body: unknown) =>
    new Set(leavesOf(body).map(({ value }) => String(value).toLowerCase())).intersection(
      currenciesIn(wallet),
    );
  const [one, ...others] = textsIn(parsedJson(request.body));
  return others.length === 0 &&
    one !== undefined &&
    (form.carries.includes('currency') || textsIn(form.template).has(one))
    ? one
    : undefined;
}

/** The label of the only balance that moved. */
function currencyOf([one, ...others]: readonly Movement[], wallet: Exchange): string | undefined {
  const [label] = one && others.length === 0 ? one.labels.intersection(currenciesIn(wallet)) : [];
  return label;
}

const isIn = (currency: string | undefined, { offer }: Bought['ask']) =>
  String(offer?.currency).toLowerCase() === currency;

/** Most purchases that are made so that something costs more than is left: they use up what a player has. */
const mostSpent = 2;

/**
 * Of the items that are offered like the bought one, the one to buy next so that another is beyond the buyer soon;
 * undefined where so few purchases do not bring that about.
 */
export function nextToSpendOn(
  items: readonly (readonly [name: string, price: number])[],
  balance: number,
  purchases: number,
): string | undefined {
  const dearest = items.toSorted(([, a], [, b]) => b - a).slice(0, purchases + 1);
  const sum = dearest.reduce((all, [, price]) => all + price, 0);
  return sum > balance ? dearest.find(([, price]) => price <= balance)?.[0] : undefined;
}

/**
 * Expects that an item which costs more than the buyer has does not come to the buyer, after few further purchases where
 * all is within means. Prices count where the first purchase was paid with just what the catalog asks: elsewhere they may
 * be meant otherwise.
 */
export async function expectNothingBeyond(
  context: StepContext<'buyer'>,
  first: { readonly answer: Exchange; readonly moved: readonly Movement[] },
  /** Reads that show what is owned. */
  belongings: readonly Operation[],
): Promise<void> {
  let wallet = await context.done('buyer', general.currencies);
  const [form] = context.forms(general.purchase);
  const paidIn = currencyNamed(first.answer, wallet, form) ?? currencyOf(first.moved, wallet);
  const catalog = await context.put('buyer', extensions.catalogItems);
  const priced = () => (isSuccess(catalog) ? pricedIn(catalog, wallet, paidIn) : new Map<string, Priced>());
  const bought = nameIn(first.answer, priced());
  const isPaired = bought !== nameInPath(first.answer);
  const asked = priced().get(bought)?.price;
  if (asked === undefined || !first.moved.some(({ was, is }) => was - is === asked))
    context.notTriggered('what was bought is not in the catalog at the price that was paid');
  const read = (operation: Operation) => context.put('buyer', operation);
  const owned = await Promise.all(belongings.map(async (each) => [each, await read(each)] as const));
  // What lists all that there is shows nothing by a name.
  const namingOnly = (name: string) =>
    owned.flatMap(([each, answer]) =>
      isSuccess(answer) && context.mentioned(answer, bought) && !context.mentioned(answer, name)
        ? [each]
        : [],
    );
  const purchase = async (name: string) => {
    const [ask] = asksFor(name, [catalog], isPaired).toSorted(
      (a, b) => Number(isIn(paidIn, b)) - Number(isIn(paidIn, a)),
    );
    return requireAnswer(
      await context.put('buyer', general.purchase, context.likeliestAsk('buyer', general.purchase, ask)),
    );
  };
  const spent = new Set<string>();
  const beyond = async (): Promise<string> => {
    const offered = priced();
    const open = alike(bought, offered).filter((each) => !spent.has(each) && namingOnly(each).length > 0);
    const dear = open.find((each) => offered.get(each)?.isBeyond);
    if (dear !== undefined) return dear;
    const [likest] = open;
    const same = open.filter(
      (each) => likest && likenessIn(offered, bought, each) === likenessIn(offered, bought, likest),
    );
    const items = same.map((each) => [each, offered.get(each)?.price ?? 0] as const);
    const balances = labelledNumbersIn(wallet).filter(
      ({ labels }) => paidIn === undefined || labels.has(paidIn),
    );
    const [balance, ...further] = balances;
    const next =
      balance && further.length === 0
        ? nextToSpendOn(items, balance.value, mostSpent - spent.size)
        : undefined;
    if (next === undefined)
      return context.notTriggered('nothing in the catalog is known to cost more than the buyer has');
    spent.add(next);
    const status = statusOf(await purchase(next));
    const before = wallet;
    const price = offered.get(next)?.price;
    const { last, holds } = await pollAnswered(
      () => context.put('buyer', general.currencies),
      (answer) => isSuccess(answer) && movementsIn(before, answer).some(({ was, is }) => was - is === price),
    );
    if (!holds) context.notTriggered(`${next} is answered ${status}, and its price is not paid`);
    wallet = last;
    return beyond();
  };
  const name = await beyond();
  const offered = priced();
  const answer = await purchase(name);
  if (statusOf(answer) === 404) context.notTriggered(`${name} is not sold as the first one is`);
  if (!isSuccess(answer)) return;
  const { last, holds } = await poll(
    async () => {
      const answers = await Promise.all(namingOnly(name).map(read));
      return answers.find((each) => context.mentioned(each, name)) ?? (answers[0] as Exchange);
    },
    (each) => isSuccess(each) && context.mentioned(each, name),
  );
  if (!holds) context.cannotTell('needs-state', 'no read shows what was bought');
  const elsewhere = movementsIn(wallet, await context.done('buyer', general.currencies)).find(
    ({ labels, was, is }) => was - is > 0 && paidIn !== undefined && !labels.has(paidIn),
  );
  if (elsewhere) context.notTriggered(`${name} was paid in another currency`);
  const { price = 0 } = offered.get(name) ?? {};
  context.expect(
    false,
    `no ${name}, which costs ${price}, more than the buyer has`,
    "it is the buyer's",
    last,
  );
}

/**
 * Ends the step where a further purchase at a price is paid: the first one may have been free, and no offer said so.
 */
export async function unlessFirstIsFree(
  context: StepContext<'buyer'>,
  { first, offered }: { readonly first: Exchange; readonly offered: ReadonlyMap<string, Priced> },
  /** Reads in which the first one arrived: they show what is owned. */
  belongings: readonly Exchange[],
): Promise<void> {
  const isOwned = (name: string) => belongings.some((answer) => context.mentioned(answer, name));
  const bought = nameIn(first, offered);
  const [another] = alike(bought, offered).filter((name) => !isOwned(name));
  if (another === undefined)
    return context.cannotTell('needs-state', 'the first purchase may be free, and no other item has a price');
  const wallet = await context.settled('buyer', general.currencies);
  const catalog = await context.put('buyer', extensions.catalogItems);
  const [ask] = asksFor(another, [catalog], bought !== nameInPath(first));
  await context.done('buyer', general.purchase, { ...ask, mayRefuse: 'a second purchase' });
  if (await context.hasChanged('buyer', wallet, general.currencies))
    context.cannotTell('needs-state', 'the second purchase is paid, so the first one may be free');
}
