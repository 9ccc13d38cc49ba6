import { areas } from '../../fixtures/catalog/catalog.ts';
import { effects } from '../../fixtures/catalog/clauses/effects/effects.ts';
import { open } from '../../fixtures/catalog/clauses/open.ts';
import type { Flow } from '../../fixtures/check/flow/flow.ts';
import { adding, amongBlocked, block, naming } from './blocked.ts';
import { befriend } from './made.ts';

const { players } = areas;
const clauses = effects.friends;
const anyState = open['open.flows'];

/** One of two who are blocked is let in again. */
export function unblocking(flow: Flow): void {
  const { prepare, step } = flow.scene('player', 'blocked', 'other');
  const friends = prepare('two friends', (stage) => befriend(stage, 'player', 'blocked'));
  const listed = prepare('two who are blocked', async (stage) => {
    await block(stage, 'other');
    await block(stage, 'blocked');
    await stage.sees('player', amongBlocked(stage.id('blocked'), 'who was blocked'));
    await stage.sees('player', amongBlocked(stage.id('other'), 'who was blocked as well'));
  });

  const unblocked = step(
    'unblock',
    [players.unblock],
    clauses.called,
    'a player lets somebody in again who was blocked',
    async (stage) => {
      stage.of(listed);
      const untilGone = amongBlocked(stage.id('blocked'), 'who was unblocked');
      await stage.done('player', players.unblock, { carry: { 'other.id': stage.id('blocked') }, untilGone });
    },
  );

  step(
    'unblocked-list',
    [players.blocked, players.unblock],
    clauses.unblocked,
    'who was unblocked is no longer in the list of who is blocked',
    async (stage) => {
      stage.of(unblocked);
      const view = amongBlocked(stage.id('blocked'), 'who was unblocked');
      await stage.seesNot('player', { ...view, beside: stage.id('other') });
    },
  );

  step(
    'unblocked-others-stay',
    [players.blocked, players.unblock],
    clauses.blocked,
    'who was not unblocked is still in the list of who is blocked',
    async (stage) => {
      stage.of(unblocked);
      await stage.stillSees('player', amongBlocked(stage.id('other'), 'who was not unblocked'));
    },
  );

  step(
    'unblock-again',
    [players.unblock],
    anyState,
    'what unblocking who is not blocked is answered',
    async (stage) => {
      stage.of(unblocked);
      await stage.observeAnswer('player', players.unblock, naming(stage, players.unblock, 'blocked'));
    },
  );

  step(
    'unblocked-adds',
    [players.addFriend, players.unblock],
    anyState,
    'what who was unblocked and adds the player as a friend is answered',
    async (stage) => {
      stage.of(friends);
      stage.of(unblocked);
      const named = { carry: { 'other.id': stage.id('player') } };
      stage.later('blocked', players.removeFriend, named);
      await stage.observeAnswer('blocked', players.addFriend, adding(stage));
    },
  );
}
