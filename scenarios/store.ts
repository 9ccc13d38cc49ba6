import { areas } from '../catalog/catalog.ts';
import { effects } from '../catalog/clauses/flows.ts';
import { open } from '../catalog/clauses/open.ts';
import { type Flow, flow } from '../engine/flow/flow.ts';
import { silenced } from '../engine/flow/refusal.ts';
import { statusOf } from '../engine/http/exchange.ts';

const { general, extensions } = areas;
const clauses = effects.store;
const anyState = open['open.flows'];

/** A character is bought: once, by one player. */
function buying(flow: Flow): void {
  const { prepare, step } = flow.scene('buyer', 'other');

  const before = prepare('wallets and belongings as they were', async (stage) => ({
    wallet: await stage.snapshot('buyer', general.currencies),
    othersWallet: await stage.snapshot('other', general.currencies),
    belongings: await stage.snapshot('buyer', general.entitlements),
    othersBelongings: await stage.snapshot('other', general.entitlements),
  }));

  const bought = step(
    'purchase',
    [general.purchase],
    clauses.owned,
    'a player buys a character',
    async (stage) => {
      stage.of(before);
      await stage.done('buyer', general.purchase);
    },
  );

  const paid = step(
    'purchase-shows',
    [general.entitlements, general.purchase],
    clauses.owned,
    'belongings or wallet show that something was bought',
    async (stage) => {
      const { wallet, belongings } = stage.of(before);
      stage.of(bought);
      const shown = [
        await stage.hasChanged('buyer', belongings, general.entitlements),
        await stage.hasChanged('buyer', wallet, general.currencies),
      ];
      if (!shown.includes(true))
        stage.cannotTell(
          'needs-state',
          'nothing was paid, and nothing is new: it may have been owned before',
        );
      stage.note(
        `${shown[0] ? 'belongings changed' : 'belongings did not change'}, ${shown[1] ? 'the wallet too' : 'the wallet did not'}`,
      );
    },
  );

  step(
    'purchase-own',
    [general.purchase, general.currencies, general.entitlements],
    clauses.own,
    "another player's wallet and belongings stay as they were",
    async (stage) => {
      stage.of(paid);
      const { othersWallet, othersBelongings } = stage.of(before);
      const wallet = await stage.snapshot('other', general.currencies);
      stage.expect(
        await stage.isStill(othersWallet, wallet),
        "the other player's wallet as it was",
        'another one after the purchase',
        wallet.exchange,
      );
      const belongings = await stage.snapshot('other', general.entitlements);
      stage.expect(
        await stage.isStill(othersBelongings, belongings),
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
    'what buying a character that one owns is answered',
    async (stage) => {
      stage.of(paid);
      const wallet = await stage.snapshot('buyer', general.currencies);
      await stage.observeAnswer('buyer', general.purchase);
      // Looked at here: where the wallet's read breaks, what it should show is not judged.
      return { wallet, after: await stage.snapshot('buyer', general.currencies) };
    },
  );

  step(
    'purchase-once',
    [general.purchase, general.currencies],
    clauses.once,
    'a character that one owns is not paid for again',
    async (stage) => {
      const { wallet, after } = stage.of(again);
      stage.expect(
        await stage.isStill(wallet, after),
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
    'what buying a character that is not there is answered',
    async (stage) => {
      stage.of(before);
      await stage.observeAnswer('other', general.purchase, {
        params: { characterName: stage.unique('Nobody') },
      });
    },
  );

  const looking = flow.scene('customer', 'neighbour');
  looking.step(
    'types',
    [extensions.catalogItems],
    anyState,
    'whether another type gives other items',
    async (stage) => {
      const items = await stage.snapshot('customer', extensions.catalogItems);
      const other = await stage.snapshot('customer', extensions.catalogItems, { params: { types: 'assay' } });
      stage.observe(stage.differs(items, other) ? 'other items' : 'the same items');
    },
  );
  looking.step(
    'wallets-alike',
    [general.currencies],
    anyState,
    'whether new players begin with the same wallet',
    async (stage) => {
      const one = await stage.snapshot('customer', general.currencies);
      const other = await stage.snapshot('neighbour', general.currencies);
      stage.observe(stage.differs(one, other) ? 'with different ones' : 'with the same');
    },
  );
}

const redeemingAnyState = open['open.flows'];

/** A code: redeemed, redeemed again, and one that is none. */
function redeeming(flow: Flow): void {
  const { prepare, step } = flow.scene('player', 'other');

  const before = prepare('the wallets as they were', async (stage) => ({
    wallet: await stage.snapshot('player', general.currencies),
    others: await stage.snapshot('other', general.currencies),
  }));

  step(
    'redeem-unknown',
    [general.redeem, general.currencies],
    clauses.refused,
    'a code that is none gives nothing',
    async (stage) => {
      const { wallet } = stage.of(before);
      const params = { redeemableCode: stage.unique('NONE') };
      const answer = await stage.put('player', general.redeem, { params });
      const status = statusOf(answer);
      silenced(answer);
      stage.expect(status < 500, 'a code that nobody issued is refused', `${status}`, answer);
      const after = await stage.snapshot('player', general.currencies);
      stage.expect(await stage.isStill(wallet, after), 'the wallet as it was', 'another one', after.exchange);
      // An answer with success may say within that there is no such code.
      if (status < 300)
        stage.cannotTell('needs-state', `it is answered ${status}, and the wallet is as it was`);
    },
  );

  const redeemed = step(
    'redeem',
    [general.redeem],
    clauses.once,
    'a player redeems a code',
    async (stage) => {
      stage.of(before);
      await stage.done('player', general.redeem);
      return await stage.settled('player', general.currencies);
    },
  );

  step(
    'redeem-own',
    [general.redeem, general.currencies],
    clauses.own,
    "another player's wallet stays as it was",
    async (stage) => {
      const { wallet, others } = stage.of(before);
      if (!stage.differs(wallet, stage.of(redeemed)))
        stage.cannotTell('needs-state', 'the code changed nothing in the wallet of who redeemed it');
      const after = await stage.snapshot('other', general.currencies);
      stage.expect(
        await stage.isStill(others, after),
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
    'what redeeming a code twice is answered',
    async (stage) => {
      stage.of(redeemed);
      await stage.observeAnswer('player', general.redeem);
      // Looked at here: where the wallet's read breaks, what it should show is not judged.
      return stage.snapshot('player', general.currencies);
    },
  );

  step(
    'redeem-once',
    [general.redeem, general.currencies],
    clauses.once,
    'a code that was redeemed twice has given once',
    async (stage) => {
      const after = stage.of(again);
      stage.expect(
        await stage.isStill(stage.of(redeemed), after),
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
    'what another player who redeems the same code is answered',
    async (stage) => {
      stage.of(redeemed);
      await stage.observeAnswer('other', general.redeem);
    },
  );
}

const store = flow('store');
for (const scene of [buying, redeeming]) scene(store);

export default store.suite();
