// Checks the last seat of a party: of several players who are admitted at one moment, no more join than fit.
import { party } from '../../catalog/areas/party.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import { type Round, race } from '../../engine/attack/race.ts';
import type { Flow } from '../../engine/flow/flow.ts';
import { placesOf } from '../../engine/flow/places.ts';
import { ignoreStop } from '../../engine/flow/refusal.ts';
import type { StepContext } from '../../engine/flow/step-context.ts';
import { type Exchange, isSuccess } from '../../engine/http/exchange.ts';
import { letIn, makeOneOfMany } from '../party/make-party.ts';

/** A party of more than so many is taken for one without a size. */
const largest = 8;
const racers = 4;

/** Where a view names how many of the people of a round, by place. */
type Listed = Readonly<Record<string, number>>;

interface Seats {
  /** How many are in the party by their own view. */
  readonly own: number;
  /** What those who are in see, the leader first. */
  readonly views: readonly Listed[];
}

/** How many fit into a party: members are let in one by one until one is refused. */
async function sizeOf(context: StepContext): Promise<number> {
  if (context.attacksBriefly)
    context.cannotTell('budget', 'not exercised: filling parties takes long; --attack on does it');
  const people = Array.from({ length: largest + 1 }, (_, at) => `member ${at + 1}`);
  const [leader = '', ...others] = people;
  await context.recruit(leader);
  const partyId = await makeOneOfMany(context, leader);
  let size = 1;
  for (const other of others) {
    await context.recruit(other);
    const isIn = await letIn(context, partyId, [leader, other]).then(() => true, ignoreStop);
    if (!isIn) return size;
    size += 1;
  }
  return context.cannotTell('needs-state', `not exercised: a party takes more than ${largest} players`);
}

function listed(view: Exchange, ids: readonly string[]): Listed {
  const counts: Record<string, number> = {};
  for (const id of ids)
    for (const place of placesOf(view, id).keys()) counts[place] = (counts[place] ?? 0) + 1;
  return counts;
}

/**
 * Where the leader's view named one more once the first was let in: those who only asked stand elsewhere. A place that
 * names more than fit once others were refused is a log.
 */
function placesOfMembers(
  { before, after }: { readonly before: Seats; readonly after: Seats },
  controlEnd: Seats,
  most: number,
): readonly string[] {
  const [was = {}, is = {}, last = {}] = [before, after, controlEnd].map(
    ({ views: [leaders = {}] }) => leaders,
  );
  const isOfMembers = (place: string) => (is[place] ?? 0) > (was[place] ?? 0) && (last[place] ?? 0) <= most;
  return Object.keys(is).filter(isOfMembers);
}

export function lastSeat(flow: Flow): void {
  const { prepare } = flow.scenario();
  const size = prepare('how many fit into a party', sizeOf);

  size.step(
    'last-seat',
    [party.acceptJoin, party.details],
    effects.races.seats,
    'of players who are let into a party at one moment, no more than fit are in it, and all who were acknowledged',
    async (context, most) => {
      if (most < 2)
        context.cannotTell('needs-state', 'not exercised: a party takes nobody besides its leader');
      const parties = new Map<number, string>();
      const partOf = ({ people }: Round) => ({
        leader: people[0] ?? '',
        members: people.slice(1, most - 1),
        racing: people.slice(most - 1),
      });
      await race<Seats>(context, {
        // Each round begins as the control did.
        onlyEndCounts: true,
        people: (calls) => most - 1 + Math.min(racers, calls),
        async begin(round) {
          const { leader, members, racing } = partOf(round);
          const partyId = await makeOneOfMany(context, leader);
          parties.set(round.nth, partyId);
          for (const member of members) await letIn(context, partyId, [leader, member]);
          for (const role of racing)
            await context.done(role, party.join, { params: { playerId: context.id(leader) } });
        },
        calls: (round) => {
          const { leader, racing } = partOf(round);
          return racing.map((role) => ({
            role: leader,
            operation: party.acceptJoin,
            ask: { params: { partyId: parties.get(round.nth) ?? '', playerId: context.id(role) } },
          }));
        },
        async state({ nth, people }) {
          const views = await Promise.all(people.map((role) => context.put(role, party.details)));
          const partyId = parties.get(nth) ?? '';
          const inside = views.filter((view) => isSuccess(view) && context.mentioned(view, partyId));
          const ids = people.map(context.id);
          return { own: inside.length, views: inside.map((view) => listed(view, ids)) };
        },
        broken({ before, after, single, controlEnd, othersRefused, acknowledged }) {
          if (after.own > most) return `${after.own} players are in a party of ${most}`;
          const places = controlEnd ? placesOfMembers(single, controlEnd, most) : [];
          const seenBy = ({ views }: Seats) =>
            views.map((view) => Math.max(0, ...places.map((place) => view[place] ?? 0)));
          const fullest = Math.max(0, ...seenBy(after));
          if (fullest > most) return `a member's view lists ${fullest} players in a party of ${most}`;
          if (!othersRefused) return undefined;
          const were = `${acknowledged.length} were acknowledged`;
          const came = after.own - before.own;
          if (acknowledged.length > came) return `${were}, and ${came} of them in the party`;
          const listedMore = (seenBy(after)[0] ?? 0) - (seenBy(before)[0] ?? 0);
          return places.length > 0 && acknowledged.length > listedMore
            ? `${were}, and the leader's view lists ${listedMore} of them`
            : undefined;
        },
      });
    },
  );
}
