// Checks codes: redeemed once, redeemed again, by another player, and one that nobody issued.
import { general } from '../../catalog/areas/general.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import { belongings, wallets } from '../../engine/attack/figures.ts';
import type { Flow } from '../../engine/flow/flow.ts';
import { requireAnswer } from '../../engine/flow/why-refused.ts';
import { statusOf } from '../../engine/http/exchange.ts';
import { changesOf, expectArrival, expectOnce, holdingsBefore, inWords } from './effects.ts';

const clauses = effects.store;

/** A code is redeemed, and redeemed again; an unknown code is refused. */
export function redeeming(flow: Flow): void {
  const { prepare, step } = flow.scenario('player', 'other');

  const purses = prepare('the wallets as they were', async (context) => ({
    wallet: await context.snapshot('player', general.currencies),
    others: await context.snapshot('other', general.currencies),
  }));
  const before = prepare('what else was shown', (context) => holdingsBefore(context, 'player'));

  purses.step(
    'redeem-unknown',
    [general.redeem, general.currencies],
    clauses.refused,
    'an unknown code is refused and does not change the wallet',
    async (context, { wallet }) => {
      const params = { redeemableCode: context.unique('NONE') };
      const answer = await context.send('player', general.redeem, { params });
      const status = statusOf(answer);
      requireAnswer(answer);
      context.expect(status < 500, 'an unknown code is refused', `${status}`, answer);
      await context.expectUnchanged(wallet, 'the wallet as it was');
      // A successful answer may state in its body that there is no such code.
      if (status < 300)
        context.cannotTell('needs-state', `it is answered ${status}, and the wallet is as it was`);
    },
  );

  const redeemed = step('redeem', [general.redeem], clauses.once, 'a player redeems a code', (context) =>
    context.mustSucceed('player', general.redeem),
  );

  const given = prepare('the wallet after the code', (context) => {
    context.resultOf(redeemed);
    return context.settledSnapshot('player', general.currencies);
  });

  redeemed.observe(
    'redeem-shown-in',
    [general.redeem, [...wallets, ...belongings]],
    'which reads show what a code gave',
    async (context) => context.observe(inWords(await changesOf(context, context.resultOf(before)))),
  );

  step(
    'redeem-amount',
    [general.redeem, general.currencies],
    clauses.amount,
    'the wallet changes by what the answer to the code names, not by twice that',
    async (context) => {
      await expectArrival(context, context.resultOf(before).own, context.resultOf(redeemed));
      const around = [context.resultOf(purses).wallet.exchange, context.resultOf(given).exchange] as const;
      expectOnce(context, around, [context.resultOf(redeemed)]);
    },
  );

  purses.step(
    'redeem-own',
    [general.redeem, general.currencies],
    clauses.own,
    "another player's wallet stays as it was",
    async (context, { wallet, others }) => {
      if (!context.snapshotsDiffer(wallet, context.resultOf(given)))
        context.cannotTell('needs-state', 'the code changed nothing in the wallet of its player');
      await context.expectUnchanged(others, "the other player's wallet as it was");
    },
  );

  const again = redeemed.observe(
    'redeem-again',
    [general.redeem],
    'how the server answers when a player redeems a code again',
    (context) => context.observeAnswer('player', general.redeem),
  );
  const later = prepare('the wallet after the second time', (context) => {
    context.resultOf(again);
    return context.resultOf(given).again();
  });

  step(
    'redeem-once',
    [general.redeem, general.currencies],
    clauses.once,
    'a second redemption of a code does not change the wallet',
    (context) =>
      context.expectUnchanged(
        context.resultOf(given),
        'the wallet as it was after the first time',
        context.resultOf(later),
      ),
  );

  redeemed.observe(
    'redeem-other',
    [general.redeem],
    'how the server answers when another player redeems the same code',
    (context) => context.observeAnswer('other', general.redeem),
  );
}
