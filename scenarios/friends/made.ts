import { areas } from '../../catalog/catalog.ts';
import type { Stage } from '../../engine/flow/step-context.ts';
import { unlessStopped } from '../../engine/flow/stop.ts';
import type { View } from '../../engine/flow/views.ts';
import type { Exchange } from '../../engine/http/exchange.ts';

const { players } = areas;

/** The friends of a player, where somebody stands among them. */
export const amongFriends = (ownerId: string, value: string, what: string): View => ({
  operation: players.friends,
  params: { playerId: ownerId },
  selectedBy: 'platform',
  value,
  among: true,
  what,
});

/** Adds somebody as a friend; whom an earlier run left in the list goes first. */
export async function add<Role extends string>(
  stage: Stage<Role>,
  role: NoInfer<Role>,
  other: NoInfer<Role>,
): Promise<void> {
  const id = stage.id(other);
  const named = { carry: { 'other.id': id } };
  const view = amongFriends(stage.id(role), id, `the ${other}`);
  if (await stage.lookBefore(role, view)) {
    // They may as well be suggested there, or have asked: then there is nobody to remove.
    await stage.done(role, players.removeFriend, { ...named, untilGone: view }).catch(unlessStopped);
    await stage.comes(role, view, 'gone');
    await stage.lookBefore(role, view);
  }
  await stage.done(role, players.addFriend, named);
  stage.later(role, players.removeFriend, named);
}

/** Where friendship takes both, the other wants it too; where one is enough, this may be refused. */
export async function addBack<Role extends string>(
  stage: Stage<Role>,
  role: NoInfer<Role>,
  other: NoInfer<Role>,
): Promise<Exchange> {
  const back = stage.said(role, players.addFriend, { carry: { 'other.id': stage.id(other) } });
  return stage.put(role, players.addFriend, back);
}

/** Two who added one another, and stand in the first one's list. */
export async function befriend<Role extends string>(
  stage: Stage<Role>,
  role: NoInfer<Role>,
  other: NoInfer<Role>,
): Promise<void> {
  await add(stage, role, other);
  await addBack(stage, other, role);
  await stage.sees(role, amongFriends(stage.id(role), stage.id(other), `the ${other}`));
  stage.worked(players.addFriend);
}
