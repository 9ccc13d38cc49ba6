import { areas } from '../../catalog/catalog.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import { open } from '../../catalog/clauses/open.ts';
import type { Flow } from '../../engine/flow/flow.ts';

const area = areas.onboarding;
const clauses = effects.progression;
const anyState = open['open.flows'];

/** The first steps of a player. */
export function onboarding(flow: Flow): void {
  const { prepare, step } = flow.scene('player', 'other');

  const before = prepare('onboarding as it was', async (stage) => ({
    own: await stage.snapshot('player', area.get),
    others: await stage.snapshot('other', area.get),
    botMatches: await stage.snapshot('player', area.botMatchStatus),
    othersBotMatches: await stage.snapshot('other', area.botMatchStatus),
  }));

  const played = step(
    'bot-match',
    [area.playBotMatch],
    clauses.called,
    'a player reports a match against bots',
    async (stage) => {
      stage.of(before);
      await stage.done('player', area.playBotMatch, { reports: true });
    },
  );

  const shown = step(
    'bot-match-shown',
    [area.botMatchStatus, area.playBotMatch],
    clauses.shown,
    'the match against bots is shown',
    async (stage) => {
      stage.of(played);
      const { botMatches } = stage.of(before);
      const changed = await stage.hasChanged('player', botMatches, area.botMatchStatus);
      stage.expect(changed, 'another status after the match', 'the same as before it', botMatches.exchange);
      stage.worked(area.playBotMatch);
    },
  );

  step(
    'bot-match-own',
    [area.botMatchStatus, area.playBotMatch],
    clauses.own,
    "another player's status stays as it was",
    async (stage) => {
      stage.of(shown);
      const after = await stage.snapshot('other', area.botMatchStatus);
      stage.expect(
        await stage.isStill(stage.of(before).othersBotMatches, after),
        "the other player's status as it was",
        'another one',
        after.exchange,
      );
    },
  );

  const reported = step(
    'onboarding-step',
    [area.updateProgress],
    clauses.called,
    'a player reports a step of the onboarding',
    async (stage) => {
      stage.of(before);
      await stage.done('player', area.updateProgress);
    },
  );

  step(
    'onboarding-shown',
    [area.get, area.updateProgress],
    anyState,
    'whether a step that was reported in its plain form moves the onboarding on',
    async (stage) => {
      stage.of(reported);
      const moved = await stage.changed('player', stage.of(before).own, area.get);
      stage.observe(moved ? 'it does' : 'it does not', moved?.exchange);
    },
  );

  step(
    'onboarding-own',
    [area.get, area.updateProgress],
    clauses.own,
    "another player's onboarding stays as it was",
    async (stage) => {
      stage.of(reported);
      const after = await stage.snapshot('other', area.get);
      stage.expect(
        await stage.isStill(stage.of(before).others, after),
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
    'whether rewards that are reconciled twice are told alike',
    async (stage) => {
      stage.of(before);
      const first = await stage.snapshot('player', area.reconcileRewards);
      const second = await stage.snapshot('player', area.reconcileRewards);
      stage.observe(stage.differs(first, second) ? 'they differ' : 'alike', second.exchange);
    },
  );
}
