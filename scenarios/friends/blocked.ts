// Whom a player keeps away: how that is said, and where it shows.
import { areas } from '../../fixtures/catalog/catalog.ts';
import type { Ask } from '../../fixtures/check/evidence/ask.ts';
import type { Stage } from '../../fixtures/check/flow/stage.ts';
import { unlessStopped } from '../../fixtures/check/flow/stop.ts';
import type { View } from '../../fixtures/check/flow/view.ts';

const { players } = areas;

type Role = 'player' | 'blocked' | 'other';

/** Who is blocked by whoever looks. */
export const amongBlocked = (value: string, what: string): View => ({
  operation: players.blocked,
  value,
  among: true,
  what,
});

/** The player blocks, or unblocks, once more. */
export const naming = (
  stage: Stage<Role>,
  operation: typeof players.block | typeof players.unblock,
  other: Role,
): Ask => stage.said('player', operation, { carry: { 'other.id': stage.id(other) } });

/** Who was blocked adds the player as a friend. */
export const adding = (stage: Stage<Role>): Ask =>
  stage.said('blocked', players.addFriend, { carry: { 'other.id': stage.id('player') } });

/** Blocks somebody; whom an earlier run left blocked is unblocked first. */
export async function block(stage: Stage<Role>, other: Role): Promise<void> {
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
