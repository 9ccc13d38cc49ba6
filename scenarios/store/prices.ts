// Reads prices from the target's own catalog, for purchases whose answer names none, and checks that nobody gets an
// item that costs more than the balance.

import { areas } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import { labelledNumbersIn } from '../../engine/attack/figures.ts';
import { poll, pollAnswered } from '../../engine/flow/polling.ts';
import type { StepContext } from '../../engine/flow/step-context.ts';
import { requireAnswer } from '../../engine/flow/why-refused.ts';
import { answerLeaves, type Exchange, isSuccess, sentJson, statusOf } from '../../engine/http/exchange.ts';
import { type Form, isAskedFor, isGuess } from '../../engine/players/body-template.ts';
import { type Leaf, leavesOf, parentOf, parsedJson } from '../../engine/values/json-walk.ts';
import { asksFor, type Bought, nameOfItem } from './buy.ts';
import { currenciesIn, isPrice, type Movement, movementsIn } from './effects.ts';

const { extensions, general, messages } = areas;

/** Names of members that may change a price, or replace it: a discount, a voucher, a level that is required. */
const mayLower =
  /discount|sale|promo|free|percent|trial|voucher|ticket|reduc|special|level|require|until|expire/i;

export interface Priced {
  readonly price: number;
  /** In every currency that it is priced in, it costs more than the wallet holds. */
  readonly isUnaffordable: boolean;
  /** The other string values of its entry in the offer, by which items of a kind are recognised. */
  readonly texts: ReadonlySet<unknown>;
}

/**
 * Returns the items of an offer by name, with their prices. Leaves out ambiguous prices: one that is not above 0, one
 * in a currency that the wallet does not hold, and one whose entry names another item or what may change it.
 * @param paidIn the currency that a purchase names: prices in others are then ignored
 * @param path the name in the path of a purchase: where no item is called so, and entries show it under another member,
 * items go by that member
 */
export function pricedIn(
  offer: Exchange,
  wallet: Exchange,
  paidIn?: string,
  path?: string,
): ReadonlyMap<string, Priced> {
  const byName = pricedBy(undefined, offer, wallet, paidIn);
  if (path === undefined || byName.has(path)) return byName;
  const shown = answerLeaves(offer).filter(({ value }) => value === path);
  const { name: member } = shown.find(({ name }) => nameOfItem.test(name)) ?? shown[0] ?? {};
  const byMember = member === undefined ? byName : pricedBy(member, offer, wallet, paidIn);
  return byMember.has(path) ? byMember : byName;
}

/** @param member the member by which items go; undefined where they go by their ids */
function pricedBy(
  member: string | undefined,
  offer: Exchange,
  wallet: Exchange,
  paidIn: string | undefined,
): Map<string, Priced> {
  const currencies = currenciesIn(wallet);
  const balances = labelledNumbersIn(wallet);
  const leaves = answerLeaves(offer);
  const figures = labelledNumbersIn(offer);
  const found = new Map<string, Priced>();
  const names = leaves.filter(({ name }) => (member === undefined ? nameOfItem.test(name) : name === member));
  for (const { pointer, value } of names) {
    if (typeof value !== 'string') continue;
    const entry = `${parentOf(pointer)}/`;
    const leavesOfItem = leaves.filter((leaf) => leaf.pointer.startsWith(entry));
    const isOther = (leaf: Leaf) =>
      member === undefined && nameOfItem.test(leaf.name) && !/name$/i.test(leaf.name) && leaf.value !== value;
    // Where items go by a member, several that share its value are sold under one name.
    const isShared = member !== undefined && names.filter((leaf) => leaf.value === value).length > 1;
    const isAmbiguous = isShared || leavesOfItem.some((leaf) => isOther(leaf) || mayLower.test(leaf.name));
    const prices = figures.filter((each) => each.pointer.startsWith(entry) && isPrice(each));
    const isPayable = prices.every((each) => each.value > 0 && !each.labels.isDisjointFrom(currencies));
    const accepted = paidIn === undefined ? prices : prices.filter((each) => each.labels.has(paidIn));
    const [price] = accepted;
    if (!price || !isPayable || isAmbiguous) continue;
    const texts = leavesOfItem
      .map((leaf) => leaf.value)
      .filter((each) => typeof each === 'string' && each !== value);
    const isUnaffordable = accepted.every(({ value: cost, labels }) => {
      const acceptedCurrencies = labels.intersection(currencies);
      return balances.every(
        (balance) => balance.labels.isDisjointFrom(acceptedCurrencies) || balance.value < cost,
      );
    });
    found.set(value, { price: price.value, isUnaffordable, texts: new Set(texts) });
  }
  return found;
}

