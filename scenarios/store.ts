// The flow `store`: buying a character and redeeming codes.
import { areas } from '../catalog/catalog.ts';
import { effects } from '../catalog/clauses/flows.ts';
import { open } from '../catalog/clauses/open.ts';
import { type Flow, flow } from '../engine/flow/flow.ts';
import { silenced } from '../engine/flow/refusal.ts';
import { statusOf } from '../engine/http/exchange.ts';

const { general, extensions } = areas;
const clauses = effects.store;
const anyState = open['open.flows'];

/** One player buys one character. */
function buying(flow: Flow): void {
  const { prepare, step } = flow.scenario('buyer', 'other');

  const before = prepare('wallets and belongings as they were', async (context) => ({
    wallet: await context.snapshot('buyer', general.currencies),
    othersWallet: await context.snapshot('other', general.currencies),
    belongings: await context.snapshot('buyer', general.entitlements),
    othersBelongings: await context.snapshot('other', general.entitlements),
  }));

  const bought = step(
    'purchase',
    [general.purchase],
    clauses.owned,
    'a player buys a character',
    async (context) => {
      context.of(before);
      await context.done('buyer', general.purchase);
    },
  );

  const paid = step(
    'purchase-shows',
    [general.entitlements, general.purchase],
    clauses.owned,
    'the belongings or the wallet change after the purchase',
    async (context) => {
      const { wallet, belongings } = context.of(before);
      context.of(bought);
      const shown = [
        await context.hasChanged('buyer', belongings, general.entitlements),
        await context.hasChanged('buyer', wallet, general.currencies),
      ];
      if (!shown.includes(true))
        context.cannotTell(
          'needs-state',
          'nothing was paid, and nothing is new: it may have been owned before',
        );
      context.note(
        `${shown[0] ? 'belongings changed' : 'belongings did not change'}, ${shown[1] ? 'the wallet too' : 'the wallet did not'}`,
      );
    },
  );

  step(
    'purchase-own',
    [general.purchase, general.currencies, general.entitlements],
    clauses.own,
    "another player's wallet and belongings stay as they were",
    async (context) => {
      context.of(paid);
      const { othersWallet, othersBelongings } = context.of(before);
      const wallet = await context.snapshot('other', general.currencies);
      context.expect(
        await context.isStill(othersWallet, wallet),
        "the other player's wallet as it was",
        'another one after the purchase',
        wallet.exchange,
      );
      const belongings = await context.snapshot('other', general.entitlements);
      context.expect(
        await context.isStill(othersBelongings, belongings),
        "the other player's belongings as they were",
        'others after the purchase',
        belongings.exchange,
      );
    },
  );

  const again = step(
    'purchase-again',
    [general.purchase],
    anyState,
    'how the server answers when a player buys a character they own',
    async (context) => {
      context.of(paid);
      const wallet = await context.snapshot('buyer', general.currencies);
      await context.observeAnswer('buyer', general.purchase);
      // Read here, so that a failed read of the wallet leaves only its effect unjudged.
      return { wallet, after: await context.snapshot('buyer', general.currencies) };
    },
  );

  step(
    'purchase-once',
    [general.purchase, general.currencies],
    clauses.once,
    'a second purchase of a character does not change the wallet',
    async (context) => {
      const { wallet, after } = context.of(again);
      context.expect(
        await context.isStill(wallet, after),
        'the wallet as it was before the second purchase',
        'another one',
        after.exchange,
      );
    },
  );

  step(
    'purchase-unknown',
    [general.purchase],
    anyState,
    'how the server answers when a player buys a character that does not exist',
    async (context) => {
      context.of(before);
      await context.observeAnswer('other', general.purchase, {
        params: { characterName: context.unique('Nobody') },
      });
    },
  );

  const looking = flow.scenario('customer', 'neighbour');
  looking.step(
    'types',
    [extensions.catalogItems],
    anyState,
    'whether another value of types gives other catalog items',
    async (context) => {
      const items = await context.snapshot('customer', extensions.catalogItems);
      const other = await context.snapshot('customer', extensions.catalogItems, {
        params: { types: 'assay' },
      });
      context.observe(context.differs(items, other) ? 'other items' : 'the same items');
    },
  );
  looking.step(
    'wallets-alike',
    [general.currencies],
    anyState,
    'whether new players begin with the same wallet',
    async (context) => {
      const one = await context.snapshot('customer', general.currencies);
      const other = await context.snapshot('neighbour', general.currencies);
      context.observe(context.differs(one, other) ? 'with different ones' : 'with the same');
    },
  );
}

const redeemingAnyState = open['open.flows'];

/** A code is redeemed, and redeemed again; an unknown code is refused. */
function redeeming(flow: Flow): void {
  const { prepare, step } = flow.scenario('player', 'other');

  const before = prepare('the wallets as they were', async (context) => ({
    wallet: await context.snapshot('player', general.currencies),
    others: await context.snapshot('other', general.currencies),
  }));

  step(
    'redeem-unknown',
    [general.redeem, general.currencies],
    clauses.refused,
    'an unknown code is refused and does not change the wallet',
    async (context) => {
      const { wallet } = context.of(before);
      const params = { redeemableCode: context.unique('NONE') };
      const answer = await context.put('player', general.redeem, { params });
      const status = statusOf(answer);
      silenced(answer);
      context.expect(status < 500, 'an unknown code is refused', `${status}`, answer);
      const after = await context.snapshot('player', general.currencies);
      context.expect(
        await context.isStill(wallet, after),
        'the wallet as it was',
        'another one',
        after.exchange,
      );
      // A successful answer may state in its body that there is no such code.
      if (status < 300)
        context.cannotTell('needs-state', `it is answered ${status}, and the wallet is as it was`);
    },
  );

  const redeemed = step(
    'redeem',
    [general.redeem],
    clauses.once,
    'a player redeems a code',
    async (context) => {
      context.of(before);
      await context.done('player', general.redeem);
      return await context.settled('player', general.currencies);
    },
  );

  step(
    'redeem-own',
    [general.redeem, general.currencies],
    clauses.own,
    "another player's wallet stays as it was",
    async (context) => {
      const { wallet, others } = context.of(before);
      if (!context.differs(wallet, context.of(redeemed)))
        context.cannotTell('needs-state', 'the code changed nothing in the wallet of its player');
      const after = await context.snapshot('other', general.currencies);
      context.expect(
        await context.isStill(others, after),
        "the other player's wallet as it was",
        'another one',
        after.exchange,
      );
    },
  );

  const again = step(
    'redeem-again',
    [general.redeem],
    redeemingAnyState,
    'how the server answers when a player redeems a code again',
    async (context) => {
      context.of(redeemed);
      await context.observeAnswer('player', general.redeem);
      // Read here, so that a failed read of the wallet leaves only its effect unjudged.
      return context.snapshot('player', general.currencies);
    },
  );

  step(
    'redeem-once',
    [general.redeem, general.currencies],
    clauses.once,
    'a second redemption of a code does not change the wallet',
    async (context) => {
      const after = context.of(again);
      context.expect(
        await context.isStill(context.of(redeemed), after),
        'the wallet as it was after the first time',
        'another one',
        after.exchange,
      );
    },
  );

  step(
    'redeem-other',
    [general.redeem],
    redeemingAnyState,
    'how the server answers when another player redeems the same code',
    async (context) => {
      context.of(redeemed);
      await context.observeAnswer('other', general.redeem);
    },
  );
}

const store = flow('store');
for (const scenario of [buying, redeeming]) scenario(store);

export default store.suite();
