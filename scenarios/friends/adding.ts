import { areas } from '../../catalog/catalog.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import { open } from '../../catalog/clauses/open.ts';
import type { Flow } from '../../engine/flow/flow.ts';
import { statusOf } from '../../engine/http/exchange.ts';
import { add, addBack, amongFriends, befriend } from './made.ts';

const { players, general } = areas;
const clauses = effects.friends;
const anyState = open['open.flows'];

/** Two become friends, and a stranger looks on. */
export function adding(flow: Flow): void {
  const { prepare, step } = flow.scene('player', 'friend', 'stranger');

  const apart = prepare('a look at the list of a stranger', async (stage) => {
    const view = amongFriends(stage.id('stranger'), stage.id('friend'), 'the friend');
    await stage.lookBefore('stranger', view);
  });

  step(
    'stranger-info',
    [players.friendInfo],
    anyState,
    'what is answered of a player who is no friend',
    async (stage) => {
      await stage.observeAnswer('stranger', players.friendInfo, {
        params: { playerId: stage.id('friend') },
      });
    },
  );

  const added = step('add', [players.addFriend], clauses.called, 'a player adds a friend', (stage) =>
    add(stage, 'player', 'friend'),
  );

  step(
    'add-back',
    [players.addFriend, players.friends],
    anyState,
    'whether friendship takes both, and what adding back is answered',
    async (stage) => {
      stage.of(added);
      const view = amongFriends(stage.id('player'), stage.id('friend'), 'the friend');
      const takes = (await stage.comes('player', view)) ? 'one is enough' : 'one is not enough';
      const back = await addBack(stage, 'friend', 'player');
      stage.observe(`${takes}; adding back is answered ${statusOf(back)}`, back);
    },
  );

  const listed = step(
    'listed',
    [players.friends, players.addFriend],
    clauses.listed,
    'who was added is in the list of friends',
    async (stage) => {
      stage.of(added);
      await stage.sees('player', amongFriends(stage.id('player'), stage.id('friend'), 'the friend'));
      stage.worked(players.addFriend);
    },
  );

  step(
    'listed-other-side',
    [players.friends, players.addFriend],
    clauses.listed,
    'who was added, and added back, has the other in the list of friends',
    async (stage) => {
      stage.of(added);
      await stage.sees('friend', amongFriends(stage.id('friend'), stage.id('player'), 'the player'));
    },
  );

  step(
    'stranger-own-list',
    [players.friends],
    clauses.own,
    "a friend is in no stranger's list",
    async (stage) => {
      stage.of(apart);
      stage.of(listed);
      const view = amongFriends(stage.id('stranger'), stage.id('friend'), 'the friend');
      await stage.seesNot('stranger', { ...view, outsider: true });
    },
  );

  step(
    'stranger-reads-list',
    [players.friends],
    anyState,
    "what a stranger is told of another player's friends",
    async (stage) => {
      stage.of(listed);
      const params = { playerId: stage.id('player') };
      const read = await stage.observeAnswer('stranger', players.friends, { params });
      const view = amongFriends(stage.id('player'), stage.id('friend'), 'the friend');
      const who = stage.shows('stranger', view, read) ? 'who they are' : 'not who they are';
      stage.observe(`${statusOf(read)}, ${who}`, read);
    },
  );

  step(
    'info',
    [players.friendInfo, players.addFriend],
    clauses.told,
    'a friend is told about a friend',
    async (stage) => {
      stage.of(listed);
      const params = { playerId: stage.id('friend') };
      await stage.sees('player', { operation: players.friendInfo, params, what: 'the friend' });
    },
  );

  step(
    'add-again',
    [players.addFriend],
    anyState,
    'what adding a friend again is answered',
    async (stage) => {
      stage.of(listed);
      const again = stage.said('player', players.addFriend, { carry: { 'other.id': stage.id('friend') } });
      await stage.observeAnswer('player', players.addFriend, again);
    },
  );

  step('add-oneself', [players.addFriend], anyState, 'what adding oneself is answered', async (stage) => {
    stage.of(listed);
    const oneself = stage.said('player', players.addFriend, { carry: { 'other.id': stage.id('player') } });
    await stage.observeAnswer('player', players.addFriend, oneself);
  });
}

const removingAnyState = open['open.flows'];

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
    removingAnyState,
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
    removingAnyState,
    'what is answered of a friend who was removed',
    async (stage) => {
      stage.of(removed);
      await stage.observeAnswer('player', players.friendInfo, { params: { playerId: stage.id('friend') } });
    },
  );

  step(
    'removed-presence',
    [general.richPresence, players.removeFriend],
    removingAnyState,
    'what a friend who was removed is answered when asking for the presence',
    async (stage) => {
      stage.of(removed);
      await stage.observeAnswer('friend', general.richPresence, { params: { playerId: stage.id('player') } });
    },
  );

  step(
    'remove-again',
    [players.removeFriend],
    removingAnyState,
    'what removing who is no friend any more is answered',
    async (stage) => {
      stage.of(removed);
      const carry = { 'other.id': stage.id('friend') };
      const again = stage.said('player', players.removeFriend, { carry });
      await stage.observeAnswer('player', players.removeFriend, again);
    },
  );
}

/** A list of friends is brought up to date. */
export function syncing(flow: Flow): void {
  const { prepare, step } = flow.scene('player', 'friend');
  const listed = prepare('two friends', (stage) => befriend(stage, 'player', 'friend'));

  const synced = step(
    'sync',
    [players.syncFriends],
    effects.friends.called,
    'a player has the list of friends brought up to date',
    async (stage) => {
      stage.of(listed);
      await stage.done('player', players.syncFriends);
    },
  );

  step(
    'synced-list',
    [players.friends, players.syncFriends],
    open['open.flows'],
    'whether bringing the list up to date with nobody leaves it as it was',
    async (stage) => {
      stage.of(synced);
      const params = { playerId: stage.id('player') };
      const list = await stage.observeAnswer('player', players.friends, { params });
      const view = amongFriends(stage.id('player'), stage.id('friend'), 'the friend');
      stage.observe(stage.shows('player', view, list) ? 'friends stay' : 'friends are gone', list);
    },
  );
}
