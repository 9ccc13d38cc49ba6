// Checks that friends who add one another appear in both lists, and that lists sync.
import { areas } from '../../catalog/catalog.ts';
import { ofOthers } from '../../catalog/clauses/clause.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import type { Flow } from '../../engine/flow/flow.ts';
import { placesOf } from '../../engine/flow/places.ts';
import type { StepContext } from '../../engine/flow/step-context.ts';
import { answerLeaves, isSuccess, statusOf } from '../../engine/http/exchange.ts';
import { noSuchId } from '../../engine/values/nonexistent.ts';
import { makeParty } from '../party/make-party.ts';
import { add, addBack, amongFriends, areFriends, friendsOf, pendingIn } from './make-friends.ts';

const { party, players } = areas;
const clauses = effects.friends;

/** Names of the fields in which a look-up says whom it is about. */
const subject = /^(?:player|user|account|friend|profile)?_?id$/i;

/** Two players become friends; an outsider's view must not change. */
export function adding(flow: Flow): void {
  const { prepare, step, observe } = flow.scenario('player', 'friend', 'outsider');

  const apart = prepare('the list of an outsider before', (context) =>
    context.sampleBefore('outsider', amongFriends(context, 'outsider', 'friend', 'the friend')),
  );

  observe(
    'stranger-info',
    [players.friendInfo],
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

  added.observe(
    'add-back',
    [players.addFriend, players.friends],
    'whether both players must add one another, and how the server answers the second',
    async (context) => {
      const view = amongFriends(context, 'player', 'friend', 'the friend');
      const isListed = await context.eventually('player', view);
      const list = isListed ? await friendsOf(context, 'player') : undefined;
      const isPending = list !== undefined && pendingIn(list, context.id('friend')) !== undefined;
      const takes = isListed && !isPending ? 'one is enough' : 'one is not enough';
      const back = await addBack(context, 'friend', 'player');
      context.observe(`${takes}; adding back is answered ${statusOf(back)}`, back);
    },
  );

  const listed = added.step(
    'listed',
    [players.friends, players.addFriend],
    clauses.listed,
    "the friend whom a player added is in the player's list of friends",
    async (context) => {
      // An entry on the other side shows that the list is read rightly, and that the target understood the body.
      if (await context.eventually('friend', amongFriends(context, 'friend', 'player', 'the player')))
        context.confirmBody(players.addFriend);
      await context.sees('player', amongFriends(context, 'player', 'friend', 'the friend'));
      context.confirmBody(players.addFriend);
    },
  );

  added.step(
    'listed-other-side',
    [players.friends, players.addFriend],
    clauses.listed,
    'the added friend, who added the player back, has the player in the list of friends',
    async (context) => {
      await context.sees('friend', amongFriends(context, 'friend', 'player', 'the player'));
      await expectFriends(context);
    },
  );

  apart.step(
    'stranger-own-list',
    [players.friends],
    ofOthers(clauses.own, 'mixed up'),
    "an outsider's list of friends does not show the friend",
    async (context) => {
      context.resultOf(listed);
      const view = amongFriends(context, 'outsider', 'friend', 'the friend');
      await context.seesNot('outsider', { ...view, outsider: true });
    },
  );

  listed.observe(
    'stranger-reads-list',
    [players.friends],
    "what an outsider sees in another player's list of friends",
    async (context) => {
      const params = { playerId: context.id('player') };
      const read = await context.observeAnswer('outsider', players.friends, { params });
      const view = amongFriends(context, 'player', 'friend', 'the friend');
      const isShown = context.shows('outsider', view, read);
      const who = isShown ? 'who they are' : 'not who they are';
      context.noteOutsider(players.friends, isShown, read);
      context.observe(`${statusOf(read)}, ${who}`, read);
    },
  );

  listed.step(
    'info',
    [players.friendInfo, players.addFriend],
    clauses.told,
    'a player looks up a friend',
    async (context) => {
      const [own, friend] = [context.id('player'), context.id('friend')];
      const params = { playerId: friend };
      const shown = await context.sees('player', {
        operation: players.friendInfo,
        params,
        what: 'the friend',
      });
      // Another field may name the player who asked for the friendship.
      const isAsWhoAsks = answerLeaves(shown).some(({ name, value }) => subject.test(name) && value === own);
      context.expect(
        !isAsWhoAsks || context.mentions(shown, friend),
        "the friend's id, where it names a player",
        'the id of the player who asks',
        shown,
      );
    },
  );

  listed.step(
    'info-in-party',
    [players.friendInfo, party.create],
    clauses.told,
    'a player looks up a friend who is in a party',
    async (context) => {
      const id = context.id('friend');
      const view = { operation: players.friendInfo, params: { playerId: id }, what: 'the friend' };
      const shown = await context.send('player', players.friendInfo, { params: view.params });
      if (!isSuccess(shown) || !context.mentions(shown, id))
        context.notTriggered(`${players.friendInfo.id} does not name the friend`);
      await makeParty(context, 'friend');
      await context.sees('player', { ...view, value: id });
    },
  );

  listed.observe(
    'add-unknown',
    [players.addFriend],
    'how the server answers when a player adds somebody who does not exist',
    async (context) => {
      const named = { carry: { 'other.id': noSuchId(context.id('friend')) } };
      const answer = await context.observeLikeliest('player', players.addFriend, named);
      if (isSuccess(answer)) context.addTeardown('player', players.removeFriend, named);
    },
  );

  listed.observe(
    'add-again',
    [players.addFriend],
    'how the server answers when a player adds the same friend again',
    (context) =>
      context.observeLikeliest('player', players.addFriend, { carry: { 'other.id': context.id('friend') } }),
  );

  listed.observe(
    'add-oneself',
    [players.addFriend],
    'how the server answers when a player adds themselves',
    async (context) => {
      const named = { carry: { 'other.id': context.id('player') } };
      const answer = await context.observeLikeliest('player', players.addFriend, named);
      if (isSuccess(answer)) context.addTeardown('player', players.removeFriend, named);
    },
  );
}

/**
 * Expects that the friend's list, as the player reads it, is not the player's own: one that names the friend as that
 * list does, and not the player. A server may hide the lists of others, or show only mutual friends.
 */
async function expectFriends(context: StepContext<'player' | 'friend' | 'outsider'>): Promise<void> {
  const [player, friend] = [context.id('player'), context.id('friend')];
  const own = await context.send('player', players.friends, { params: { playerId: player } });
  const others = await context.send('player', players.friends, { params: { playerId: friend } });
  if (!isSuccess(own) || !isSuccess(others)) return;
  const owners = placesOf(own, player);
  const entries = [...placesOf(own, friend)].flatMap(([path, { listed }]) =>
    listed && !owners.has(path) ? [path] : [],
  );
  const names = (id: string) => entries.some((path) => placesOf(others, id).has(path));
  context.expect(
    !names(friend) || names(player),
    'the list of the friend, read by the player, is not that of the player',
    'it names the friend, and not the player',
    others,
  );
}

/** A list of friends is brought up to date. */
export function syncing(flow: Flow): void {
  const { prepare, step } = flow.scenario('player', 'friend');
  const friends = prepare('two friends', areFriends);

  const synced = step(
    'sync',
    [players.syncFriends],
    effects.friends.called,
    'a player synchronizes the list of friends',
    (context) => context.mustSucceed('player', players.syncFriends),
  );

  synced.observe(
    'synced-list',
    [players.friends, players.syncFriends],
    'whether synchronizing with no friends named leaves the list as it was',
    async (context) => {
      if (!context.resultOf(friends))
        context.cannotTell('needs-state', 'no two players could be made friends');
      const params = { playerId: context.id('player') };
      const list = await context.observeAnswer('player', players.friends, { params });
      const view = amongFriends(context, 'player', 'friend', 'the friend');
      context.observe(context.shows('player', view, list) ? 'friends stay' : 'friends are gone', list);
    },
  );
}
