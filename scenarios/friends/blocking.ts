// Checks that blocking and unblocking a player shows in the list of blocks, and what a blocked player can do.
import { areas } from '../../catalog/catalog.ts';
import { ofOthers } from '../../catalog/clauses/clause.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import type { Operation } from '../../catalog/operation.ts';
import type { Flow } from '../../engine/flow/flow.ts';
import { placesOf } from '../../engine/flow/places.ts';
import { pollAnswered } from '../../engine/flow/polling.ts';
import { textInOneOrder } from '../../engine/flow/snapshot.ts';
import type { StepContext } from '../../engine/flow/step-context.ts';
import { doneForTwo, expectBoth } from '../../engine/flow/two-at-once.ts';
import type { View } from '../../engine/flow/views.ts';
import { type Exchange, isSuccess, statusOf } from '../../engine/http/exchange.ts';
import { befriend, friendsOf, removeLeftover } from './make-friends.ts';

const { auth, players, general } = areas;

type Role = 'player' | 'blocked' | 'other';

/** The reader's list of blocks. */
const amongBlocked = (value: string, what: string): View => ({
  operation: players.blocked,
  value,
  inList: true,
  what,
});

const naming = <Role extends string>(context: Pick<StepContext<Role>, 'id'>, other: NoInfer<Role>) => ({
  carry: { 'other.id': context.id(other) },
});

/** Unblocks a player whom an earlier run left blocked. */
const endEarlierBlock = <Role extends string>(
  context: StepContext<Role | 'player'>,
  other: NoInfer<Role>,
): Promise<void> =>
  removeLeftover(context, 'player', other, {
    view: amongBlocked(context.id(other), `the ${other}`),
    by: players.unblock,
  });

/** Blocks a player until the end of the scenario; one that an earlier run left blocked is unblocked first. */
export async function block<Role extends string>(
  context: StepContext<Role | 'player'>,
  other: NoInfer<Role>,
): Promise<void> {
  const view = amongBlocked(context.id(other), `the ${other}`);
  await endEarlierBlock(context, other);
  await context.mustSucceed('player', players.block, { ...naming(context, other), until: view });
  context.addTeardown('player', players.unblock, naming(context, other));
}

/** The player who is no friend comes first: a list of blocks may name friends too. */
const both = ['other', 'blocked'] as const;
const bothIds = ({ id }: Pick<StepContext<Role>, 'id'>) => [id('other'), id('blocked')] as const;
const viewOf = ({ id }: Pick<StepContext<Role>, 'id'>, nth: 0 | 1): View =>
  amongBlocked(id(both[nth]), `the ${both[nth]}`);

const clauses = effects.friends;

/** The reads of the player that show the blocked player among their friends, or as one who asked to be one. */
async function showingRequests(context: StepContext<Role>): Promise<ReadonlySet<Operation>> {
  const id = context.id('blocked');
  const friendList = await friendsOf(context, 'player');
  const synced = await context.sendLikeliest('player', players.syncFriends);
  const info = await context.send('player', players.friendInfo, { params: { playerId: id } });
  return new Set([
    ...(isSuccess(friendList) && context.mentions(friendList, id) ? [players.friends] : []),
    ...(isSuccess(synced) && context.mentions(synced, id) ? [players.syncFriends] : []),
    ...(isSuccess(info) ? [players.friendInfo] : []),
  ]);
}

/** The entries of a list that name this player. Former friends may be listed in a place of their own, or with a status. */
const entriesNaming = (list: Exchange, id: string): ReadonlySet<string> =>
  isSuccess(list)
    ? new Set([...placesOf(list, id)].map(([path, { entry }]) => `${path} ${textInOneOrder(entry ?? '')}`))
    : new Set();

