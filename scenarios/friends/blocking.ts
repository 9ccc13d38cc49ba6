import { areas } from '../../fixtures/catalog/catalog.ts';
import { effects } from '../../fixtures/catalog/clauses/effects/effects.ts';
import { open } from '../../fixtures/catalog/clauses/open.ts';
import type { Flow } from '../../fixtures/check/flow/flow.ts';
import { adding, amongBlocked, block, naming } from './blocked.ts';
import { amongFriends, befriend } from './made.ts';

const { general, players } = areas;
const clauses = effects.friends;
const anyState = open['open.flows'];

/** Somebody is blocked, and somebody else as well. */
export function blocking(flow: Flow): void {
  const { prepare, step } = flow.scene('player', 'blocked', 'other');
  const friends = prepare('a friend who will be blocked', (stage) => befriend(stage, 'player', 'blocked'));
  const before = prepare('a look at whom they have blocked', async (stage) => {
    await stage.lookBefore('blocked', amongBlocked(stage.id('player'), 'the player'));
  });

  const blocked = step(
    'block',
    [players.block],
    clauses.called,
    'a player blocks two others',
    async (stage) => {
      await block(stage, 'other');
      await block(stage, 'blocked');
    },
  );

  const listed = step(
    'blocked-list',
    [players.blocked, players.block],
    clauses.blocked,
    'who was blocked is in the list of who is blocked',
    async (stage) => {
      stage.of(blocked);
      // A view of blocks may name friends too, so ask first about the one who is no friend: only a block can show them.
      await stage.sees('player', amongBlocked(stage.id('other'), 'who was blocked'));
      await stage.sees('player', amongBlocked(stage.id('blocked'), 'the friend who was blocked'));
    },
  );

  step(
    'blocked-other-side',
    [players.blocked, players.block],
    clauses.own,
    'who was blocked has not blocked in turn',
    async (stage) => {
      stage.of(before);
      stage.of(listed);
      const view = amongBlocked(stage.id('player'), 'who blocked them');
      await stage.seesNot('blocked', { ...view, beside: stage.id('blocked'), outsider: true });
    },
  );

  step(
    'blocked-friend',
    [players.friends, players.block],
    anyState,
    'whether a friend who was blocked is still a friend',
    async (stage) => {
      stage.of(friends);
      stage.of(listed);
      const view = amongFriends(stage.id('player'), stage.id('blocked'), 'the friend who was blocked');
      stage.observe((await stage.comes('player', view, 'gone')) ? 'no longer listed' : 'still listed');
    },
  );

  step(
    'blocked-adds',
    [players.addFriend, players.block],
    anyState,
    'what who was blocked and adds the player as a friend is answered',
    async (stage) => {
      stage.of(listed);
      await stage.observeAnswer('blocked', players.addFriend, adding(stage));
    },
  );

  step(
    'blocked-presence',
    [general.richPresence, players.block],
    anyState,
    'what who was blocked and asks for the presence of the player is answered',
    async (stage) => {
      stage.of(listed);
      const params = { playerId: stage.id('player') };
      await stage.observeAnswer('blocked', general.richPresence, { params });
    },
  );

  step('block-again', [players.block], anyState, 'what blocking again is answered', async (stage) => {
    stage.of(listed);
    await stage.observeAnswer('player', players.block, naming(stage, players.block, 'blocked'));
  });
}
