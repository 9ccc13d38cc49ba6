// Puts into words what the owner's side shows of a thing that others act on.
import { party } from '../../catalog/areas/party.ts';
import type { Operation } from '../../catalog/operation.ts';
import { placesOf } from '../../engine/flow/places.ts';
import { textInOneOrder } from '../../engine/flow/snapshot.ts';
import type { BodyAsk, StepContext } from '../../engine/flow/step-context.ts';
import type { Ask } from '../../engine/http/ask.ts';
import { type Exchange, isRefusal, isSuccess, jsonValue, statusOf } from '../../engine/http/exchange.ts';
import { friendsOf } from '../friends/make-friends.ts';

const absent = (answer: Exchange) => isRefusal(answer) && statusOf(answer) !== 429;

/** Says whether the player's own view shows the party; undefined where the view is not answered. */
export async function membership(
  context: StepContext,
  role: string,
  partyId: string,
): Promise<string | undefined> {
  const view = await context.send(role, party.details);
  if (isSuccess(view))
    return context.mentions(view, partyId) ? 'they are in the party' : 'they are in no such party';
  return absent(view) ? 'they are in no such party' : undefined;
}

/** A call that carries the value. Of guessed bodies, the one is taken after which the caller's read shows the value. */
export const askCarrying = (value: string, read: Operation, ask: Ask = {}): BodyAsk => ({
  carry: { value },
  until: { ...ask, operation: read, value, what: 'what was written' },
});

/** Says which of the values that were sent the player reads; undefined where the read is not answered. */
export async function valuesShown(
  context: StepContext,
  role: string,
  read: Operation,
  values: readonly string[],
  ask: Ask = {},
): Promise<string | undefined> {
  const view = await context.send(role, read, ask);
  if (!isSuccess(view) && !absent(view)) return undefined;
  const shown = isSuccess(view) ? values.filter((value) => context.mentions(view, value)) : [];
  return shown.length === 0 ? 'nothing that was sent' : shown.join(', ');
}

/** Says where the list names the player: a former friend may still stand there, in another place. */
function named(context: StepContext, view: Exchange, role: string): string | undefined {
  if (!isSuccess(view)) return absent(view) ? 'no list' : undefined;
  const places = [...placesOf(view, context.id(role))].map(([path, { times }]) => `${path} (${times})`);
  return places.length === 0 ? 'the player is not in the list' : `the player at ${places.sort().join(', ')}`;
}

/** Says where an owner's list names another player. */
export type Listed = (context: StepContext, owner: string, other: string) => Promise<string | undefined>;

export const listedIn =
  (read: Operation): Listed =>
  async (context, owner, other) =>
    named(context, await context.send(owner, read), other);

export const listedAsFriend: Listed = async (context, owner, other) =>
  named(context, await friendsOf(context, owner), other);

/** All that a read shows; undefined where it is not answered. @param gone what to return where the thing is absent */
export function allShown(view: Exchange, gone: string): string | undefined {
  if (!isSuccess(view)) return absent(view) ? gone : undefined;
  const value = jsonValue(view);
  return value === undefined ? undefined : textInOneOrder(value);
}
