import { areas } from '../../fixtures/catalog/catalog.ts';
import { effects } from '../../fixtures/catalog/clauses/effects/effects.ts';
import { open } from '../../fixtures/catalog/clauses/open.ts';
import type { Flow } from '../../fixtures/check/flow/flow.ts';
import { mentions } from '../../fixtures/check/flow/mentions.ts';
import type { Stage } from '../../fixtures/check/flow/stage.ts';
import type { View } from '../../fixtures/check/flow/view.ts';

const { players } = areas;
const clauses = effects.match;
const anyState = open['open.flows'];

type Role = 'player' | 'met' | 'stranger';

/** With whom one played recently. */
export function meeting(flow: Flow): void {
  const { prepare, step } = flow.scene('player', 'met', 'stranger');
  const apart = prepare('a stranger who has not met them', async (stage) => {
    if (
      mentions(
        await stage.put('stranger', players.recentlyPlayed, amongMet(stage, 'stranger', 'met')),
        stage.id('met'),
      )
    )
      stage.cannotTell('needs-state', 'the stranger has met them in an earlier run');
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
      const list = await stage.observeAnswer('met', players.recentlyPlayed, amongMet(stage, 'met', 'player'));
      stage.observe(mentions(list, stage.id('player')) ? 'both are told' : 'one is told', list);
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
      await stage.seesNot('stranger', amongMet(stage, 'stranger', 'met'));
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

/** The players that one met: asked with a body where the profile gives one. */
const amongMet = (stage: Stage<Role>, role: Role, other: Role): View => ({
  ...stage.said(role, players.recentlyPlayed),
  operation: players.recentlyPlayed,
  value: stage.id(other),
  what: `the ${other}`,
  by: role,
});
