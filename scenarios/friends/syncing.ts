import { areas } from '../../fixtures/catalog/catalog.ts';
import { effects } from '../../fixtures/catalog/clauses/effects/effects.ts';
import { open } from '../../fixtures/catalog/clauses/open.ts';
import type { Flow } from '../../fixtures/check/flow/flow.ts';
import { amongFriends, befriend } from './made.ts';

const { players } = areas;

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
