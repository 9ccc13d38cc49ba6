// The last seat of a party: of players who are let in at one moment, no more than fit.
import { areas } from '../../catalog/catalog.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import { type Round, race } from '../../engine/attack/race.ts';
import type { Flow } from '../../engine/flow/flow.ts';
import { unlessStopped } from '../../engine/flow/refusal.ts';
import type { StepContext } from '../../engine/flow/step-context.ts';
import { isSuccess } from '../../engine/http/exchange.ts';
import { letIn, makeParty } from '../party/made.ts';

const { party } = areas;

/** A party of more than so many is taken for one without a size. */
const largest = 8;
const racers = 4;

/** How many fit into a party: members are let in one by one until one is refused. */
async function sizeOf(context: StepContext<string>): Promise<number> {
  if (context.attacksBriefly)
    context.cannotTell('budget', 'not exercised: filling parties takes long; --attack on does it');
  const people = Array.from({ length: largest + 1 }, (_, at) => `member ${at + 1}`);
  await context.recruit(...people);
  const [leader = '', ...others] = people;
  const partyId = await makeParty(context, leader);
  let size = 1;
  for (const other of others) {
    const isIn = await letIn(context, partyId, [leader, other]).then(() => true, unlessStopped);
    if (!isIn) return size;
    size += 1;
  }
  return context.cannotTell('needs-state', `not exercised: a party takes more than ${largest} players`);
}

export function lastSeat(flow: Flow): void {
  const { prepare, step } = flow.scenario();
  const size = prepare('how many fit into a party', sizeOf);

  step(
    'last-seat',
    [party.acceptJoin, party.details],
    effects.races.seats,
    'of players who are let into a party at one moment, no more than fit are in it, and all who were acknowledged',
    async (context) => {
      const most = context.of(size);
      if (most < 2)
        context.cannotTell('needs-state', 'not exercised: a party takes nobody besides its leader');
      const parties = new Map<number, string>();
      const partOf = ({ people }: Round) => ({
        leader: people[0] ?? '',
        members: people.slice(1, most - 1),
        racing: people.slice(most - 1),
      });
      await race<number>(context, {
        people: (calls) => most - 1 + Math.min(racers, calls),
        async begin(round) {
          const { leader, members, racing } = partOf(round);
          const partyId = await makeParty(context, leader);
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
        // Who has asked to join may be named in the leader's view: a member sees the party in their own.
        async state({ nth, people }) {
          const views = await Promise.all(people.map((role) => context.put(role, party.details)));
          const partyId = parties.get(nth) ?? '';
          return views.filter((view) => isSuccess(view) && context.mentioned(view, partyId)).length;
        },
        broken({ before, after, othersRefused, acknowledged }) {
          if (after > most) return `${after} players are in a party of ${most}`;
          const came = after - before;
          if (!othersRefused || acknowledged.length <= came) return undefined;
          return `${acknowledged.length} were acknowledged, and ${came} of them in the party`;
        },
      });
    },
  );
}
