// Checks players who join and leave a party at one moment: each member is in it once, and all members see one another.
import { party } from '../../catalog/areas/party.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import { type Round, race } from '../../engine/attack/race.ts';
import type { RoleCall } from '../../engine/flow/attack-context.ts';
import type { Flow } from '../../engine/flow/flow.ts';
import { placesOf } from '../../engine/flow/places.ts';
import type { StepContext } from '../../engine/flow/step-context.ts';
import { isSuccess } from '../../engine/http/exchange.ts';
import { makeOneOfMany } from '../party/make-party.ts';

const clauses = effects.races;
/** A party of one player, to which another one is invited. */
interface Pair {
  readonly leader: string;
  readonly friend: string;
  readonly partyId: string;
}

/** The parties of each round, one for every two people. */
function partiesByRound(context: StepContext) {
  const made = new Map<number, readonly Pair[]>();
  const invite = async (leader: string, friend: string): Promise<Pair> => {
    const partyId = await makeOneOfMany(context, leader);
    const carry = { 'other.id': context.id(friend) };
    await context.mustSucceed(leader, party.invite, { params: { partyId }, carry });
    // Where the leader has left, the party is the friend's.
    context.addTeardown(friend, party.leave);
    return { leader, friend, partyId };
  };
  return {
    of: ({ nth }: Round) => made.get(nth) ?? [],
    async begin({ nth, people }: Round): Promise<void> {
      const pairs: Pair[] = [];
      for (let at = 0; at + 1 < people.length; at += 2)
        pairs.push(await invite(people[at] as string, people[at + 1] as string));
      made.set(nth, pairs);
    },
  };
}

const accept = (context: StepContext, { leader, friend, partyId }: Pair): RoleCall => ({
  role: friend,
  operation: party.acceptInvite,
  ask: { params: { partyId }, offer: { 'other.id': context.id(leader) } },
});

/** How often the leader's view names the friend, by place. */
type Named = Readonly<Record<string, number>>;

async function acceptedTwice(context: StepContext): Promise<void> {
  const parties = partiesByRound(context);
  await race<Named>(context, {
    people: () => 2,
    begin: parties.begin,
    onlyEndCounts: true,
    calls: (round, most) =>
      parties.of(round).flatMap((pair) => Array.from({ length: most }, () => accept(context, pair))),
    async state({ people: [leader = '', friend = ''] }) {
      const view = await context.send(leader, party.details);
      const places = [...placesOf(view, context.id(friend))];
      return Object.fromEntries(places.map(([path, { times }]) => [path, times]));
    },
    // A place that the control did not show may be a log.
    broken({ after, firstCall }) {
      const [place] = Object.entries(after).filter(
        ([path, times]) => times > (firstCall.after[path] ?? times),
      );
      return place && `the leader's view names the member ${place[1]} times at ${place[0]}`;
    },
  });
}

/** A player who is in the party by their own view: whether the party can be read, and whom the view names. */
interface Inside {
  readonly role: string;
  readonly isThere: boolean;
  readonly sees: readonly string[];
  /** The places where the view names each player, by role. */
  readonly places: Readonly<Record<string, readonly string[]>>;
}

async function insideOf(
  context: StepContext,
  people: readonly string[],
  partyId: string,
): Promise<readonly Inside[]> {
  const found = await Promise.all(
    people.map(async (role) => {
      const view = await context.send(role, party.details);
      if (!isSuccess(view) || !context.mentions(view, partyId)) return [];
      const read = await context.send(role, party.get, { params: { partyId } });
      const sees = people.filter((other) => context.mentions(view, context.id(other)));
      const places = people.map((other) => [other, [...placesOf(view, context.id(other)).keys()]] as const);
      return [{ role, isThere: isSuccess(read), sees, places: Object.fromEntries(places) }];
    }),
  );
  return found.flat();
}

/** Most players of a round, in pairs of a leader who leaves and a friend who comes in. */
const mostPaired = 6;

async function leaderLeaves(context: StepContext): Promise<void> {
  const parties = partiesByRound(context);
  await race<readonly (readonly Inside[])[]>(context, {
    // Only some orders of the two calls can go wrong, so several parties are tried at once.
    people: (calls) => Math.min(calls, mostPaired),
    begin: parties.begin,
    onlyEndCounts: true,
    calls: (round) =>
      parties.of(round).flatMap((pair, at) => {
        const leave = { role: pair.leader, operation: party.leave, ask: { params: { disband: 'false' } } };
        return at % 2 === 0 ? [accept(context, pair), leave] : [leave, accept(context, pair)];
      }),
    state: (round) =>
      Promise.all(
        parties.of(round).map(({ leader, friend, partyId }) => insideOf(context, [leader, friend], partyId)),
      ),
    broken({ after, firstCall, afterControl }) {
      const isShownSo = firstCall.after.flat().every(({ isThere, sees }) => isThere && sees.length === 2);
      if (!isShownSo) return undefined;
      const leads = afterControl ? placesOfLeaders(firstCall.after.flat(), afterControl.flat()) : [];
      return after
        .map((inside) => unlike(inside) ?? wrongLeader(inside, leads))
        .find((why) => why !== undefined);
    },
  });
}

/** Says how the views of the players in a party contradict one another; undefined where they do not. */
function unlike(inside: readonly Inside[]): string | undefined {
  const gone = inside.find(({ isThere }) => !isThere);
  if (gone) return `${gone.role} is in a party that is gone`;
  const blind = inside.find(({ sees }) => inside.some(({ role }) => !sees.includes(role)));
  return blind && `${blind.role} is in the party and does not see who else is`;
}

/**
 * The places where views name the leader: only the leader stood there while both were in the party, and the other
 * player does once the leader has left. A place that keeps naming the player who left says who made the party.
 */
function placesOfLeaders(both: readonly Inside[], afterControl: readonly Inside[]): readonly string[] {
  const [view, [left]] = [both[0], afterControl];
  if (view === undefined || left === undefined || afterControl.length > 1) return [];
  const leader = Object.keys(view.places).find((role) => role !== left.role) ?? '';
  const of = ({ places }: Inside, role: string) => places[role] ?? [];
  return of(view, leader).filter(
    (place) =>
      !of(view, left.role).includes(place) &&
      of(left, left.role).includes(place) &&
      !of(left, leader).includes(place),
  );
}

/** Says what is wrong with the leader: nobody inside, or another one for each member; undefined where all is right. */
function wrongLeader(inside: readonly Inside[], leads: readonly string[]): string | undefined {
  for (const place of leads) {
    const leaders = inside.map(({ places }) =>
      Object.keys(places).filter((role) => places[role]?.includes(place)),
    );
    const isIn = (led: readonly string[]) => led.some((role) => inside.some((each) => each.role === role));
    const [one, ...others] = leaders.map((led) => led.join());
    if (!leaders.every(isIn)) return `nobody who is in the party leads it (${place})`;
    if (others.some((led) => led !== one)) return `those in the party do not agree who leads it (${place})`;
  }
  return undefined;
}

export function parties(flow: Flow): void {
  const step = flow.stepAlone;
  step(
    'invitation',
    [party.acceptInvite, party.details],
    clauses.member,
    'a player who accepts an invitation several times at one moment is in the party once',
    acceptedTwice,
  );
  step(
    'leader-leaves',
    [party.leave, party.acceptInvite],
    clauses.alike,
    'when a leader leaves while a friend comes in, those who are in the party see one another, and one of them leads it',
    leaderLeaves,
  );
}
