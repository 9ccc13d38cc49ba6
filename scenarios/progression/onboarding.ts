// Checks the first steps of a new player.
import { areas } from '../../catalog/catalog.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import { open } from '../../catalog/clauses/open.ts';
import type { Flow } from '../../engine/flow/flow.ts';

const area = areas.onboarding;
const clauses = effects.progression;
const anyState = open['open.flows'];

/** The first steps of a player. */
export function onboarding(flow: Flow): void {
  const { prepare, step } = flow.scenario('player', 'other');

  const before = prepare('onboarding as it was', async (context) => ({
    own: await context.snapshot('player', area.get),
    others: await context.snapshot('other', area.get),
    botMatches: await context.snapshot('player', area.botMatchStatus),
    othersBotMatches: await context.snapshot('other', area.botMatchStatus),
  }));

  const played = step(
    'bot-match',
    [area.playBotMatch],
    clauses.called,
    'a player reports a match against bots',
    async (context) => {
      context.of(before);
      await context.done('player', area.playBotMatch, { reports: true });
    },
  );

  const shown = step(
    'bot-match-shown',
    [area.botMatchStatus, area.playBotMatch],
    clauses.shown,
    'the bot-match status changes after the report',
    async (context) => {
      context.of(played);
      const { botMatches } = context.of(before);
      const changed = await context.hasChanged('player', botMatches, area.botMatchStatus);
      context.expect(changed, 'another status after the match', 'the same as before it', botMatches.exchange);
      context.worked(area.playBotMatch);
    },
  );

  step(
    'bot-match-own',
    [area.botMatchStatus, area.playBotMatch],
    clauses.own,
    "another player's bot-match status stays as it was",
    async (context) => {
      context.of(shown);
      const after = await context.snapshot('other', area.botMatchStatus);
      context.expect(
        await context.isStill(context.of(before).othersBotMatches, after),
        "the other player's status as it was",
        'another one',
        after.exchange,
      );
    },
  );

  const stepSent = step(
    'onboarding-step',
    [area.updateProgress],
    clauses.called,
    'a player reports a step of the onboarding',
    async (context) => {
      context.of(before);
      await context.done('player', area.updateProgress);
    },
  );

  step(
    'onboarding-shown',
    [area.get, area.updateProgress],
    anyState,
    'whether reporting a step in its plain form changes the onboarding',
    async (context) => {
      context.of(stepSent);
      const moved = await context.changed('player', context.of(before).own, area.get);
      context.observe(moved ? 'it does' : 'it does not', moved?.exchange);
    },
  );

  step(
    'onboarding-own',
    [area.get, area.updateProgress],
    clauses.own,
    "another player's onboarding stays as it was",
    async (context) => {
      context.of(stepSent);
      const after = await context.snapshot('other', area.get);
      context.expect(
        await context.isStill(context.of(before).others, after),
        "the other player's onboarding as it was",
        'another one',
        after.exchange,
      );
    },
  );

  step(
    'onboarding-rewards',
    [area.reconcileRewards],
    anyState,
    'whether two calls to reconcile rewards are answered alike',
    async (context) => {
      context.of(before);
      const first = await context.snapshot('player', area.reconcileRewards);
      const second = await context.snapshot('player', area.reconcileRewards);
      context.observe(context.differs(first, second) ? 'they differ' : 'alike', second.exchange);
    },
  );
}