/** Two players are blocked, one after another. */
export function blocking(flow: Flow): void {
  const { prepare, step } = flow.scenario('player', 'blocked', 'other');
  const friends = prepare('a friend who will be blocked', (context) =>
    befriend(context, 'player', 'blocked'),
  );
  const before = prepare("the friend's list of blocked players before", (context) =>
    context.sampleBefore('blocked', amongBlocked(context.id('player'), 'the player')),
  );

  const listOf = (context: StepContext<Role>) =>
    context.send('player', players.friends, { params: { playerId: context.id('player') } });

  const blocked = step(
    'block',
    [players.block],
    clauses.called,
    'a player blocks two others',
    async (context) => {
      await block(context, 'other');
      const lists = { own: await listOf(context), ofFriend: await friendsOf(context, 'blocked') };
      await block(context, 'blocked');
      return lists;
    },
  );

  const listed = blocked.step(
    'blocked-list',
    [players.blocked, players.block],
    clauses.blocked,
    "both blocked players are in the player's list of blocked players",
    async (context) => {
      // The player who is no friend comes first: only a block can show them there.
      await context.sees('player', amongBlocked(context.id('other'), 'the blocked player'));
      return context.sees('player', amongBlocked(context.id('blocked'), 'the blocked friend'));
    },
  );

  listed.step(
    'blocked-after-sign-in',
    [auth.login, players.blocked, players.block],
    effects.login.same,
    'a player who signs in again finds the players whom they blocked',
    async (context) => {
      const names = (list: Exchange) => context.mentions(list, context.id('other'));
      const before = await context.mustSucceed('player', players.blocked);
      if (!names(before)) context.cannotTell('needs-state', `${players.blocked.id} names nobody by id`);
      if (!(await context.signInAgain('player')))
        context.cannotTell('needs-state', 'the token signs in only once');
      const { last, holds } = await pollAnswered(
        () => context.send('player (session 2)', players.blocked),
        names,
      );
      if (!isSuccess(last)) context.cannotTell('needs-state', `it is answered ${statusOf(last)} then`);
      context.expect(holds, `${players.blocked.id} names the blocked player, as before`, 'it does not', last);
    },
  );

  before.step(
    'blocked-other-side',
    [players.blocked, players.block],
    ofOthers(clauses.own, 'mixed up'),
    "the blocked player's own list of blocked players does not show the player",
    async (context) => {
      context.resultOf(listed);
      const view = amongBlocked(context.id('player'), 'the player who blocked them');
      await context.seesNot('blocked', { ...view, fellow: context.id('blocked'), outsider: true });
    },
  );

  const addedBack = listed.observe(
    'blocked-adds',
    [players.addFriend, players.block],
    'how the server answers when a blocked player adds the player as a friend',
    async (context) => {
      const before = await showingRequests(context);
      const answer = await context.observeLikeliest('blocked', players.addFriend, naming(context, 'player'));
      // A target may say yes and do nothing, so that nobody learns who blocked them.
      const isShown = isSuccess(answer) && !(await showingRequests(context)).isSubsetOf(before);
      if (isShown || !isSuccess(answer)) context.noteOutsider(players.addFriend, isShown, answer);
      return isSuccess(answer);
    },
  );

  const parted = blocked.step(
    'blocked-friend',
    [players.friends, players.block],
    clauses.parted,
    'a friend who is blocked is no longer in the list of friends',
    async (context, { own: before, ofFriend }) => {
      context.resultOf(friends);
      context.resultOf(listed);
      // A block that stops no request may be a list that only clients apply.
      if (context.resultOf(addedBack)) context.notTriggered('a block keeps nobody from being added');
      const entriesIn = (list: Exchange) => entriesNaming(list, context.id('blocked'));
      const entries = entriesIn(before);
      if (entries.size === 0) context.notTriggered(`${players.friends.id} did not list the friend`);
      const { holds, last } = await pollAnswered(
        () => listOf(context),
        (list) => entries.isDisjointFrom(entriesIn(list)),
      );
      const expected = `${players.friends.id} without the blocked friend`;
      context.expect(holds, expected, 'the friend is still listed', last);
      return ofFriend;
    },
  );

  parted.step(
    'blocked-friend-other-side',
    [players.friends, players.block],
    clauses.parted,
    'the list of friends of a friend who is blocked no longer shows the player who blocked them',
    async (context, ofFriend) => {
      const before = entriesNaming(ofFriend, context.id('player'));
      if (before.size === 0) context.notTriggered("the friend's list did not show the player");
      const { holds, last } = await pollAnswered(
        () => friendsOf(context, 'blocked'),
        (list) => before.isDisjointFrom(entriesNaming(list, context.id('player'))),
      );
      context.expect(
        holds,
        'the friendship over on both sides, as on that of the player who blocked',
        'the player is still listed, as before',
        last,
      );
    },
  );

  listed.observe(
    'blocked-presence',
    [general.richPresence, players.block],
    "how the server answers when a blocked player asks for the player's presence",
    (context) =>
      context.observeAnswer('blocked', general.richPresence, { params: { playerId: context.id('player') } }),
  );

  listed.observe(
    'block-again',
    [players.block],
    'how the server answers when a player blocks the same player again',
    (context) => context.observeLikeliest('player', players.block, naming(context, 'blocked')),
  );

  const unblockedTogether = prepare('one call unblocks two players', async (context) =>
    doneForTwo(context, 'player', {
      listedIn: context.resultOf(listed),
      operation: players.unblock,
      name: 'other.id',
      ids: bothIds(context),
      has: (nth) => context.eventually('player', viewOf(context, nth), 'gone'),
    }),
  );

  step(
    'unblock-two',
    [players.blocked, players.unblock],
    clauses.unblocked,
    'two players whom one call unblocks are no longer in the list of blocked players',
    async (context) =>
      expectBoth(context, context.resultOf(unblockedTogether), 'are gone from the list of blocked players'),
  );
}

