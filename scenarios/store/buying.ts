import { areas } from '../../fixtures/catalog/catalog.ts';
import { effects } from '../../fixtures/catalog/clauses/effects/effects.ts';
import { open } from '../../fixtures/catalog/clauses/open.ts';
import type { Flow } from '../../fixtures/check/flow/flow.ts';

const { general, extensions } = areas;
const clauses = effects.store;
const anyState = open['open.flows'];

/** A character is bought: once, by one player. */
export function buying(flow: Flow): void {
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
