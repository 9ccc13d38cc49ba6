// Checks that removed members are out of a party, and what happens to it when the leader leaves or disbands it.
import { areas } from '../../catalog/catalog.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import { open } from '../../catalog/clauses/open.ts';
import { sameOutline } from '../../engine/compare/content.ts';
import type { Flow } from '../../engine/flow/flow.ts';
import { silenced } from '../../engine/flow/refusal.ts';
import type { StepContext } from '../../engine/flow/step-context.ts';
import { poll } from '../../engine/flow/views.ts';
import { type Exchange, isSuccess, statusOf } from '../../engine/http/exchange.ts';
import { Stop, violation } from '../../engine/judgement.ts';
import { amongMembers, inParty, letIn, makeParty } from './made.ts';

const { party } = areas;
const clauses = effects.party;
const anyState = open['open.flows'];

/** Removal, without a ban and with one. */
export function removing(flow: Flow): void {
  const { prepare, step } = flow.scenario('leader', 'member', 'banned');
  const made = prepare('a party of three', async (context) => {
    const partyId = await makeParty(context, 'leader');
    await letIn(context, partyId, ['leader', 'member']);
    await letIn(context, partyId, ['leader', 'banned']);
    return partyId;
  });

  const removed = step(
    'remove',
    [party.removePlayer],
    clauses.called,
    'the leader removes a member',
    async (context) => {
      const partyId = context.of(made);
      await context.done('leader', party.removePlayer, {
        params: { partyId, playerId: context.id('member') },
      });
      return partyId;
    },
  );

  const isOut = step(
    'removed-view',
    [party.details, party.removePlayer],
    clauses.left,
    "the leader's view no longer lists the removed member",
    async (context) => {
      context.of(removed);
      await context.seesNot(
        'leader',
        amongMembers(context.id('member'), context.id('leader'), 'the removed member'),
      );
    },
  );

  step(
    'removed-own-view',
    [party.details, party.removePlayer],
    clauses.left,
    "the removed member's own view no longer shows the party",
    async (context) => {
      await context.seesNot('member', inParty(context.of(removed), 'the party'));
    },
  );

  step(
    'removed-others-stay',
    [party.details, party.removePlayer],
    clauses.joined,
    "the leader's view still lists the member who was not removed",
    async (context) => {
      context.of(removed);
      await context.stillSees(
        'leader',
        amongMembers(context.id('banned'), context.id('leader'), 'the member who was not removed'),
      );
    },
  );

  step(
    'removed-joins',
    [party.join, party.removePlayer],
    anyState,
    'how the server answers when a removed member asks to join again',
    async (context) => {
      context.of(removed);
      await context.observeAnswer('member', party.join, { params: { playerId: context.id('leader') } });
    },
  );

  const banned = step(
    'remove-with-ban',
    [party.removePlayer],
    clauses.called,
    'the leader removes and bans a member',
    async (context) => {
      const partyId = context.of(made);
      const params = { partyId, playerId: context.id('banned'), ban: 'true' };
      await context.done('leader', party.removePlayer, { params });
      return partyId;
    },
  );

  const isBannedOut = step(
    'banned-view',
    [party.details, party.removePlayer],
    clauses.left,
    "the leader's view no longer lists the banned member",
    async (context) => {
      context.of(banned);
      await context.seesNot(
        'leader',
        amongMembers(context.id('banned'), context.id('leader'), 'the banned member'),
      );
    },
  );

  step(
    'banned-joins',
    [party.join, party.removePlayer],
    anyState,
    'how the server answers when a banned member asks to join',
    async (context) => {
      context.of(banned);
      await context.observeAnswer('banned', party.join, { params: { playerId: context.id('leader') } });
    },
  );

  const back = step(
    'removed-returns',
    [party.join, party.acceptJoin, party.removePlayer],
    anyState,
    'whether a removed member comes back when they ask to join and the leader accepts',
    async (context) => {
      context.of(isOut);
      const way = await wayBack(context, context.of(made), 'member');
      context.observe(way.isBack ? 'they are back' : 'they are not back', way.asked);
      return way;
    },
  );

  step(
    'banned-returns',
    [party.removePlayer, party.join, party.acceptJoin],
    clauses.banned,
    'a banned member does not come back just as one does who was only removed',
    async (context) => {
      context.of(isBannedOut);
      const unbanned = context.of(back);
      if (!unbanned.isBack) context.cannotTell('needs-state', 'no removed member comes back');
      const way = await wayBack(context, context.of(made), 'banned');
      if (!way.isBack) return;
      // How a ban shows is open: a player who gets another answer has met it, and the leader may lift it.
      if (!isSameWay(way, unbanned)) return context.note('they are back, and were answered otherwise');
      // No sentence says what a ban does, so this never fails, whatever the profile says of the calls.
      throw new Stop({
        ...violation(
          'that a ban makes some difference to who asks to join again',
          'they are answered as without it, and are back',
          way.asked,
        ),
        level: 'inferred',
      });
    },
  );

  // Uses its own party, since a target may do what the member asks.
  const pair = flow.scenario('leader', 'member');
  const led = pair.prepare('a party of two', async (context) => {
    const partyId = await makeParty(context, 'leader');
    await letIn(context, partyId, ['leader', 'member']);
    context.later('member', party.leave);
    return partyId;
  });

  pair.step(
    'member-removes',
    [party.removePlayer],
    anyState,
    'how the server answers when a member removes the leader',
    async (context) => {
      const params = { partyId: context.of(led), playerId: context.id('leader') };
      await context.observeAnswer('member', party.removePlayer, { params });
    },
  );
}

