// The flow `store`: buying a character (here), browsing the catalog and redeeming codes (in `store/`). Helpers there:
// `buy.ts` buys, `characters.ts` finds characters, `prices.ts` reads prices, `effects.ts` finds what changed.
import { areas } from '../catalog/catalog.ts';
import { effects } from '../catalog/clauses/flows.ts';
import type { Operation } from '../catalog/operation.ts';
import { belongings, wallets } from '../engine/attack/figures.ts';
import { type Flow, flowSuite } from '../engine/flow/flow.ts';
import { poll, pollAnswered } from '../engine/flow/polling.ts';
import type { Snapshot } from '../engine/flow/snapshot.ts';
import type { StepContext } from '../engine/flow/step-context.ts';
import { ignoreStop } from '../engine/flow/why-refused.ts';
import { type Exchange, isSuccess, statusOf } from '../engine/http/exchange.ts';
import { browsing } from './store/browsing.ts';
import { buy, oneOfEachType } from './store/buy.ts';
import {
  type Change,
  changesOf,
  emptyEntryIn,
  eventuallyChanges,
  expectOnce,
  expectPaidIn,
  holdingsBefore,
  inWords,
  isMoreThan,
  movementsIn,
  namesIn,
  type Snapshots,
  shownOf,
  snapshotOf,
  statedPricesIn,
} from './store/effects.ts';
import { expectNoGain } from './store/less-than-nothing.ts';
import {
  expectUnaffordableNotSold,
  nameIn,
  nameInPath,
  type Priced,
  pricesOffered,
  requirePaidPurchase,
} from './store/prices.ts';
import { redeeming } from './store/redeeming.ts';
import { expectListsAgree, expectMarkedOwned } from './store/same-lists.ts';

const { extensions, general } = areas;
const clauses = effects.store;

const nothingChanged = 'nothing was paid, and nothing is new: it may have been owned before';

const ownedBefore = (own: Snapshots): readonly Exchange[] =>
  [...own].flatMap(([read, { exchange }]) => (belongings.includes(read) ? [exchange] : []));

/** The names that are new among belongings. */
const boughtNames = (changes: ReadonlyMap<Operation, Change>): readonly string[] =>
  namesIn(belongings.flatMap((read) => changes.get(read) ?? []));

/** A bought name that a cached copy of the buyer's answer shows the other player; undefined where there is none. */
async function copiedFromBuyer(
  context: StepContext<'buyer' | 'other'>,
  read: Operation,
  names: readonly string[],
): Promise<{ readonly name: string; readonly answer: Exchange } | undefined> {
  const namedIn = (answer: Exchange) =>
    isSuccess(answer) ? names.find((name) => context.mentions(answer, name)) : undefined;
  let shown: { readonly name: string; readonly answer: Exchange } | undefined;
  // Three times: one answer may show it by chance.
  for (const _ of [1, 2, 3]) {
    await context.send('buyer', read);
    const answer = await context.send('other', read);
    const name = namedIn(answer);
    if (name === undefined) return undefined;
    shown = { name, answer };
  }
  // A value that comes and goes by itself, such as the name of a machine, is no effect of the purchase.
  const later: boolean[] = [];
  await poll(
    () => context.send('other', read),
    (answer) => {
      later.push(namedIn(answer) !== undefined);
      return false;
    },
  );
  // A copy shows until it expires, and never again; the name of a machine that always answers this player stays.
  const comesAgain = later.some((isShown, at) => isShown && later[at - 1] === false);
  return later.at(-1) === false && !comesAgain ? shown : undefined;
}

