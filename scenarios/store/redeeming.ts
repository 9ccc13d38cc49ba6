import { areas } from '../../fixtures/catalog/catalog.ts';
import { effects } from '../../fixtures/catalog/clauses/effects/effects.ts';
import { open } from '../../fixtures/catalog/clauses/open.ts';
import type { Flow } from '../../fixtures/check/flow/flow.ts';
import { silenced } from '../../fixtures/check/flow/refusal.ts';
import { statusOf } from '../../fixtures/client/exchange.ts';

const { general } = areas;
const clauses = effects.store;
const anyState = open['open.flows'];

/** A code: redeemed, redeemed again, and one that is none. */
export function redeeming(flow: Flow): void {
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
    anyState,
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
    anyState,
    'what another player who redeems the same code is answered',
    async (stage) => {
      stage.of(redeemed);
      await stage.observeAnswer('other', general.redeem);
    },
  );
}
