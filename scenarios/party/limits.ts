// Checks how many parties a player may have, and how many members a party.
import { party } from '../../catalog/areas/party.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import type { Flow } from '../../engine/flow/flow.ts';
import type { StepContext } from '../../engine/flow/step-context.ts';
import { ignoreStop, requireAnswer } from '../../engine/flow/why-refused.ts';
import { type Exchange, isSuccess, statusOf } from '../../engine/http/exchange.ts';
import { amongMembers, invitation, makeParty } from './make-party.ts';
import { limitsIn } from './size-limit.ts';

const others = ['second', 'third', 'fourth', 'fifth'] as const;
/** Further players, for a party that says that it takes more than five. */
const further = ['sixth', 'seventh', 'eighth', 'ninth'] as const;
const mostMembers = 8;

type Role = 'leader' | (typeof others)[number];

export function limits(flow: Flow): void {
  const twice = flow.scenario('leader');
  const first = twice.prepare('a party', (context) => makeParty(context, 'leader'));
  first.observe(
    'create-again',
    [party.create],
    'how the server answers when a player in a party creates another',
    async (context, partyId) => {
      const answer = await context.observeAnswer('leader', party.create);
      const again = await context.identifier(answer, party.create, 'partyId').catch(ignoreStop);
      if (again === undefined) return;
      if (again !== partyId)
        context.addTeardown('leader', party.delete, { params: { partyId: again } }, party.leave);
      context.observe(
        `${statusOf(answer)}, ${again === partyId ? 'the same party' : 'another party'}`,
        answer,
      );
    },
  );

  const { prepare, step } = flow.scenario('leader', ...others);
  const made = prepare('a party', (context) => makeParty(context, 'leader'));

  const filled = made.observe(
    'full',
    [party.join, party.acceptJoin],
    'how many members a party takes, and how the server answers one more',
    async (context, partyId) => {
      let members = 1;
      let way: Way = 'asked';
      const [stated] = limitsIn(await context.send('leader', party.details), context.id('leader'));
      for (const role of [...others, ...further] as readonly Role[]) {
        // A party that says that it takes more than five is filled up to one more than it says.
        const isOneMore = members >= 1 + others.length;
        if (isOneMore && (stated === undefined || members > stated || stated > mostMembers)) break;
        if (isOneMore && (await context.bringIn(role)) !== undefined) break;
        let tried = await comesIn(context, partyId, role, way);
        // A private party may let in only players who are invited.
        if (!tried.isIn && members === 1) {
          const invited = await comesIn(context, partyId, role, 'invited');
          if (invited.isIn) [way, tried] = ['invited', invited];
        }
        if (!tried.isIn) {
          context.observe(`a party of ${members} takes no other: ${tried.answers}`, tried.last);
          return { members, view: tried.view, refused: role };
        }
        members += 1;
      }
      context.observe(`a party takes at least ${members} players`);
      return { members, view: await context.send('leader', party.details) };
    },
  );

  const invited = filled.observe(
    'full-invited',
    [party.invite, party.acceptInvite],
    'whether an invitation lets one more into a party that takes no other who asks to join',
    async (context, { refused, members }) => {
      if (refused === undefined) return context.notTriggered('the party took everybody who asked to join');
      const { isIn, view, first, last } = await comesIn(context, context.resultOf(made), refused, 'invited');
      requireAnswer(first);
      requireAnswer(last);
      context.observe(isIn ? 'it does' : 'it does not', last);
      return { members: members + 1, view, isIn };
    },
  );

  step(
    'full-limit',
    [party.join, party.acceptJoin, party.details],
    effects.party.limited,
    'a party has no more members than it says it takes',
    async (context) => expectWithinLimit(context, context.resultOf(filled)),
  );

  invited.step(
    'full-invited-limit',
    [party.acceptInvite, party.invite, party.details],
    effects.party.limited,
    'an invitation lets no more members into a party than it says it takes',
    async (context, { isIn, ...filled }) => {
      if (isIn) expectWithinLimit(context, filled);
    },
  );
}

type Way = 'asked' | 'invited';

/** A player asks to join and is accepted, or is invited and accepts. `isIn`: whether the leader's view lists them. */
async function comesIn(context: StepContext<Role>, partyId: string, role: Role, way: Way) {
  const carry = { 'other.id': context.id(role) };
  const [first, last] =
    way === 'asked'
      ? [
          await context.send(role, party.join, { params: { playerId: context.id('leader') } }),
          await context.send('leader', party.acceptJoin, { params: { partyId, playerId: context.id(role) } }),
        ]
      : [
          await context.sendLikeliest('leader', party.invite, { params: { partyId }, carry }),
          await context.sendLikeliest(role, party.acceptInvite, invitation(context, partyId, 'leader')),
        ];
  const member = amongMembers(context, role, 'leader', role);
  // An accepted player may show a while later.
  if (isSuccess(last)) await context.eventually('leader', member);
  const view = await context.send('leader', party.details);
  const call = way === 'asked' ? 'join' : 'invite';
  return {
    isIn: context.shows('leader', member, view),
    view,
    first,
    last,
    answers: `${call} ${statusOf(first)}, accept ${statusOf(last)}`,
  };
}

interface Filled {
  readonly members: number;
  /** The leader's view with that many members. */
  readonly view: Exchange;
}

function expectWithinLimit(context: StepContext<Role>, { members, view }: Filled): void {
  const limits = limitsIn(view, context.id('leader'));
  const [limit] = limits;
  if (limit === undefined || limits.length > 1)
    context.notTriggered(`${party.details.id} does not say how many players a party takes`);
  context.expect(members <= limit, `at most ${limit} members, as the party says`, `${members}`, view);
}