/** Returns the prices of the catalog that the buyer reads; none where it is not answered with success. */
export async function pricesOffered(
  context: StepContext<'buyer'>,
  wallet: Exchange,
  purchase: Exchange,
): Promise<ReadonlyMap<string, Priced>> {
  const answer = await context.send('buyer', extensions.catalogItems);
  return isSuccess(answer) ? pricedIn(answer, wallet, undefined, nameInPath(purchase)) : new Map();
}

/** The last segment of a purchase's path, which names the character. */
export const nameInPath = ({ request }: Exchange): string =>
  decodeURIComponent(request.url.split('?', 1)[0]?.split('/').at(-1) ?? '');

/** Returns the name of what a purchase buys: the offered item that its body names, else the character in its path. */
export const nameIn = (purchase: Exchange, offered: ReadonlyMap<string, Priced>): string =>
  leavesOf(sentJson(purchase))
    .map(({ value }) => String(value))
    .find((value) => offered.has(value)) ?? nameInPath(purchase);

/** Returns how similar the entries of two items are: the share of their texts that both have, from 0 to 1. */
function similarity(offered: ReadonlyMap<string, Priced>, one: string, other: string): number {
  const { texts = new Set() } = offered.get(one) ?? {};
  const { texts: otherTexts = new Set() } = offered.get(other) ?? {};
  return otherTexts.intersection(texts).size / otherTexts.union(texts).size;
}

/** Returns the other items that are offered, those most similar to the bought one first. */
function mostSimilarFirst(bought: string, offered: ReadonlyMap<string, Priced>): readonly string[] {
  const toBought = (name: string) => similarity(offered, bought, name);
  const others = [...offered.keys()].filter((name) => name !== bought);
  return others.toSorted((a, b) => toBought(b) - toBought(a));
}

/**
 * Returns the only currency of the wallet that the body of a purchase names, if the profile gives it or the target
 * asked for it; otherwise undefined: a target may ignore a currency that was guessed.
 */
export function currencyNamed(
  { request }: Exchange,
  wallet: Exchange,
  form: Form | undefined,
): string | undefined {
  if (typeof request.body !== 'string' || form === undefined) return undefined;
  if (isGuess(form) && !isAskedFor(form)) return undefined;
  const currenciesOf = (body: unknown) =>
    new Set(leavesOf(body).map(({ value }) => String(value).toLowerCase())).intersection(
      currenciesIn(wallet),
    );
  const [one, ...others] = currenciesOf(parsedJson(request.body));
  return others.length === 0 &&
    one !== undefined &&
    (form.carries.includes('currency') || currenciesOf(form.template).has(one))
    ? one
    : undefined;
}

/** Returns the currency of the only balance that moved; undefined if several moved. */
function currencyOf([one, ...others]: readonly Movement[], wallet: Exchange): string | undefined {
  const [label] = one && others.length === 0 ? one.labels.intersection(currenciesIn(wallet)) : [];
  return label;
}

const isIn = (currency: string | undefined, { offer }: Bought['ask']) =>
  String(offer?.currency).toLowerCase() === currency;

/** The most purchases that only lower the balance: they use up what a player has. */
const mostLoweringPurchases = 2;

