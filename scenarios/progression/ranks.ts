// Checks ranks, rituals and challenges.
import { areas } from '../../catalog/catalog.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import { open } from '../../catalog/clauses/open.ts';
import type { Flow } from '../../engine/flow/flow.ts';

const { game, general } = areas;
const { ranks: area } = areas;
const clauses = effects.progression;
const anyState = open['open.flows'];

/** Ranks, rituals and challenges. */
export function ranks(flow: Flow): void {
  const { step } = flow.scenario('player');

  step('ranks', [area.resetAndGetPips], clauses.called, 'a player asks for the ranks', async (context) => {
    await context.done('player', area.resetAndGetPips);
  });

  const claimed = step(
    'rank-rewards',
    [area.claimRewards],
    anyState,
    'how the server answers when a player claims rank rewards',
    async (context) => {
      await context.observeAnswer('player', area.claimRewards);
      return await context.snapshot('player', general.currencies);
    },
  );

  step(
    'rank-rewards-once',
    [area.claimRewards, general.currencies],
    clauses.once,
    'a second claim of rank rewards does not change the wallet',
    async (context) => {
      const wallet = context.of(claimed);
      await context.put('player', area.claimRewards);
      const after = await context.snapshot('player', general.currencies);
      context.expect(
        await context.isStill(wallet, after),
        'the wallet as it was after the first claim',
        'another one',
        after.exchange,
      );
    },
  );

  step(
    'rituals',
    [game.rituals],
    anyState,
    'whether two requests for rituals give the same ones',
    async (context) => {
      const first = await context.snapshot('player', game.rituals);
      const second = await context.snapshot('player', game.rituals);
      context.observe(context.differs(first, second) ? 'others each time' : 'the same', second.exchange);
    },
  );

  step(
    'challenges',
    [game.reconcileChallenges, game.challenges],
    anyState,
    'whether reconciling challenges without a match changes them',
    async (context) => {
      const before = await context.snapshot('player', game.challenges);
      await context.done('player', game.reconcileChallenges);
      const moved = await context.changed('player', before, game.challenges);
      context.observe(moved ? 'it does' : 'it does not', moved?.exchange);
    },
  );
}
