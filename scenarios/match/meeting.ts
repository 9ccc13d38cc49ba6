import { areas } from '../../fixtures/catalog/catalog.ts';
import { effects } from '../../fixtures/catalog/clauses/effects/effects.ts';
import { open } from '../../fixtures/catalog/clauses/open.ts';
import type { Flow } from '../../fixtures/check/flow/flow.ts';
import type { Stage } from '../../fixtures/check/flow/stage.ts';
import type { View } from '../../fixtures/check/flow/view.ts';

const { players } = areas;
const clauses = effects.match;
const anyState = open['open.flows'];

type Role = 'player' | 'met' | 'stranger';

/** With whom one played recently. */
export function meeting(flow: Flow): void {
  const { prepare, step } = flow.scene('player', 'met', 'stranger');
  const apart = prepare('a look at whom a stranger met', async (stage) => {
    await stage.lookBefore('stranger', amongMet(stage, 'stranger', 'met'));
  });

  const added = step(
    'recently-played-add',
    [players.addRecentlyPlayed],
    clauses.called,
    'a player says with whom they played',
    async (stage) => {
      const carry = { 'other.id': stage.id('met') };
      await stage.done('player', players.addRecentlyPlayed, {
        carry,
        until: amongMet(stage, 'player', 'met'),
      });
    },
  );

  const listed = step(
    'recently-played',
    [players.recentlyPlayed, players.addRecentlyPlayed],
    clauses.played,
    'with whom one played is among the players one met',
    async (stage) => {
      stage.of(added);
      await stage.sees('player', amongMet(stage, 'player', 'met'));
    },
  );

  step(
    'recently-played-other-side',
    [players.recentlyPlayed, players.addRecentlyPlayed],
    anyState,
    'whether who was added is told with whom they played as well',
    async (stage) => {
      stage.of(listed);
      const list = await stage.observeAnswer('met', players.recentlyPlayed);
      const view = { ...amongMet(stage, 'met', 'player'), beside: stage.id('met'), outsider: true as const };
      stage.observe(stage.shows('met', view, list) ? 'both are told' : 'one is told', list);
    },
  );

  step(
    'recently-played-stranger',
    [players.recentlyPlayed],
    clauses.own,
    'who was met by one player is not among those whom a stranger met',
    async (stage) => {
      stage.of(apart);
      stage.of(listed);
      await stage.seesNot('stranger', { ...amongMet(stage, 'stranger', 'met'), outsider: true });
    },
  );

  step(
    'recently-played-again',
    [players.addRecentlyPlayed],
    anyState,
    'what adding the same player again is answered',
    async (stage) => {
      stage.of(listed);
      const carry = { 'other.id': stage.id('met') };
      const again = stage.said('player', players.addRecentlyPlayed, { carry });
      await stage.observeAnswer('player', players.addRecentlyPlayed, again);
    },
  );

  step(
    'recently-played-oneself',
    [players.addRecentlyPlayed],
    anyState,
    'what adding oneself is answered',
    async (stage) => {
      stage.of(listed);
      const carry = { 'other.id': stage.id('player') };
      const oneself = stage.said('player', players.addRecentlyPlayed, { carry });
      await stage.observeAnswer('player', players.addRecentlyPlayed, oneself);
    },
  );
}

/** The players that one met. */
const amongMet = (stage: Stage<Role>, role: Role, other: Role): View => ({
  operation: players.recentlyPlayed,
  value: stage.id(other),
  among: true,
  what: `the ${other}`,
  by: role,
});
