// Checks that a request to join, or an invitation, is no longer listed as open once it was accepted.
import { party } from '../../catalog/areas/party.ts';
import { placesOf } from '../../engine/flow/places.ts';
import { pollAnswered } from '../../engine/flow/polling.ts';
import { textInOneOrder } from '../../engine/flow/snapshot.ts';
import type { StepContext } from '../../engine/flow/step-context.ts';
import { type Exchange, isSuccess } from '../../engine/http/exchange.ts';
import { inParty } from './make-party.ts';

type Context = StepContext<'leader' | 'friend' | 'other'>;

/** The entries of lists that name a player and not the leader, as JSON with their fields in one order, by path. */
function openIn(context: Context, view: Exchange, role: 'friend' | 'other'): ReadonlyMap<string, string> {
  if (!isSuccess(view)) return new Map();
  const leaders = placesOf(view, context.id('leader'));
  const entries = [...placesOf(view, context.id(role))].filter(
    ([path, { listed }]) => listed && !leaders.has(path),
  );
  return new Map(entries.map(([path, { entry }]) => [path, textInOneOrder(entry ?? null)]));
}

/** The leader's view while the friend waits to be let in; undefined where the friend is in the party already. */
export async function whileOpen(context: Context, partyId: string): Promise<Exchange | undefined> {
  const own = await context.send('friend', party.details);
  return context.shows('friend', inParty(partyId, 'the party'), own)
    ? undefined
    : context.send('leader', party.details);
}

/** What another player's request, or invitation, is made and taken back with. */
interface Control {
  readonly open: () => Promise<unknown>;
  readonly withdraw: () => Promise<unknown>;
}

/**
 * Expects that the leader's view no longer lists what was open, now that the friend was let in.
 * @param open the leader's view meanwhile
 * @param control does the same for the other player: a list that still names them once it was taken back is a history
 */
export async function expectAnswered(
  context: Context,
  open: Exchange | undefined,
  control: Control,
): Promise<void> {
  const before = open && openIn(context, open, 'friend');
  if (!before?.size) return context.notTriggered("the leader's view lists nobody who waits to be let in");
  const pollView = (holds: (view: Exchange) => boolean) =>
    pollAnswered(() => context.send('leader', party.details), holds);
  const left = (view: Exchange) =>
    [...openIn(context, view, 'friend')].find(([path, entry]) => before.get(path) === entry);
  const { last } = await pollView((view) => left(view) === undefined);
  const [path, entry] = left(last) ?? [];
  if (path === undefined) return;
  const listsOther = (view: Exchange) => openIn(context, view, 'other').has(path);
  await control.open();
  if (!(await pollView(listsOther)).holds) return context.notTriggered(`${path} does not list who waits`);
  await control.withdraw();
  if (!(await pollView((view) => !listsOther(view))).holds)
    return context.notTriggered(`${path} also lists who no longer waits`);
  context.expect(false, 'no entry of a player who was let in', `${entry} at ${path}, as before`, last);
}
