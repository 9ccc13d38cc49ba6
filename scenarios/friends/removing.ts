// Checks that a friend who is removed disappears from the list, and that nobody else does.
import { areas } from '../../catalog/catalog.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import { waitForCopies } from '../../engine/compare/noise.ts';
import type { Flow } from '../../engine/flow/flow.ts';
import { doneForTwo, expectBoth } from '../../engine/flow/two-at-once.ts';
import { add, addBack, amongFriends, befriend, endEarlierFriendship } from './make-friends.ts';

const { general, players } = areas;
const clauses = effects.friends;

/** One of two friends is removed. */
export function removing(flow: Flow): void {
  const { prepare, step } = flow.scenario('player', 'friend', 'other');
  const others = ['friend', 'other'] as const;

  const together = prepare('one call adds two friends', async (context) => {
    for (const other of others) await endEarlierFriendship(context, 'player', other);
    const done = await doneForTwo(context, 'player', {
      operation: players.addFriend,
      name: 'other.id',
      ids: [context.id('friend'), context.id('other')],
      has: (nth) =>
        context.eventually('player', amongFriends(context, 'player', others[nth], `the ${others[nth]}`)),
      alone: (nth) => add(context, 'player', others[nth]),
    });
    for (const other of others)
      context.addTeardown('player', players.removeFriend, { carry: { 'other.id': context.id(other) } });
    return done;
  });

  step(
    'add-two',
    [players.friends, players.addFriend],
    clauses.listed,
    "two players whom one call adds are both in the player's list of friends",
    async (context) => expectBoth(context, context.resultOf(together), 'are in the list of friends'),
  );

  const friends = prepare('two friends', async (context) => {
    const { had } = context.resultOf(together);
    let areShown = false;
    for (const [nth, other] of others.entries()) {
      if (!had[nth] && !areShown) areShown = await befriend(context, 'player', other);
      else {
        // The step `both-listed` checks that the list shows this one beside the other.
        if (!had[nth]) await add(context, 'player', other);
        await addBack(context, other, 'player');
        areShown = true;
      }
    }
    // A lagging replica may still show a request where a friend stands now.
    if (had.some(Boolean)) await waitForCopies(context);
    return areShown;
  });

  step(
    'both-listed',
    [players.friends, players.addFriend],
    clauses.listed,
    'a player with two friends sees both in the list',
    async (context) => {
      if (!context.resultOf(friends)) context.notTriggered('the list shows no friend');
      for (const other of others)
        await context.sees('player', amongFriends(context, 'player', other, `the ${other}`));
    },
  );

  const removed = friends.step(
    'remove',
    [players.removeFriend],
    clauses.called,
    'a player removes a friend',
    async (context) => {
      const carry = { 'other.id': context.id('friend') };
      const untilGone = amongFriends(context, 'player', 'friend', 'the friend who was removed');
      await context.mustSucceed('player', players.removeFriend, { carry, untilGone });
    },
  );

  removed.step(
    'removed-view',
    [players.friends, players.removeFriend],
    clauses.removed,
    "the removed friend is no longer in the player's list",
    async (context) => {
      const view = amongFriends(context, 'player', 'friend', 'the friend who was removed');
      await context.seesNot('player', { ...view, fellow: context.id('other') });
    },
  );

  removed.step(
    'removed-others-stay',
    [players.friends, players.removeFriend],
    clauses.removed,
    "the other friend is still in the player's list",
    async (context) => {
      if (!context.resultOf(friends))
        context.cannotTell('needs-state', `${players.friends.id} did not show the other friend`);
      const view = amongFriends(context, 'player', 'other', 'the other friend');
      await context.stillSees('player', view);
    },
  );

  removed.observe(
    'removed-other-side',
    [players.friends, players.removeFriend],
    'whether the removed friend still has the player in the list of friends',
    async (context) => {
      const view = amongFriends(context, 'friend', 'player', 'the player');
      context.observe(
        (await context.eventually('friend', view, 'gone')) ? 'no longer listed' : 'still listed',
      );
    },
  );

  removed.observe(
    'removed-info',
    [players.friendInfo, players.removeFriend],
    'how the server answers a lookup of a removed friend',
    (context) =>
      context.observeAnswer('player', players.friendInfo, {
        params: { playerId: context.id('friend') },
      }),
  );

  removed.observe(
    'removed-presence',
    [general.richPresence, players.removeFriend],
    "how the server answers when a removed friend asks for the player's presence",
    (context) =>
      context.observeAnswer('friend', general.richPresence, {
        params: { playerId: context.id('player') },
      }),
  );

  removed.observe(
    'remove-again',
    [players.removeFriend],
    'how the server answers when a player removes a removed friend again',
    (context) =>
      context.observeLikeliest('player', players.removeFriend, {
        carry: { 'other.id': context.id('friend') },
      }),
  );

  const removedTogether = prepare('one call removes two friends', async (context) => {
    const view = (nth: 0 | 1) =>
      amongFriends(context, 'player', others[nth], `the ${others[nth]} who was removed with another`);
    context.resultOf(removed);
    await befriend(context, 'player', 'friend');
    // A lagging replica may still show that the friend was removed before.
    await waitForCopies(context);
    const listedIn = await context.stillSees('player', view(1));
    return doneForTwo(context, 'player', {
      listedIn,
      operation: players.removeFriend,
      name: 'other.id',
      ids: [context.id('friend'), context.id('other')],
      has: (nth) => context.eventually('player', view(nth), 'gone'),
    });
  });

  step(
    'remove-two',
    [players.friends, players.removeFriend],
    clauses.removed,
    "two friends whom one call removes are no longer in the player's list of friends",
    async (context) =>
      expectBoth(context, context.resultOf(removedTogether), 'are gone from the list of friends'),
  );
}
