// Observes which reads show what a call changed, and checks that none of them changes for another player.
import { areas } from '../../catalog/catalog.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import { open } from '../../catalog/clauses/open.ts';
import { belongings, wallets } from '../../engine/attack/figures.ts';
import type { Flow } from '../../engine/flow/flow.ts';
import { changesOf, holdingsBefore, inWords } from '../store/effects.ts';

const { archives, extensions, game } = areas;

/** Experience, and levels of a character: reported or bought, and read in several places. */
export function shownIn(flow: Flow): void {
  experience(flow);
  levels(flow);
}

const tracks = [archives.tier, archives.rawTier, archives.checkPass, archives.storyStatus] as const;

function experience(flow: Flow): void {
  const { prepare, step } = flow.scenario('player', 'other');
  const reads = [...tracks, extensions.playerLevel];

  const changed = prepare('experience is reported', async (context) => {
    const before = await holdingsBefore(context, 'player', 'other', reads);
    await context.done('player', archives.updateXp);
    return { others: before.idle, changes: await changesOf(context, 'player', before) };
  });

  step(
    'xp-shown-in',
    [archives.updateXp, reads],
    open['open.flows'],
    'which reads show experience that was reported',
    async (context) => {
      context.observe(inWords(context.of(changed).changes));
    },
  );

  step(
    'xp-own',
    [archives.updateXp, reads],
    effects.progression.own,
    "another player's tier, pass, stories and level stay as they were",
    async (context) => {
      for (const [read, was] of context.of(changed).others) {
        const after = await context.snapshot('other', read);
        await context.expectStill(was, after, `${read.id} shows the other player what it showed`);
      }
    },
  );
}

function levels(flow: Flow): void {
  const { step } = flow.scenario('player', 'other');
  step(
    'levels-shown-in',
    [game.bulkSpendingBloodweb, [...wallets, ...belongings]],
    open['open.flows'],
    'which reads show levels that a player bought for a character',
    async (context) => {
      const before = await holdingsBefore(context, 'player', 'other');
      await context.done('player', game.bulkSpendingBloodweb);
      context.observe(inWords(await changesOf(context, 'player', before)));
    },
  );
}
