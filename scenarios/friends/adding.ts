// Checks that friends who add one another appear in both lists, that removed friends disappear, and that lists sync.
import { areas } from '../../catalog/catalog.ts';
import { ofOthers } from '../../catalog/clauses/clause.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import { open } from '../../catalog/clauses/open.ts';
import { noSuchId } from '../../engine/compare/controls.ts';
import type { Flow } from '../../engine/flow/flow.ts';
import type { View } from '../../engine/flow/polling.ts';
import { unlessStopped } from '../../engine/flow/refusal.ts';
import type { StepContext } from '../../engine/flow/step-context.ts';
import { doneForTwo, expectBoth } from '../../engine/flow/two-at-once.ts';
import { type Exchange, isSuccess, statusOf } from '../../engine/http/exchange.ts';
import { makeParty } from '../party/made.ts';

// Steps that several friend scenarios share: add a friend, add back, and read the list.

const { general, party, players } = areas;

/** The friends of a player, where somebody stands among them. */
export const amongFriends = <Role extends string>(
  { id }: Pick<StepContext<Role>, 'id'>,
  owner: NoInfer<Role>,
  friend: NoInfer<Role>,
  what: string,
): View => ({
  operation: players.friends,
  params: { playerId: id(owner) },
  selectedBy: 'platform',
  value: id(friend),
  among: true,
  what,
});

/** The answer of a player's own list of friends. */
export const friendsOf = <Role extends string>(context: StepContext<Role>, owner: NoInfer<Role>) =>
  context.put(owner, players.friends, { params: { playerId: context.id(owner) } });

/** Removes a friend whom an earlier run left in the list. */
async function apart<Role extends string>(
  context: StepContext<Role>,
  role: NoInfer<Role>,
  other: NoInfer<Role>,
): Promise<void> {
  const view = amongFriends(context, role, other, `the ${other}`);
  if (!(await context.sampleBefore(role, view))) return;
  const named = { carry: { 'other.id': context.id(other) } };
  // The player may only be suggested there, or have asked; then there is no friend to remove.
  await context.done(role, players.removeFriend, { ...named, untilGone: view }).catch(unlessStopped);
  await context.comes(role, view, 'gone');
  await context.sampleBefore(role, view);
}

/** Adds a player as a friend; one that an earlier run left in the list is removed first. */
export async function add<Role extends string>(
  context: StepContext<Role>,
  role: NoInfer<Role>,
  other: NoInfer<Role>,
): Promise<void> {
  const named = { carry: { 'other.id': context.id(other) } };
  await apart(context, role, other);
  await context.done(role, players.addFriend, named);
  context.later(role, players.removeFriend, named);
}

/** Adds the first player in return, for targets where friendship takes both; elsewhere this may be refused. */
export async function addBack<Role extends string>(
  context: StepContext<Role>,
  role: NoInfer<Role>,
  other: NoInfer<Role>,
): Promise<Exchange> {
  const named = { carry: { 'other.id': context.id(other) } };
  const answer = await context.put(
    role,
    players.addFriend,
    context.likeliestAsk(role, players.addFriend, named),
  );
  if (isSuccess(answer)) context.later(role, players.removeFriend, named);
  return answer;
}

/** Makes two players add one another, and returns whether the first one's list shows the second: a target may serve none. */
export async function befriend<Role extends string>(
  context: StepContext<Role>,
  role: NoInfer<Role>,
  other: NoInfer<Role>,
): Promise<boolean> {
  await add(context, role, other);
  await addBack(context, other, role);
  if ((await context.routed(players.friends)).served !== true) return false;
  await context.sees(role, amongFriends(context, role, other, `the ${other}`));
  context.worked(players.addFriend);
  return true;
}

/** Whether two players could be made friends: where a step does not need that, it may say more of friends. */
export const areFriends = <Role extends string>(...[context, ...two]: Parameters<typeof befriend<Role>>) =>
  befriend(context, ...two).then(
    () => true,
    (error) => {
      unlessStopped(error);
      return false;
    },
  );

const clauses = effects.friends;
const anyState = open['open.flows'];