interface WayBack {
  readonly asked: Exchange;
  readonly accepted: Exchange;
  readonly isBack: boolean;
}

/** Somebody who was removed asks to join, and the leader accepts. */
async function wayBack(
  context: StepContext<'leader' | 'member' | 'banned'>,
  partyId: string,
  role: 'member' | 'banned',
): Promise<WayBack> {
  const asked = await context.put(role, party.join, { params: { playerId: context.id('leader') } });
  const params = { partyId, playerId: context.id(role) };
  const accepted = await context.put('leader', party.acceptJoin, { params });
  silenced(asked);
  silenced(accepted);
  const member = amongMembers(context.id(role), context.id('leader'), `the ${role}`);
  const mayCome = isSuccess(asked) || isSuccess(accepted);
  const isBack = mayCome
    ? await context.comes('leader', member)
    : context.shows('leader', member, await context.put('leader', party.details));
  return { asked, accepted, isBack };
}

const isSameWay = (one: WayBack, other: WayBack) =>
  statusOf(one.asked) === statusOf(other.asked) &&
  sameOutline(one.asked, other.asked) &&
  statusOf(one.accepted) === statusOf(other.accepted);

/** The status of a call that the state of the caller is in the way of. */
const conflict = 409;

/** Removal that disbands, without a ban: the member is out; what becomes of the party is open. */
export function removingWithDisband(flow: Flow): void {
  const { prepare, step } = flow.scenario('leader', 'member', 'other');
  const made = prepare('a party of three', async (context) => {
    const partyId = await makeParty(context, 'leader');
    await letIn(context, partyId, ['leader', 'member']);
    await letIn(context, partyId, ['leader', 'other']);
    await context.sees('member', inParty(partyId, 'the party'));
    return partyId;
  });

  const removed = step(
    'remove-with-disband',
    [party.removePlayer],
    clauses.called,
    'the leader removes a member and disbands',
    async (context) => {
      const partyId = context.of(made);
      const params = { partyId, playerId: context.id('member'), disband: 'true' };
      await context.done('leader', party.removePlayer, { params });
      return partyId;
    },
  );

  step(
    'disband-removed-view',
    [party.details, party.removePlayer],
    clauses.left,
    'the own view of a member who was removed with disband no longer shows the party',
    async (context) => {
      await context.seesNot('member', inParty(context.of(removed), 'the party'));
    },
  );

  step(
    'disband-ends',
    [party.details, party.removePlayer],
    anyState,
    'whether removing a member with disband ends the party',
    async (context) => {
      const party_ = inParty(context.of(removed), 'the party');
      const isOver = await context.comes('leader', party_, 'gone');
      context.observe(isOver ? 'it ends the party' : 'the party goes on');
    },
  );
}