/** One player buys one character. */
function buying(flow: Flow): void {
  const { prepare, step, observe } = flow.scenario('buyer', 'other', 'latecomer');

  const before = prepare('wallets and belongings as they were', (context) =>
    holdingsBefore(context, 'buyer'),
  );

  const bought = step(
    'purchase',
    [general.purchase],
    clauses.owned,
    'a player buys a character',
    async (context) => buy(context, context.resultOf(before).own),
  );

  const effect = prepare('what the purchase changed', async (context) => {
    context.resultOf(bought);
    return changesOf(context, context.resultOf(before));
  });

  observe(
    'purchase-shown-in',
    [general.purchase, [...wallets, ...belongings]],
    'which reads show the purchase',
    async (context) => context.observe(inWords(context.resultOf(effect))),
  );

  effect.step(
    'purchase-arrives',
    [general.purchase, general.currencies, belongings],
    clauses.owned,
    'who paid for a character owns something that they did not own before',
    async (context, changes) => {
      const wallet = changes.get(general.currencies);
      if (wallet === undefined) return context.cannotTell('needs-state', 'nothing was paid');
      const { own } = context.resultOf(before);
      const read = [...own].filter(([one]) => belongings.includes(one));
      if (read.length === 0) context.cannotTell('needs-state', 'no read of belongings is answered');
      const isMore = isMoreThan(wallet);
      const hasArrived =
        belongings.some((one) => [changes.get(one)].some((change) => change && isMore(change))) ||
        (await eventuallyChanges(context, read, isMore));
      context.expect(
        hasArrived,
        `one of ${read.map(([{ id }]) => id).join(', ')} shows what was bought`,
        'the wallet has changed, and nothing else has',
        wallet.after,
      );
      const names = boughtNames(changes);
      for (const one of belongings) {
        const change = changes.get(one);
        const place = change && emptyEntryIn(change, names);
        context.expect(
          place === undefined,
          `${one.id} shows that the player has what was bought`,
          `the entry at ${place} says that there is none of it`,
          change?.after ?? wallet.after,
        );
      }
    },
  );

  effect.step(
    'purchase-paid',
    [general.purchase, general.currencies],
    clauses.paid,
    'the wallet changes when a player gets what has a price',
    async (context, changes) => {
      const { own } = context.resultOf(before);
      const { answer } = context.resultOf(bought);
      const wallet = snapshotOf(context, own, general.currencies);
      const named = statedPricesIn(answer, wallet.exchange);
      const offered =
        named.length === 0
          ? await pricesOffered(context, wallet.exchange, answer)
          : new Map<string, Priced>();
      const price = named.find((each) => each > 0) ?? offered.get(nameIn(answer, offered))?.price;
      if (price === undefined)
        return context.cannotTell('needs-state', 'neither the answer nor the catalog names a price');
      if (boughtNames(changes).length === 0) context.cannotTell('needs-state', 'nothing new is owned');
      const hasMoved = (answer: Exchange) => movementsIn(wallet.exchange, answer).length > 0;
      // A balance may move in a wallet that changes in other places by itself.
      const last =
        changes.get(general.currencies)?.after ?? (await context.send('buyer', general.currencies));
      const isPaid =
        changes.has(general.currencies) ||
        hasMoved(last) ||
        (await context.pollUntilDifferent('buyer', wallet, general.currencies));
      // The item came, and was paid or has a price in the answer: the body was right, no other one would have been paid.
      if (isPaid || named.length > 0) context.confirmBody(general.purchase);
      if (!isPaid && named.length === 0)
        await requirePaidPurchase(
          context,
          { first: answer, offered },
          new Map(
            [...changes].flatMap(([read, { after }]) => (belongings.includes(read) ? [[read, after]] : [])),
          ),
        );
      context.expect(isPaid, `the wallet changes by the price of ${price}`, 'the wallet from before', last);
    },
  );

  step(
    'purchase-amount',
    [general.purchase, general.currencies],
    clauses.amount,
    'the wallet changes by what the answer to the purchase names, once and in that currency',
    async (context) => {
      const after = context.resultOf(effect).get(general.currencies)?.after;
      const wallet = snapshotOf(context, context.resultOf(before).own, general.currencies);
      const { answer } = context.resultOf(bought);
      expectPaidIn(context, [wallet.exchange, after], answer);
      expectOnce(context, [wallet.exchange, after], [answer]);
    },
  );

  step(
    'purchase-wallets-agree',
    wallets,
    clauses.agree,
    'a balance that two reads showed alike before the purchase is the same in both after it',
    async (context) => {
      const [, localized] = wallets;
      const { own } = context.resultOf(before);
      const [was, wasThere] = [own.get(general.currencies), own.get(extensions.localizedCurrencies)];
      const is = context.resultOf(effect).get(general.currencies);
      if (!was || !wasThere || !is || localized === undefined)
        return context.cannotTell('needs-state', 'the wallet did not change, or one of both is not answered');
      const moved = movementsIn(was.exchange, is.after).filter((one) =>
        shownOf(one, wasThere.exchange).includes(one.was),
      );
      if (moved.length === 0)
        context.cannotTell('needs-state', `${localized.id} did not show the balance that changed`);
      const isStale = (answer: Exchange) =>
        moved.some((one) => {
          const shown = shownOf(one, answer);
          return shown.includes(one.was) && !shown.includes(one.is);
        });
      const { holds, last } = await pollAnswered(
        () => context.send('buyer', localized),
        (answer) => isSuccess(answer) && !isStale(answer),
      );
      if (!isSuccess(last))
        context.cannotTell('needs-state', `${localized.id} is answered ${statusOf(last)}`);
      context.expect(holds, `the balance that ${general.currencies.id} shows`, 'the one from before', last);
    },
  );

  step(
    'purchase-lists-agree',
    [general.purchase, belongings],
    clauses.lists,
    'what came into one list of belongings came into each other one that held the same before',
    (context) =>
      expectListsAgree(
        context,
        context.resultOf(before).own,
        context.resultOf(effect),
        nameInPath(context.resultOf(bought).answer),
      ),
  );

  step(
    'purchase-marked',
    [extensions.catalogItems, general.purchase],
    clauses.marked,
    'a catalog that says what a player owns says so of what they bought',
    async (context) =>
      expectMarkedOwned(
        context,
        ownedBefore(context.resultOf(before).own),
        boughtNames(context.resultOf(effect)),
      ),
  );

  step(
    'purchase-others-view',
    [general.purchase, belongings],
    clauses.own,
    'another player who reads just after the buyer does not see what was bought',
    async (context) => {
      const bought = boughtNames(context.resultOf(effect));
      let looked = 0;
      for (const [read, { exchange: was }] of context.resultOf(before).idle) {
        if (!belongings.includes(read)) continue;
        const names = bought.filter((name) => !context.mentions(was, name));
        looked += names.length;
        const copied = await copiedFromBuyer(context, read, names);
        context.expect(
          copied === undefined,
          `${read.id} shows the other player their own belongings`,
          `${copied?.name}, which the buyer bought`,
          copied?.answer,
        );
      }
      if (looked === 0) context.cannotTell('needs-state', 'no read names what was bought');
    },
  );

  before.step(
    'purchase-looked-before',
    [general.purchase, belongings],
    clauses.seen,
    'who looked at their belongings before a purchase sees it where others do who did not',
    async (context, { own }) => {
      const names = boughtNames(context.resultOf(effect));
      if (names.length === 0) context.cannotTell('needs-state', 'no read names what was bought');
      await context.mustSucceed('latecomer', general.purchase, {
        ...context.resultOf(bought).ask,
        mayRefuse: 'the purchase of another player',
      });
      for (const [read, { exchange: was }] of own) {
        if (!belongings.includes(read)) continue;
        const lacking = names.filter((name) => !context.mentions(was, name));
        // Twice: a name that a machine says of itself changes from answer to answer.
        const fresh = [await context.send('latecomer', read), await context.send('latecomer', read)];
        const shown = lacking.filter((name) =>
          fresh.every((answer) => isSuccess(answer) && context.mentions(answer, name)),
        );
        if (shown.length === 0) continue;
        const { holds, last } = await pollAnswered(
          () => context.send('buyer', read),
          (answer) => isSuccess(answer) && shown.some((name) => context.mentions(answer, name)),
        );
        if (!isSuccess(last)) continue;
        context.expect(
          holds,
          `${read.id} shows ${shown[0]}, as it does to a player who bought it and had not looked before`,
          'the belongings from before the purchase',
          last,
        );
      }
    },
  );

  const paid = effect.step(
    'purchase-shows',
    [[general.entitlements], general.purchase],
    clauses.owned,
    'the belongings or the wallet change after the purchase',
    async (context, changes) => {
      for (const [read] of context.resultOf(before).own)
        await context.expectAccepted(read, await context.send('buyer', read));
      if (changes.size === 0) context.cannotTell('needs-state', nothingChanged);
      context.note(`changed ${inWords(changes)}`);
    },
  );

  before.step(
    'purchase-own',
    [general.purchase, general.currencies, [general.entitlements]],
    clauses.own,
    "another player's wallet and belongings stay as they were",
    async (context, { own, idle }) => {
      const changes = context.resultOf(effect);
      // Judges only reads that show the purchase to the buyer; others would not show it at all. A change for both
      // players at once may be the very mistake, so the buyer's snapshots are compared directly as well.
      const isOther = async (read: Operation, snapshot: Snapshot) =>
        changes.has(read) || context.snapshotsDiffer(snapshot, await snapshot.again());
      const asked = [...own].filter(([read]) => idle.has(read));
      const found = asked.map(async ([read, snapshot]) =>
        (await isOther(read, snapshot).catch(ignoreStop)) ? [read] : [],
      );
      const changed = (await Promise.all(found)).flat();
      if (changed.length === 0) context.cannotTell('needs-state', nothingChanged);
      for (const read of changed)
        await context.expectUnchanged(
          snapshotOf(context, idle, read),
          `${read.id} shows the other player what it showed`,
        );
    },
  );

  const again = paid.observe(
    'purchase-again',
    [general.purchase],
    'how the server answers when a player buys a character they own',
    async (context) => {
      const wallet = await context.snapshot('buyer', general.currencies).catch(ignoreStop);
      await context.observeLikeliest('buyer', general.purchase, context.resultOf(bought).ask);
      // Read here, so that a failed read of the wallet leaves only its effect unjudged.
      return { wallet, after: await wallet?.again().catch(ignoreStop) };
    },
  );

  again.step(
    'purchase-once',
    [general.purchase, general.currencies],
    clauses.once,
    'a second purchase of a character does not change the wallet',
    async (context, { wallet, after }) => {
      if (!wallet || !after)
        return context.cannotTell('prerequisite-failed', `${general.currencies.id} is not answered`);
      // The first purchase with this body was paid, so the target has read it.
      if (context.resultOf(effect).has(general.currencies)) context.confirmBody(general.purchase);
      await context.expectUnchanged(wallet, 'the wallet as it was before the second purchase', after);
    },
  );

  step(
    'purchase-beyond',
    [general.purchase, general.currencies],
    clauses.paid,
    'what costs more than a player has does not come to the player',
    async (context) => {
      const after = context.resultOf(effect).get(general.currencies)?.after;
      const wallet = snapshotOf(context, context.resultOf(before).own, general.currencies);
      const moved = after ? movementsIn(wallet.exchange, after) : [];
      await expectUnaffordableNotSold(
        context,
        { answer: context.resultOf(bought).answer, moved },
        belongings,
      );
    },
  );

  step(
    'purchase-negative',
    [general.purchase, general.currencies],
    clauses.noGain,
    'a purchase of a negative number does not fill the wallet',
    async (context) => {
      const { ask } = context.resultOf(bought);
      await expectNoGain(context, 'buyer', general.purchase, [ask, ...(await oneOfEachType(context, ask))]);
    },
  );

  observe(
    'purchase-unknown',
    [general.purchase],
    'how the server answers when a player buys a character that does not exist',
    (context) =>
      context.observeAnswer('other', general.purchase, {
        params: { characterName: context.unique('Nobody') },
      }),
  );
}

export default flowSuite('store', [buying, browsing, redeeming]);
