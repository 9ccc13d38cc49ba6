import { areas } from '../../fixtures/catalog/catalog.ts';
import { effects } from '../../fixtures/catalog/clauses/effects/effects.ts';
import { open } from '../../fixtures/catalog/clauses/open.ts';
import type { Flow } from '../../fixtures/check/flow/flow.ts';
import { statusOf } from '../../fixtures/client/exchange.ts';
import { add, addBack, amongFriends } from './made.ts';

const { players } = areas;
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
