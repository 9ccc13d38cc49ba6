// Checks the last seat of a party: of several players who come in at one moment, no more join than fit, whether they
// asked or were invited.
import { party } from '../../catalog/areas/party.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import { type Round, race } from '../../engine/attack/race.ts';
import type { RoleCall } from '../../engine/flow/attack-context.ts';
import type { Flow } from '../../engine/flow/flow.ts';
import { placesOf } from '../../engine/flow/places.ts';
import type { StepContext } from '../../engine/flow/step-context.ts';
import { ignoreStop } from '../../engine/flow/why-refused.ts';
import { type Exchange, isSuccess } from '../../engine/http/exchange.ts';
import { amongMembers, invitation, letIn, makeOneOfMany } from '../party/make-party.ts';
import { limitsIn } from '../party/size-limit.ts';

/** A party that takes more players than this counts as one without a limit. */
const largest = 8;

/** How many people of a round a view names, by place in the answer. */
type Listed = Readonly<Record<string, number>>;

interface Seats {
  /** How many players are in the party by their own views. */
  readonly own: number;
  /** The lists in the views of the players who are in the party, the leader's first. */
  readonly views: readonly Listed[];
}

interface Room {
  /** How many fit into a party. */
  readonly size: number;
  /** Whether a player who asks to join is in the party at once, so that nobody has to accept them. */
  readonly isOpen: boolean;
}

/** Finds the size of a party, from the leader's view or by filling one, and whether it lets players in at once. */
async function roomOf(context: StepContext): Promise<Room> {
  const people = Array.from({ length: largest + 1 }, (_, at) => `member ${at + 1}`);
  const [leader = '', first = '', ...others] = people;
  await context.recruit(leader, first);
  const partyId = await makeOneOfMany(context, leader);
  const limits = limitsIn(await context.send(leader, party.details), context.id(leader));
  const [stated = 0] = limits;
  const asked = await context.sendLikeliest(first, party.join, { params: { playerId: context.id(leader) } });
  const member = amongMembers(context, first, leader, 'who asked');
  const isOpen = isSuccess(asked) && context.shows(leader, member, await context.send(leader, party.details));
  if (limits.length === 1 && stated <= largest) return { size: stated, isOpen };
  if (context.means.attacksBriefly)
    context.cannotTell('budget', 'not exercised: filling parties takes long; --attack on does it');
  const letsIn = (other: string) => letIn(context, partyId, [leader, other]).then(() => true, ignoreStop);
  if (!isOpen && !(await letsIn(first))) return { size: 1, isOpen };
  for (const [at, other] of others.entries()) {
    await context.recruit(other);
    if (!(await letsIn(other))) return { size: at + 2, isOpen };
  }
  return context.cannotTell('needs-state', `not exercised: a party takes more than ${largest} players`);
}

interface Door {
  readonly partyId: string;
  readonly leader: string;
  readonly role: string;
}

/** How a player comes in: what is done before, and the call that lets them in. */
interface Way {
  /** How many players come in at one moment. */
  readonly racers: number;
  readonly before: (context: StepContext, door: Door) => Promise<unknown>;
  readonly call: (context: StepContext, door: Door) => RoleCall;
}

const asks = (context: StepContext, { leader }: Door) => ({ params: { playerId: context.id(leader) } });

const accepted: Way = {
  racers: 3,
  before: (context, door) => context.mustSucceed(door.role, party.join, asks(context, door)),
  call: (context, { partyId, leader, role }) => ({
    role: leader,
    operation: party.acceptJoin,
    ask: { params: { partyId, playerId: context.id(role) } },
  }),
};

const joining: Way = {
  racers: 3,
  before: async () => undefined,
  call: (context, door) => ({ role: door.role, operation: party.join, ask: asks(context, door) }),
};

const invited: Way = {
  racers: 2,
  before: (context, { partyId, leader, role }) =>
    context.mustSucceed(leader, party.invite, {
      params: { partyId },
      carry: { 'other.id': context.id(role) },
    }),
  call: (context, { partyId, leader, role }) => ({
    role,
    operation: party.acceptInvite,
    ask: invitation(context, partyId, leader),
  }),
};

function listed(view: Exchange, ids: readonly string[]): Listed {
  const counts: Record<string, number> = {};
  for (const id of ids)
    for (const place of placesOf(view, id).keys()) counts[place] = (counts[place] ?? 0) + 1;
  return counts;
}

