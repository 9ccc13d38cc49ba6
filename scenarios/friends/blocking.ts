// Whom a player keeps away: how that is said, and where it shows.
import { areas } from '../../catalog/catalog.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import { open } from '../../catalog/clauses/open.ts';
import type { Flow } from '../../engine/flow/flow.ts';
import type { Stage } from '../../engine/flow/step-context.ts';
import { unlessStopped } from '../../engine/flow/stop.ts';
import type { View } from '../../engine/flow/views.ts';
import type { Ask } from '../../engine/http/ask.ts';
import { amongFriends, befriend } from './made.ts';

const { players, general } = areas;

type Role = 'player' | 'blocked' | 'other';

/** Who is blocked by whoever looks. */
const amongBlocked = (value: string, what: string): View => ({
  operation: players.blocked,
  value,
  among: true,
  what,
});

/** The player blocks, or unblocks, once more. */
const naming = (
  stage: Stage<Role>,
  operation: typeof players.block | typeof players.unblock,
  other: Role,
): Ask => stage.said('player', operation, { carry: { 'other.id': stage.id(other) } });

/** Who was blocked adds the player as a friend. */
const adding = (stage: Stage<Role>): Ask =>
  stage.said('blocked', players.addFriend, { carry: { 'other.id': stage.id('player') } });

/** Blocks somebody; whom an earlier run left blocked is unblocked first. */
async function block(stage: Stage<Role>, other: Role): Promise<void> {
  const carry = { 'other.id': stage.id(other) };
  const view = amongBlocked(stage.id(other), `the ${other}`);
  if (await stage.lookBefore('player', view)) {
    await stage.done('player', players.unblock, { carry, untilGone: view }).catch(unlessStopped);
    await stage.comes('player', view, 'gone');
    await stage.lookBefore('player', view);
  }
  await stage.done('player', players.block, { carry, until: view });
  stage.later('player', players.unblock, { carry });
}

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

const unblockingAnyState = open['open.flows'];

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
    unblockingAnyState,
    'what unblocking who is not blocked is answered',
    async (stage) => {
      stage.of(unblocked);
      await stage.observeAnswer('player', players.unblock, naming(stage, players.unblock, 'blocked'));
    },
  );

  step(
    'unblocked-adds',
    [players.addFriend, players.unblock],
    unblockingAnyState,
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
