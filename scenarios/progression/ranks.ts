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
  const { step } = flow.scene('player');

  step('ranks', [area.resetAndGetPips], clauses.called, 'a player asks for the ranks', async (stage) => {
    await stage.done('player', area.resetAndGetPips);
  });

  const claimed = step(
    'rank-rewards',
    [area.claimRewards],
    anyState,
    'what claiming rank rewards is answered',
    async (stage) => {
      await stage.observeAnswer('player', area.claimRewards);
      return await stage.snapshot('player', general.currencies);
    },
  );

  step(
    'rank-rewards-once',
    [area.claimRewards, general.currencies],
    clauses.once,
    'rank rewards that were claimed twice are given once',
    async (stage) => {
      const wallet = stage.of(claimed);
      await stage.put('player', area.claimRewards);
      const after = await stage.snapshot('player', general.currencies);
      stage.expect(
        await stage.isStill(wallet, after),
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
    'whether rituals that are asked for twice are the same',
    async (stage) => {
      const first = await stage.snapshot('player', game.rituals);
      const second = await stage.snapshot('player', game.rituals);
      stage.observe(stage.differs(first, second) ? 'others each time' : 'the same', second.exchange);
    },
  );

  step(
    'challenges',
    [game.reconcileChallenges, game.challenges],
    anyState,
    'whether reconciling challenges without a match changes them',
    async (stage) => {
      const before = await stage.snapshot('player', game.challenges);
      await stage.done('player', game.reconcileChallenges);
      const moved = await stage.changed('player', before, game.challenges);
      stage.observe(moved ? 'it does' : 'it does not', moved?.exchange);
    },
  );
}
