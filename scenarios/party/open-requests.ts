// Checks that a request to join, or an invitation, is no longer listed as open once it was accepted.
import { party } from '../../catalog/areas/party.ts';
import { placesOf } from '../../engine/flow/places.ts';
import { pollAnswered } from '../../engine/flow/polling.ts';
import type { StepContext } from '../../engine/flow/step-context.ts';
import { type Exchange, isSuccess } from '../../engine/http/exchange.ts';
import { inParty } from './make-party.ts';

type Context = StepContext<'leader' | 'friend' | 'other'>;

/** The entries of lists that name a player and not the leader, as JSON, by path. */
function openIn(context: Context, view: Exchange, role: 'friend' | 'other'): ReadonlyMap<string, string> {
  if (!isSuccess(view)) return new Map();
  const leaders = placesOf(view, context.id('leader'));
  const entries = [...placesOf(view, context.id(role))].filter(
    ([path, { listed }]) => listed && !leaders.has(path),
  );
  return new Map(entries.map(([path, { entry }]) => [path, JSON.stringify(entry ?? null)]));
}

/** The leader's view while the friend waits to be let in; undefined where the friend is in the party already. */
export async function whileOpen(context: Context, partyId: string): Promise<Exchange | undefined> {
  const own = await context.send('friend', party.details);
  return context.shows('friend', inParty(partyId, 'the party'), own)
    ? undefined
    : context.send('leader', party.details);
}

/**
 * Expects that the leader's view no longer lists what was open, now that the friend was let in.
 * @param open the leader's view meanwhile
 * @param withdrawn does the same for the other player, and takes it back: a list that still names them then is a history
 */
export async function expectAnswered(
  context: Context,
  open: Exchange | undefined,
  withdrawn: () => Promise<unknown>,
): Promise<void> {
  const before = open && openIn(context, open, 'friend');
  if (!before?.size) return context.notTriggered("the leader's view lists nobody who waits to be let in");
  const left = (view: Exchange) =>
    [...openIn(context, view, 'friend')].find(([path, entry]) => before.get(path) === entry);
  const { last } = await pollAnswered(
    () => context.send('leader', party.details),
    (view) => left(view) === undefined,
  );
  const [path, entry] = left(last) ?? [];
  if (path === undefined) return;
  await withdrawn();
  const { holds } = await pollAnswered(
    () => context.send('leader', party.details),
    (view) => !openIn(context, view, 'other').has(path),
  );
  if (!holds) return context.notTriggered(`${path} also lists who no longer waits`);
  context.expect(false, 'no entry of a player who was let in', `${entry} at ${path}, as before`, last);
}
