import { areas } from '../../fixtures/catalog/catalog.ts';
import { effects } from '../../fixtures/catalog/clauses/effects/effects.ts';
import { open } from '../../fixtures/catalog/clauses/open.ts';
import type { Flow } from '../../fixtures/check/flow/flow.ts';
import { amongFriends, befriend } from './made.ts';

const { general, players } = areas;
const clauses = effects.friends;
const anyState = open['open.flows'];

/** One of two friends is removed. */
export function removing(flow: Flow): void {
  const { prepare, step } = flow.scene('player', 'friend', 'other');
  const friends = prepare('two friends', async (stage) => {
    await befriend(stage, 'player', 'friend');
    await befriend(stage, 'player', 'other');
  });

  const removed = step(
    'remove',
    [players.removeFriend],
    clauses.called,
    'a player removes a friend',
    async (stage) => {
      stage.of(friends);
      const carry = { 'other.id': stage.id('friend') };
      const untilGone = amongFriends(stage.id('player'), stage.id('friend'), 'the friend who was removed');
      await stage.done('player', players.removeFriend, { carry, untilGone });
    },
  );

  step(
    'removed-view',
    [players.friends, players.removeFriend],
    clauses.removed,
    'a friend who was removed is no longer in the list',
    async (stage) => {
      stage.of(removed);
      const view = amongFriends(stage.id('player'), stage.id('friend'), 'the friend who was removed');
      await stage.seesNot('player', { ...view, beside: stage.id('other') });
    },
  );

  step(
    'removed-others-stay',
    [players.friends, players.removeFriend],
    clauses.removed,
    'a friend who was not removed is still in the list',
    async (stage) => {
      stage.of(removed);
      const view = amongFriends(stage.id('player'), stage.id('other'), 'the other friend');
      await stage.stillSees('player', view);
    },
  );

  step(
    'removed-other-side',
    [players.friends, players.removeFriend],
    anyState,
    'whether a friend who was removed still has the other in the list',
    async (stage) => {
      stage.of(removed);
      const view = amongFriends(stage.id('friend'), stage.id('player'), 'the player');
      stage.observe((await stage.comes('friend', view, 'gone')) ? 'no longer listed' : 'still listed');
    },
  );

  step(
    'removed-info',
    [players.friendInfo, players.removeFriend],
    anyState,
    'what is answered of a friend who was removed',
    async (stage) => {
      stage.of(removed);
      await stage.observeAnswer('player', players.friendInfo, { params: { playerId: stage.id('friend') } });
    },
  );

  step(
    'removed-presence',
    [general.richPresence, players.removeFriend],
    anyState,
    'what a friend who was removed is answered when asking for the presence',
    async (stage) => {
      stage.of(removed);
      await stage.observeAnswer('friend', general.richPresence, { params: { playerId: stage.id('player') } });
    },
  );

  step(
    'remove-again',
    [players.removeFriend],
    anyState,
    'what removing who is no friend any more is answered',
    async (stage) => {
      stage.of(removed);
      const carry = { 'other.id': stage.id('friend') };
      const again = stage.said('player', players.removeFriend, { carry });
      await stage.observeAnswer('player', players.removeFriend, again);
    },
  );
}