/** Two players become friends; an outsider's view must not change. */
export function adding(flow: Flow): void {
  const { prepare, step } = flow.scenario('player', 'friend', 'outsider');

  const apart = prepare('the list of an outsider before', async (context) => {
    const view = amongFriends(context, 'outsider', 'friend', 'the friend');
    await context.sampleBefore('outsider', view);
  });

  step(
    'stranger-info',
    [players.friendInfo],
    anyState,
    'how the server answers a lookup of a player who is not a friend',
    (context) =>
      context.observeAnswer('outsider', players.friendInfo, {
        params: { playerId: context.id('friend') },
      }),
  );

  const added = step(
    'add',
    [players.addFriend],
    clauses.called,
    'a player adds a friend',
    async (context) => {
      await context.sampleBefore('friend', amongFriends(context, 'friend', 'player', 'the player'));
      await add(context, 'player', 'friend');
    },
  );

  step(
    'add-back',
    [players.addFriend, players.friends],
    anyState,
    'whether both players must add one another, and how the server answers the second',
    async (context) => {
      context.of(added);
      const view = amongFriends(context, 'player', 'friend', 'the friend');
      const takes = (await context.comes('player', view)) ? 'one is enough' : 'one is not enough';
      const back = await addBack(context, 'friend', 'player');
      context.observe(`${takes}; adding back is answered ${statusOf(back)}`, back);
    },
  );

  const listed = step(
    'listed',
    [players.friends, players.addFriend],
    clauses.listed,
    "the friend whom a player added is in the player's list of friends",
    async (context) => {
      context.of(added);
      // Where the other side has an entry since, the list is asked for rightly, and what was sent is understood.
      if (await context.comes('friend', amongFriends(context, 'friend', 'player', 'the player')))
        context.worked(players.addFriend);
      await context.sees('player', amongFriends(context, 'player', 'friend', 'the friend'));
      context.worked(players.addFriend);
    },
  );

  step(
    'listed-other-side',
    [players.friends, players.addFriend],
    clauses.listed,
    'the added friend, who added the player back, has the player in the list of friends',
    async (context) => {
      context.of(added);
      await context.sees('friend', amongFriends(context, 'friend', 'player', 'the player'));
    },
  );

  step(
    'stranger-own-list',
    [players.friends],
    ofOthers(clauses.own, 'mixed up'),
    "an outsider's list of friends does not show the friend",
    async (context) => {
      context.of(apart);
      context.of(listed);
      const view = amongFriends(context, 'outsider', 'friend', 'the friend');
      await context.seesNot('outsider', { ...view, outsider: true });
    },
  );

  step(
    'stranger-reads-list',
    [players.friends],
    anyState,
    "what an outsider sees in another player's list of friends",
    async (context) => {
      context.of(listed);
      const params = { playerId: context.id('player') };
      const read = await context.observeAnswer('outsider', players.friends, { params });
      const view = amongFriends(context, 'player', 'friend', 'the friend');
      const isShown = context.shows('outsider', view, read);
      const who = isShown ? 'who they are' : 'not who they are';
      context.observe(`${statusOf(read)}, ${who}`, read);
    },
  );

  step(
    'info',
    [players.friendInfo, players.addFriend],
    clauses.told,
    'a player looks up a friend',
    async (context) => {
      context.of(listed);
      const params = { playerId: context.id('friend') };
      await context.sees('player', { operation: players.friendInfo, params, what: 'the friend' });
    },
  );

  step(
    'info-in-party',
    [players.friendInfo, party.create],
    clauses.told,
    'a player looks up a friend who is in a party',
    async (context) => {
      context.of(listed);
      const id = context.id('friend');
      const view = { operation: players.friendInfo, params: { playerId: id }, what: 'the friend' };
      const shown = await context.put('player', players.friendInfo, { params: view.params });
      if (!isSuccess(shown) || !context.mentioned(shown, id))
        context.notTriggered(`${players.friendInfo.id} does not name the friend`);
      await makeParty(context, 'friend');
      await context.sees('player', { ...view, value: id });
    },
  );

  step(
    'add-unknown',
    [players.addFriend],
    anyState,
    'how the server answers when a player adds somebody who does not exist',
    async (context) => {
      context.of(listed);
      const named = { carry: { 'other.id': noSuchId(context.id('friend')) } };
      const nobody = context.likeliestAsk('player', players.addFriend, named);
      const answer = await context.observeAnswer('player', players.addFriend, nobody);
      if (isSuccess(answer)) context.later('player', players.removeFriend, named);
    },
  );

  step(
    'add-again',
    [players.addFriend],
    anyState,
    'how the server answers when a player adds the same friend again',
    async (context) => {
      context.of(listed);
      const again = context.likeliestAsk('player', players.addFriend, {
        carry: { 'other.id': context.id('friend') },
      });
      await context.observeAnswer('player', players.addFriend, again);
    },
  );

  step(
    'add-oneself',
    [players.addFriend],
    anyState,
    'how the server answers when a player adds themselves',
    async (context) => {
      context.of(listed);
      const named = { carry: { 'other.id': context.id('player') } };
      const oneself = context.likeliestAsk('player', players.addFriend, named);
      const answer = await context.observeAnswer('player', players.addFriend, oneself);
      if (isSuccess(answer)) context.later('player', players.removeFriend, named);
    },
  );
}

const removingAnyState = open['open.flows'];

