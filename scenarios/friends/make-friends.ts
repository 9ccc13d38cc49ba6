// Makes friends of players, as the scenarios of friends, of isolation and of races need them.
import { players } from '../../catalog/areas/players.ts';
import type { Operation } from '../../catalog/operation.ts';
import { placesOf } from '../../engine/flow/places.ts';
import type { StepContext } from '../../engine/flow/step-context.ts';
import type { View } from '../../engine/flow/views.ts';
import { ignoreStop } from '../../engine/flow/why-refused.ts';
import { type Exchange, isSuccess } from '../../engine/http/exchange.ts';
import { leavesOf } from '../../engine/values/json-walk.ts';

/** The view of a player's list of friends that has to show this friend. */
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
  inList: true,
  what,
});

const pendingWords = new Set('pending requested request requests sent outgoing invited awaiting'.split(' '));
const longestWord = 40;

/** The value by which a list says that a player was asked and has not answered: `pending`, `REQUEST_SENT`. */
export function pendingIn(answer: Exchange, friend: string): string | undefined {
  const values = [...placesOf(answer, friend).values()].flatMap(({ entry }) =>
    leavesOf(entry ?? null).flatMap(({ value }) => (typeof value === 'string' ? [value] : [])),
  );
  return values.find(
    (value) =>
      value.length <= longestWord &&
      value
        .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
        .toLowerCase()
        .split(/[^a-z]+/)
        .some((word) => pendingWords.has(word)),
  );
}

/** The answer of a player's own list of friends. */
export const friendsOf = <Role extends string>(context: StepContext<Role>, owner: NoInfer<Role>) =>
  context.send(owner, players.friends, { params: { playerId: context.id(owner) } });

/** Removes a player whom an earlier run left in a list, where that can be done. */
export async function removeLeftover<Role extends string>(
  context: StepContext<Role>,
  role: NoInfer<Role>,
  other: NoInfer<Role>,
  { view, by }: { readonly view: View; readonly by: Operation },
): Promise<void> {
  if (!(await context.sampleBefore(role, view))) return;
  const named = { carry: { 'other.id': context.id(other) } };
  await context.mustSucceed(role, by, { ...named, untilGone: view }).catch(ignoreStop);
  await context.eventually(role, view, 'gone');
  await context.sampleBefore(role, view);
}

/** Removes a friend whom an earlier run left in the list; a player who is only suggested, or has asked, may stay. */
export const endEarlierFriendship = <Role extends string>(
  context: StepContext<Role>,
  role: NoInfer<Role>,
  other: NoInfer<Role>,
): Promise<void> =>
  removeLeftover(context, role, other, {
    view: amongFriends(context, role, other, `the ${other}`),
    by: players.removeFriend,
  });

/** Adds a player as a friend; one that an earlier run left in the list is removed first. */
export async function add<Role extends string>(
  context: StepContext<Role>,
  role: NoInfer<Role>,
  other: NoInfer<Role>,
): Promise<void> {
  const named = { carry: { 'other.id': context.id(other) } };
  await endEarlierFriendship(context, role, other);
  await context.mustSucceed(role, players.addFriend, named);
  context.addTeardown(role, players.removeFriend, named);
}

/** Adds the first player in return, for targets where friendship takes both; elsewhere this may be refused. */
export async function addBack<Role extends string>(
  context: StepContext<Role>,
  role: NoInfer<Role>,
  other: NoInfer<Role>,
): Promise<Exchange> {
  const named = { carry: { 'other.id': context.id(other) } };
  const answer = await context.sendLikeliest(role, players.addFriend, named);
  if (isSuccess(answer)) context.addTeardown(role, players.removeFriend, named);
  return answer;
}

/** Makes two players add one another. Returns whether the first one's list shows the second; false without a list. */
export async function befriend<Role extends string>(
  context: StepContext<Role>,
  role: NoInfer<Role>,
  other: NoInfer<Role>,
): Promise<boolean> {
  await add(context, role, other);
  await addBack(context, other, role);
  if ((await context.routed(players.friends)).served !== true) return false;
  await context.sees(role, amongFriends(context, role, other, `the ${other}`));
  context.confirmBody(players.addFriend);
  return true;
}

/** Whether two players could be made friends, for steps that can do without. */
export const areFriends = async (context: StepContext<'player' | 'friend'>): Promise<boolean> =>
  (await befriend(context, 'player', 'friend').then(() => true, ignoreStop)) ?? false;