/** The leader leaves: without disbanding, the others stay together; with it, nobody is in the party. */
export function disbanding(flow: Flow): void {
  const single = flow.scenario('leader');
  // Needs one player only, so it is also judged where no second player can join.
  const made = single.prepare('a party of one', async (context) => {
    const partyId = await makeParty(context, 'leader');
    await context.sees('leader', inParty(partyId, "the party's id"));
    return partyId;
  });

  const left = single.step(
    'alone-leaves',
    [party.leave],
    clauses.called,
    'the only member of a party leaves it',
    async (context) => {
      const partyId = context.of(made);
      await context.done('leader', party.leave, { params: { disband: 'false' } });
      return partyId;
    },
  );

  single.step(
    'alone-left',
    [party.details, party.leave],
    clauses.left,
    'the view of the only member no longer shows the party that they left',
    async (context) => {
      await context.seesNot('leader', inParty(context.of(left), 'the party'));
    },
  );

  const staying = flow.scenario('leader', 'friend');
  const led = staying.prepare('a party of two', async (context) => {
    const partyId = await makeParty(context, 'leader');
    await letIn(context, partyId, ['leader', 'friend']);
    await context.comes('friend', inParty(context.id('leader'), 'the leader'));
    return partyId;
  });

  const gone = staying.step(
    'leader-leaves',
    [party.leave],
    clauses.called,
    'the leader leaves without disbanding the party',
    async (context) => {
      const partyId = context.of(led);
      context.later('friend', party.leave);
      await context.done('leader', party.leave, { params: { disband: 'false' } });
      return partyId;
    },
  );

  staying.step(
    'leader-left-own-view',
    [party.details, party.leave],
    clauses.left,
    'the view of the leader who left no longer shows the party',
    async (context) => {
      await context.seesNot('leader', inParty(context.of(gone), 'the party'));
    },
  );

  staying.step(
    'leader-left-view',
    [party.details, party.leave],
    clauses.left,
    'the view of the member who stayed no longer lists the leader',
    async (context) => {
      context.of(gone);
      await context.seesNot('friend', inParty(context.id('leader'), 'the leader who left'));
    },
  );

  staying.step(
    'leader-left-party',
    [party.details, party.leave],
    anyState,
    'whether a party goes on for the others after its leader left without disbanding it',
    async (context) => {
      const goesOn = await context.comes('friend', inParty(context.of(gone), 'the party'));
      context.observe(goesOn ? 'the party goes on' : 'the party is over');
    },
  );

  const ending = flow.scenario('leader', 'friend');
  const ended = ending.prepare('a party of two', async (context) => {
    const partyId = await makeParty(context, 'leader');
    await letIn(context, partyId, ['leader', 'friend']);
    await context.sees('friend', inParty(partyId, "the party's id"));
    return partyId;
  });

  const disbanded = ending.step(
    'leave-with-disband',
    [party.leave],
    clauses.called,
    'the leader leaves and disbands the party',
    async (context) => {
      const partyId = context.of(ended);
      await context.done('leader', party.leave, { params: { disband: 'true' } });
      return partyId;
    },
  );

  ending.step(
    'disbanded-own-view',
    [party.details, party.leave],
    clauses.ended,
    "the leader's view no longer shows the disbanded party",
    async (context) => {
      await context.seesNot('leader', inParty(context.of(disbanded), 'the disbanded party'));
    },
  );

  const isOver = ending.step(
    'disbanded-view',
    [party.details, party.leave],
    clauses.ended,
    "the other member's view no longer shows the disbanded party",
    async (context) => {
      const partyId = context.of(disbanded);
      await context.seesNot('friend', inParty(partyId, 'the disbanded party'));
      return partyId;
    },
  );

  ending.step(
    'disbanded-creates',
    [party.create, party.leave],
    clauses.freed,
    'the other member of the disbanded party creates one of their own',
    async (context) => {
      const partyId = context.of(isOver);
      // The body that the leader's party was made with, so that a refusal is about the player.
      const create = context.likeliestAsk('leader', party.create);
      const { holds, last } = await poll(
        () => context.put('friend', party.create, create),
        (answer) => statusOf(answer) !== conflict,
      );
      context.later('friend', party.leave);
      context.expect(
        holds,
        `${party.create.id} is accepted, since ${party.details.id} shows no party`,
        `${conflict}, as if the disbanded party ${partyId} went on`,
        last,
      );
    },
  );
}