/** One of two friends is removed. */
export function removing(flow: Flow): void {
  const { prepare, step } = flow.scenario('player', 'friend', 'other');
  const others = ['friend', 'other'] as const;

  const together = prepare('one call adds two friends', async (context) => {
    for (const other of others) await apart(context, 'player', other);
    const done = await doneForTwo(context, 'player', {
      operation: players.addFriend,
      name: 'other.id',
      ids: [context.id('friend'), context.id('other')],
      has: (nth) =>
        context.comes('player', amongFriends(context, 'player', others[nth], `the ${others[nth]}`)),
      alone: (nth) => add(context, 'player', others[nth]),
    });
    for (const other of others)
      context.later('player', players.removeFriend, { carry: { 'other.id': context.id(other) } });
    return done;
  });

  step(
    'add-two',
    [players.friends, players.addFriend],
    clauses.listed,
    "two players whom one call adds are both in the player's list of friends",
    async (context) => expectBoth(context, context.of(together), 'are in the list of friends'),
  );

  const friends = prepare('two friends', async (context) => {
    const { had } = context.of(together);
    let areShown = false;
    for (const [nth, other] of others.entries()) {
      if (had[nth]) {
        await addBack(context, other, 'player');
        await context.sees('player', amongFriends(context, 'player', other, `the ${other}`));
      }
      areShown = had[nth] || (await befriend(context, 'player', other));
    }
    return areShown;
  });

  const removed = step(
    'remove',
    [players.removeFriend],
    clauses.called,
    'a player removes a friend',
    async (context) => {
      context.of(friends);
      const carry = { 'other.id': context.id('friend') };
      const untilGone = amongFriends(context, 'player', 'friend', 'the friend who was removed');
      await context.done('player', players.removeFriend, { carry, untilGone });
    },
  );

  step(
    'removed-view',
    [players.friends, players.removeFriend],
    clauses.removed,
    "the removed friend is no longer in the player's list",
    async (context) => {
      context.of(removed);
      const view = amongFriends(context, 'player', 'friend', 'the friend who was removed');
      await context.seesNot('player', { ...view, beside: context.id('other') });
    },
  );

  step(
    'removed-others-stay',
    [players.friends, players.removeFriend],
    clauses.removed,
    "the other friend is still in the player's list",
    async (context) => {
      context.of(removed);
      if (!context.of(friends))
        context.cannotTell('needs-state', `${players.friends.id} did not show the other friend`);
      const view = amongFriends(context, 'player', 'other', 'the other friend');
      await context.stillSees('player', view);
    },
  );

  step(
    'removed-other-side',
    [players.friends, players.removeFriend],
    removingAnyState,
    'whether the removed friend still has the player in the list of friends',
    async (context) => {
      context.of(removed);
      const view = amongFriends(context, 'friend', 'player', 'the player');
      context.observe((await context.comes('friend', view, 'gone')) ? 'no longer listed' : 'still listed');
    },
  );

  step(
    'removed-info',
    [players.friendInfo, players.removeFriend],
    removingAnyState,
    'how the server answers a lookup of a removed friend',
    async (context) => {
      context.of(removed);
      await context.observeAnswer('player', players.friendInfo, {
        params: { playerId: context.id('friend') },
      });
    },
  );

  step(
    'removed-presence',
    [general.richPresence, players.removeFriend],
    removingAnyState,
    "how the server answers when a removed friend asks for the player's presence",
    async (context) => {
      context.of(removed);
      await context.observeAnswer('friend', general.richPresence, {
        params: { playerId: context.id('player') },
      });
    },
  );

  step(
    'remove-again',
    [players.removeFriend],
    removingAnyState,
    'how the server answers when a player removes a removed friend again',
    async (context) => {
      context.of(removed);
      const carry = { 'other.id': context.id('friend') };
      const again = context.likeliestAsk('player', players.removeFriend, { carry });
      await context.observeAnswer('player', players.removeFriend, again);
    },
  );

  const removedTogether = prepare('one call removes two friends', async (context) => {
    const view = (nth: 0 | 1) =>
      amongFriends(context, 'player', others[nth], `the ${others[nth]} who was removed with another`);
    context.of(removed);
    await befriend(context, 'player', 'friend');
    const listedIn = await context.stillSees('player', view(1));
    return doneForTwo(context, 'player', {
      listedIn,
      operation: players.removeFriend,
      name: 'other.id',
      ids: [context.id('friend'), context.id('other')],
      has: (nth) => context.comes('player', view(nth), 'gone'),
      alone: (nth) =>
        context.done('player', players.removeFriend, { carry: { 'other.id': context.id(others[nth]) } }),
    });
  });

  step(
    'remove-two',
    [players.friends, players.removeFriend],
    clauses.removed,
    "two friends whom one call removes are no longer in the player's list of friends",
    async (context) => expectBoth(context, context.of(removedTogether), 'are gone from the list of friends'),
  );
}

/** A list of friends is brought up to date. */
export function syncing(flow: Flow): void {
  const { prepare, step } = flow.scenario('player', 'friend');
  const friends = prepare('two friends', (context) => areFriends(context, 'player', 'friend'));

  const synced = step(
    'sync',
    [players.syncFriends],
    effects.friends.called,
    'a player synchronizes the list of friends',
    (context) => context.done('player', players.syncFriends),
  );

  step(
    'synced-list',
    [players.friends, players.syncFriends],
    open['open.flows'],
    'whether synchronizing with no friends named leaves the list as it was',
    async (context) => {
      context.of(synced);
      if (!context.of(friends)) context.cannotTell('needs-state', 'no two players could be made friends');
      const params = { playerId: context.id('player') };
      const list = await context.observeAnswer('player', players.friends, { params });
      const view = amongFriends(context, 'player', 'friend', 'the friend');
      context.observe(context.shows('player', view, list) ? 'friends stay' : 'friends are gone', list);
    },
  );
}