/**
 * The places in which the leader's view lists members: they named one more once the first player was let in. Players
 * who only asked stand elsewhere. A place that names more than fit once others were refused is a log.
 */
function placesOfMembers(
  { before, after }: { readonly before: Seats; readonly after: Seats },
  afterControl: Seats,
  most: number,
): readonly string[] {
  const [was = {}, is = {}, last = {}] = [before, after, afterControl].map(
    ({ views: [leaders = {}] }) => leaders,
  );
  const isOfMembers = (place: string) => (is[place] ?? 0) > (was[place] ?? 0) && (last[place] ?? 0) <= most;
  return Object.keys(is).filter(isOfMembers);
}

/** Several come in that way at one moment, into parties that have one seat left. */
async function raceForSeat(context: StepContext, most: number, way: Way): Promise<void> {
  if (most < 2) context.cannotTell('needs-state', 'not exercised: a party takes nobody besides its leader');
  const parties = new Map<number, string>();
  const partOf = ({ nth, people }: Round) => {
    const [leader = '', ...others] = people;
    const partyId = parties.get(nth) ?? '';
    const racing = others.slice(most - 2).map((role) => ({ partyId, leader, role }));
    return { leader, members: others.slice(0, most - 2), racing };
  };
  await race<Seats>(context, {
    // Each round begins as the control did.
    onlyEndCounts: true,
    mostCalls: way.racers,
    people: (calls) => most - 1 + Math.min(way.racers, calls),
    async begin(round) {
      const { leader, members } = partOf(round);
      const partyId = await makeOneOfMany(context, leader);
      parties.set(round.nth, partyId);
      for (const role of members) {
        await way.before(context, { partyId, leader, role });
        const call = way.call(context, { partyId, leader, role });
        await context.mustSucceed(call.role, call.operation, call.ask);
      }
      for (const door of partOf(round).racing) await way.before(context, door);
    },
    calls: (round) => partOf(round).racing.map((door) => way.call(context, door)),
    async state(round) {
      // Players who were let in before the race are in, whatever comes of it.
      const { leader, members, racing } = partOf(round);
      const partyId = parties.get(round.nth) ?? '';
      const asking = [leader, ...racing.map(({ role }) => role)];
      const views = await Promise.all(asking.map((role) => context.send(role, party.details)));
      const inside = views.filter((view) => isSuccess(view) && context.mentions(view, partyId));
      const ids = round.people.map(context.id);
      return { own: inside.length + members.length, views: inside.map((view) => listed(view, ids)) };
    },
    broken({ before, after, firstCall, afterControl, onlyFirstDone, acknowledged }) {
      if (after.own > most) return `${after.own} players are in a party of ${most}`;
      const places = afterControl ? placesOfMembers(firstCall, afterControl, most) : [];
      const seenBy = ({ views }: Seats) =>
        views.map((view) => Math.max(0, ...places.map((place) => view[place] ?? 0)));
      const fullest = Math.max(0, ...seenBy(after));
      if (fullest > most) return `a member's view lists ${fullest} players in a party of ${most}`;
      if (!onlyFirstDone) return undefined;
      const were = `${acknowledged.length} were acknowledged`;
      const came = after.own - before.own;
      if (acknowledged.length > came) return `${were}, and ${came} of them in the party`;
      const listedMore = (seenBy(after)[0] ?? 0) - (seenBy(before)[0] ?? 0);
      return places.length > 0 && acknowledged.length > listedMore
        ? `${were}, and the leader's view lists ${listedMore} of them`
        : undefined;
    },
  });
}

/** Finds out the room once for both steps. */
const room = (context: StepContext): Promise<Room> =>
  context.shared('how many fit into a party', () => roomOf(context));

export function lastSeat(flow: Flow): void {
  flow
    .scenario()
    .step(
      'last-seat',
      [party.acceptJoin, party.join, party.details],
      effects.races.seats,
      'of players who are let into a party at one moment, no more than fit are in it, and all who were acknowledged',
      async (context) => {
        const { size, isOpen } = await room(context);
        return raceForSeat(context, size, isOpen ? joining : accepted);
      },
    );

  flow
    .scenario()
    .step(
      'last-seat-invited',
      [party.acceptInvite, party.details],
      effects.races.seats,
      'of invited players who come into a party at one moment, no more than fit are in it, and all who were acknowledged',
      async (context) => raceForSeat(context, (await room(context)).size, invited),
    );
}