/**
 * Returns the item to buy next so that the balance drops below another item's price within `purchases` purchases;
 * undefined if that is impossible.
 * @param items with their prices in the currency of the balance
 */
export function nextPurchase(
  items: readonly (readonly [name: string, price: number])[],
  balance: number,
  purchases: number,
): string | undefined {
  const dearest = items.toSorted(([, a], [, b]) => b - a).slice(0, purchases + 1);
  const sum = dearest.reduce((all, [, price]) => all + price, 0);
  return sum > balance ? dearest.find(([, price]) => price <= balance)?.[0] : undefined;
}

/**
 * Checks that an item costing more than the balance is not delivered. First buys up to two items to lower the balance.
 * Skipped unless the first purchase cost exactly the catalog price.
 */
export async function expectUnaffordableNotSold(
  context: StepContext<'buyer'>,
  first: { readonly answer: Exchange; readonly moved: readonly Movement[] },
  /** Reads that show what is owned. */
  belongings: readonly Operation[],
): Promise<void> {
  const wallet = await context.mustSucceed('buyer', general.currencies);
  const [form] = context.forms(general.purchase);
  const paidIn = currencyNamed(first.answer, wallet, form) ?? currencyOf(first.moved, wallet);
  const catalog = await context.send('buyer', extensions.catalogItems);
  const path = nameInPath(first.answer);
  const offered = isSuccess(catalog) ? pricedIn(catalog, wallet, paidIn, path) : new Map<string, Priced>();
  const bought = nameIn(first.answer, offered);
  const boughtPrice = offered.get(bought)?.price;
  if (boughtPrice === undefined || !first.moved.some(({ was, is }) => was - is === boughtPrice))
    context.notTriggered('what was bought is not in the catalog at the price that was paid');
  const isNamedInBody = bought !== path;
  const read = (operation: Operation) => context.send('buyer', operation);
  const owned = await Promise.all(belongings.map(async (each) => [each, await read(each)] as const));
  const shop: Shop = {
    catalog,
    paidIn,
    bought,
    /** A read that lists every item, owned or not, would show nothing. */
    readsThatWouldShow: (name) =>
      owned.flatMap(([each, answer]) =>
        isSuccess(answer) && context.mentions(answer, bought) && !context.mentions(answer, name)
          ? [each]
          : [],
      ),
    async purchase(name) {
      const [ask] = asksFor(name, [catalog], isNamedInBody).toSorted(
        (a, b) => Number(isIn(paidIn, b)) - Number(isIn(paidIn, a)),
      );
      return requireAnswer(await context.sendLikeliest('buyer', general.purchase, ask));
    },
  };
  const { name, price, walletNow } = await unaffordableItem(context, shop, wallet);
  const answer = await shop.purchase(name);
  if (statusOf(answer) === 404) context.notTriggered(`${name} is not sold as the first one is`);
  if (!isSuccess(answer)) return;
  const { last, holds } = await poll(
    async () => {
      const answers = await Promise.all(shop.readsThatWouldShow(name).map(read));
      return answers.find((each) => context.mentions(each, name)) ?? (answers[0] as Exchange);
    },
    (each) => isSuccess(each) && context.mentions(each, name),
  );
  if (!holds) context.cannotTell('needs-state', 'no read shows what was bought');
  const paidElsewhere = movementsIn(walletNow, await context.mustSucceed('buyer', general.currencies)).find(
    ({ labels, was, is }) => was - is > 0 && paidIn !== undefined && !labels.has(paidIn),
  );
  if (paidElsewhere) context.notTriggered(`${name} was paid in another currency`);
  context.expect(
    false,
    `no ${name}, which costs ${price}, more than the buyer has`,
    "it is the buyer's",
    last,
  );
}

/** What the first purchase showed of the shop. */
interface Shop {
  /** The answer that lists items with their prices. */
  readonly catalog: Exchange;
  readonly paidIn: string | undefined;
  /** The name of what was bought first. */
  readonly bought: string;
  /** Reads that show the first purchase and do not mention this item. */
  readonly readsThatWouldShow: (name: string) => readonly Operation[];
  readonly purchase: (name: string) => Promise<Exchange>;
}