export function unblocking(flow: Flow): void {
  const { prepare, step } = flow.scenario('player', 'blocked', 'other');
  const friends = prepare('two friends', (context) => befriend(context, 'player', 'blocked'));
  const together = prepare('one call blocks two players', async (context) => {
    for (const other of both) await endEarlierBlock(context, other);
    const done = await doneForTwo(context, 'player', {
      operation: players.block,
      name: 'other.id',
      ids: bothIds(context),
      has: (nth) => context.eventually('player', viewOf(context, nth)),
      alone: (nth) => block(context, both[nth]),
    });
    for (const other of both) context.addTeardown('player', players.unblock, naming(context, other));
    return done;
  });

  step(
    'block-two',
    [players.blocked, players.block],
    clauses.blocked,
    'two players whom one call blocks are both in the list of blocked players',
    async (context) => expectBoth(context, context.resultOf(together), 'are in the list of blocked players'),
  );

  const listed = prepare('two blocked players', async (context) => {
    const { had } = context.resultOf(together);
    for (const [nth, other] of both.entries()) if (!had[nth]) await block(context, other);
    await context.sees('player', amongBlocked(context.id('blocked'), 'the blocked player'));
    await context.sees('player', amongBlocked(context.id('other'), 'the other blocked player'));
  });

  const unblocked = listed.step(
    'unblock',
    [players.unblock],
    clauses.called,
    'a player unblocks a blocked player',
    async (context) => {
      const untilGone = amongBlocked(context.id('blocked'), 'the unblocked player');
      await context.mustSucceed('player', players.unblock, { ...naming(context, 'blocked'), untilGone });
    },
  );

  unblocked.step(
    'unblocked-list',
    [players.blocked, players.unblock],
    clauses.unblocked,
    'the unblocked player is no longer in the list of blocked players',
    async (context) => {
      const view = amongBlocked(context.id('blocked'), 'the unblocked player');
      await context.seesNot('player', { ...view, fellow: context.id('other') });
    },
  );

  unblocked.step(
    'unblocked-others-stay',
    [players.blocked, players.unblock],
    clauses.blocked,
    'the player who is still blocked stays in the list of blocked players',
    (context) =>
      context.stillSees('player', amongBlocked(context.id('other'), 'the player who is still blocked')),
  );

  unblocked.observe(
    'unblock-again',
    [players.unblock],
    'how the server answers when a player unblocks an unblocked player again',
    (context) => context.observeLikeliest('player', players.unblock, naming(context, 'blocked')),
  );

  friends.observe(
    'unblocked-adds',
    [players.addFriend, players.unblock],
    'how the server answers when an unblocked player adds the player as a friend',
    async (context) => {
      context.resultOf(unblocked);
      context.addTeardown('blocked', players.removeFriend, naming(context, 'player'));
      await context.observeLikeliest('blocked', players.addFriend, naming(context, 'player'));
    },
  );
}
