// Steps that several friend scenarios share: add a friend, add back, and read the list.
import { areas } from '../../catalog/catalog.ts';
import { unlessStopped } from '../../engine/flow/refusal.ts';
import type { StepContext } from '../../engine/flow/step-context.ts';
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

/** Adds a player as a friend; one that an earlier run left in the list is removed first. */
export async function add<Role extends string>(
  context: StepContext<Role>,
  role: NoInfer<Role>,
  other: NoInfer<Role>,
): Promise<void> {
  const id = context.id(other);
  const named = { carry: { 'other.id': id } };
  const view = amongFriends(context.id(role), id, `the ${other}`);
  if (await context.sampleBefore(role, view)) {
    // The player may only be suggested there, or have asked; then there is no friend to remove.
    await context.done(role, players.removeFriend, { ...named, untilGone: view }).catch(unlessStopped);
    await context.comes(role, view, 'gone');
    await context.sampleBefore(role, view);
  }
  await context.done(role, players.addFriend, named);
  context.later(role, players.removeFriend, named);
}

/** Adds the first player in return, for targets where friendship takes both; elsewhere this may be refused. */
export async function addBack<Role extends string>(
  context: StepContext<Role>,
  role: NoInfer<Role>,
  other: NoInfer<Role>,
): Promise<Exchange> {
  const back = context.likeliestAsk(role, players.addFriend, { carry: { 'other.id': context.id(other) } });
  return context.put(role, players.addFriend, back);
}

/** Two players who added one another; the first one's list shows the second. */
export async function befriend<Role extends string>(
  context: StepContext<Role>,
  role: NoInfer<Role>,
  other: NoInfer<Role>,
): Promise<void> {
  await add(context, role, other);
  await addBack(context, other, role);
  await context.sees(role, amongFriends(context.id(role), context.id(other), `the ${other}`));
  context.worked(players.addFriend);
}