/** An item that costs more than the buyer has. Buys others until there is one; not triggered where there is none. */
async function unaffordableItem(
  context: StepContext<'buyer'>,
  { catalog, paidIn, bought, readsThatWouldShow, purchase }: Shop,
  wallet: Exchange,
): Promise<{ readonly name: string; readonly price: number; readonly walletNow: Exchange }> {
  let walletNow = wallet;
  const boughtToLower = new Set<string>();
  for (;;) {
    const offered = pricedIn(catalog, walletNow, paidIn, bought);
    const candidates = mostSimilarFirst(bought, offered).filter(
      (each) => !boughtToLower.has(each) && readsThatWouldShow(each).length > 0,
    );
    const priceOf = (each: string) => offered.get(each)?.price ?? 0;
    const name = candidates.find((each) => offered.get(each)?.isUnaffordable);
    if (name !== undefined) return { name, price: priceOf(name), walletNow };
    const likeness = (each: string) => similarity(offered, bought, each);
    const sameKind = candidates.filter((each) => likeness(each) === likeness(candidates[0] ?? ''));
    const balances = labelledNumbersIn(walletNow).filter(
      ({ labels }) => paidIn === undefined || labels.has(paidIn),
    );
    const [balance, ...further] = balances;
    const next =
      balance && further.length === 0
        ? nextPurchase(
            sameKind.map((each) => [each, priceOf(each)] as const),
            balance.value,
            mostLoweringPurchases - boughtToLower.size,
          )
        : undefined;
    if (next === undefined)
      return context.notTriggered('nothing in the catalog is known to cost more than the buyer has');
    boughtToLower.add(next);
    const status = statusOf(await purchase(next));
    const before = walletNow;
    const { last, holds } = await pollAnswered(
      () => context.send('buyer', general.currencies),
      (answer) =>
        isSuccess(answer) && movementsIn(before, answer).some(({ was, is }) => was - is === priceOf(next)),
    );
    if (!holds) context.notTriggered(`${next} is answered ${status}, and its price is not paid`);
    walletNow = last;
  }
}

/** Stops as inconclusive if a second purchase at a listed price is charged: the first may have been free. */
export async function requirePaidPurchase(
  context: StepContext<'buyer'>,
  { first, offered }: { readonly first: Exchange; readonly offered: ReadonlyMap<string, Priced> },
  /** Reads of belongings that the first one changed. */
  changed: ReadonlyMap<Operation, Exchange>,
): Promise<void> {
  const bought = nameIn(first, offered);
  // A message may come for what was owned before as well.
  const showing = [...changed].filter(
    ([read, answer]) => read !== messages.list && context.mentions(answer, bought),
  );
  const isShown = (name: string) => showing.some(([, answer]) => context.mentions(answer, name));
  const [another] = mostSimilarFirst(bought, offered).filter((name) => !isShown(name));
  if (another === undefined)
    return context.cannotTell('needs-state', 'the first purchase may be free, and no other item has a price');
  const wallet = await context.settledSnapshot('buyer', general.currencies);
  const catalog = await context.send('buyer', extensions.catalogItems);
  const [ask] = asksFor(another, [catalog], bought !== nameInPath(first));
  await context.mustSucceed('buyer', general.purchase, { ...ask, mayRefuse: 'a second purchase' });
  if (await context.pollUntilDifferent('buyer', wallet, general.currencies))
    context.cannotTell('needs-state', 'the second purchase is paid, so the first one may be free');
  // What was owned before costs nothing once more. The reads that show the first purchase need not have listed it.
  for (const [read] of showing) {
    const { holds } = await pollAnswered(
      () => context.send('buyer', read),
      (answer) => isSuccess(answer) && context.mentions(answer, another),
    );
    if (holds) return;
  }
  context.cannotTell('needs-state', 'the first purchase may be free, and a second one brings nothing new');
}
