// Checks requests to join a party (accepted, rejected, cancelled), and that a member who leaves is out of it.
import { party } from '../../catalog/areas/party.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import type { Flow } from '../../engine/flow/flow.ts';
import { placesOf } from '../../engine/flow/places.ts';
import { pollAnswered } from '../../engine/flow/polling.ts';
import type { StepContext } from '../../engine/flow/step-context.ts';
import type { View } from '../../engine/flow/views.ts';
import { ignoreStop, requireAnswer } from '../../engine/flow/why-refused.ts';
import { type Exchange, isSuccess, statusOf } from '../../engine/http/exchange.ts';
import { Stop } from '../../engine/judgement.ts';
import {
  admit,
  amongMembers,
  askToJoin,
  expectListedOnce,
  getWithoutKey,
  inParty,
  letIn,
  makeAskingParty,
  makeParty,
  shownBeside,
  withFriend,
} from './make-party.ts';
import { expectAnswered, whileOpen } from './open-requests.ts';

const clauses = effects.party;

/** Whether the entry of a player says that they lead the party; undefined where it says nothing of that. */
function marksLeader(view: Exchange, id: string): boolean | undefined {
  const fields = [...placesOf(view, id).values()].flatMap(({ entry }) => Object.entries(entry ?? {}));
  const mark = fields.find(
    ([name, value]) =>
      typeof value === 'boolean' && /^(?:is_?)?(?:party_?)?(?:leader|owner|captain)$/i.test(name),
  );
  if (mark) return mark[1] === true;
  const role = fields.find(([name, value]) => typeof value === 'string' && /^(?:party_?)?role$/i.test(name));
  return role && /leader|owner|captain/i.test(role[1]);
}

export function joining(flow: Flow): void {
  const { prepare, step, observe } = flow.scenario('leader', 'friend', 'other');
  const made = prepare('a party', (context) => makeAskingParty(context, 'other'));

  const asked = made.step(
    'join',
    [party.join],
    clauses.called,
    'a player asks to join the party',
    (context) => askToJoin(context, 'friend', 'leader'),
  );

  const waiting = prepare("the leader's view while a request is open", (context) => {
    context.resultOf(asked);
    return whileOpen(context, context.resultOf(made));
  });

  const joined = asked.step(
    'join-accept',
    [party.acceptJoin, party.join],
    clauses.joined,
    "the leader accepts a request to join, and the leader's view lists the new member",
    async (context, answer) => {
      const partyId = context.resultOf(made);
      try {
        // The request of the step before need not be repeated.
        await admit(context, partyId, ['leader', 'friend']);
      } catch (error) {
        if (error instanceof Stop && error.judgement.kind === 'inconclusive')
          await expectJoinSeen(context, partyId, answer, error.judgement.evidence);
        throw error;
      }
      return partyId;
    },
  );

  const joinedView = step(
    'joined-view',
    [party.details, party.acceptJoin],
    clauses.joined,
    "the accepted player's own view shows that party",
    (context) => context.sees('friend', inParty(context.resultOf(joined), "the party's id")),
  );

  joinedView.step(
    'joined-once',
    [party.details, party.acceptJoin],
    clauses.once,
    'the party lists the accepted player once',
    async (context, view) => expectListedOnce(context, view),
  );

  joined.step(
    'joined-request',
    [party.details, party.acceptJoin],
    clauses.answered,
    "the leader's view no longer lists a request that was accepted",
    (context, partyId) =>
      expectAnswered(context, context.resultOf(waiting), {
        open: () => askToJoin(context, 'other', 'leader'),
        withdraw: () =>
          context.send('leader', party.rejectJoin, { params: { partyId, playerId: context.id('other') } }),
      }),
  );

  const member = prepare('a member of the party', (context) => withFriend(context, joined, made));

  member.step(
    'leader-marked',
    [party.details, party.create],
    clauses.marked,
    'the entry that is marked as that of the leader is that of the player who made the party',
    async (context) => {
      const view = await context.mustSucceed('leader', party.details);
      const [leads, follows] = [
        marksLeader(view, context.id('leader')),
        marksLeader(view, context.id('friend')),
      ];
      if (leads === undefined || follows === undefined)
        return context.notTriggered('no entry of a member says whether they lead');
      context.expect(leads || !follows, 'the mark at the player who made it', 'it is at the member', view);
    },
  );

  observe(
    'member-reads',
    [party.get],
    'what a member sees of the party by its id, without the key',
    async (context) => {
      const params = { partyId: context.resultOf(member) };
      const view = await context.mustSucceed('friend', party.details);
      const read = requireAnswer(await context.send('friend', getWithoutKey, { params }));
      const shown = isSuccess(read) ? ` (shows ${shownBeside(read, view)} beside their own view)` : '';
      context.observe(`${statusOf(read)}${shown}`, read);
    },
  );

  const rejected = made.step(
    'join-reject',
    [party.rejectJoin, party.join],
    clauses.called,
    'the leader rejects a request to join',
    async (context, partyId) => {
      await askToJoin(context, 'other', 'leader');
      await context.sampleBefore('leader', outsider(context));
      await context.mustSucceed('leader', party.rejectJoin, {
        params: { partyId, playerId: context.id('other') },
      });
    },
  );

  member.step(
    'rejected-view',
    [party.details, party.rejectJoin],
    clauses.keptOut,
    "the leader's view does not list the rejected player as a member, nor a request of theirs that still lets them in",
    async (context, partyId) => {
      context.resultOf(rejected);
      const view = await context.seesNot('leader', outsider(context));
      if (context.mentions(view, context.id('other'))) await expectRejected(context, partyId);
    },
  );

  const cancelled = made.step(
    'join-cancel',
    [party.cancelJoin, party.join],
    clauses.called,
    'a player cancels their request to join',
    async (context, partyId) => {
      await askToJoin(context, 'other', 'leader');
      await context.mustSucceed('other', party.cancelJoin, {
        params: { partyId, friendId: context.id('leader') },
      });
    },
  );

  observe(
    'cancelled-accept',
    [party.acceptJoin, party.cancelJoin],
    'how the server answers when the leader accepts a cancelled request',
    async (context) => {
      const params = { partyId: context.resultOf(cancelled), playerId: context.id('other') };
      await context.observeAnswer('leader', party.acceptJoin, { params });
    },
  );

  member.step(
    'cancelled-view',
    [party.details, party.cancelJoin],
    clauses.keptOut,
    'the player who cancelled the request is not in the party',
    (context) => context.seesNot('other', inParty(context.resultOf(cancelled), 'the party')),
  );

  const left = member.step(
    'leave',
    [party.leave],
    clauses.called,
    'a member leaves the party',
    async (context) => {
      await context.mustSucceed('friend', party.leave, { params: { disband: 'false' } });
    },
  );

  left.step(
    'left-view',
    [party.details, party.leave],
    clauses.left,
    "the leader's view no longer lists a member who left",
    (context) => context.seesNot('leader', amongMembers(context, 'friend', 'leader', 'the member who left')),
  );

  step(
    'left-own-view',
    [party.details, party.leave],
    clauses.left,
    'the view of a member who left no longer shows the party',
    (context) => context.seesNot('friend', inParty(context.resultOf(left), 'the party')),
  );

  step(
    'left-party-stays',
    [party.details, party.leave],
    clauses.made,
    'the party still exists after a member leaves it',
    (context) => context.stillSees('leader', inParty(context.resultOf(left), "the party's id")),
  );
}

/**
 * Expects that a join has an effect where its answer names the party and the leader then finds no request to accept:
 * the leader's view has to show the player, or the player's view the party.
 */
async function expectJoinSeen(
  context: StepContext<'leader' | 'friend' | 'other'>,
  partyId: string,
  answer: Exchange,
  accepting: Exchange | undefined,
): Promise<void> {
  if (accepting === undefined || !findsNothing.has(statusOf(accepting))) return;
  if (!context.mentions(answer, partyId)) return;
  const [leaders, own] = [
    await context.send('leader', party.details),
    await context.send('friend', party.details),
  ];
  if (!isSuccess(leaders)) return;
  context.expect(
    context.mentions(leaders, context.id('friend')) || context.mentions(own, partyId),
    'the player who joined, or their request, in the view of the leader or their own',
    `neither, and accepting is answered ${statusOf(accepting)}`,
    leaders,
  );
}

const findsNothing: ReadonlySet<number> = new Set([404, 410]);

/**
 * Expects that a request which the leader still sees after rejecting it lets nobody in. A request without effect may be
 * a history; and where the leader admits players who did not ask, there is nothing that can be rejected.
 */
async function expectRejected(
  context: StepContext<'leader' | 'friend' | 'other'>,
  partyId: string,
): Promise<void> {
  const playerId = context.id('other');
  const accept = () => context.send('leader', party.acceptJoin, { params: { partyId, playerId } });
  const leave = () => context.send('other', party.leave, { params: { disband: 'false' } });
  const { last, holds } = await pollAnswered(
    () => context.send('leader', party.details),
    (view) => !isSuccess(view) || !context.mentions(view, playerId),
  );
  if (holds || !isSuccess(await accept()) || !(await context.eventually('leader', outsider(context)))) return;
  await leave();
  const isAsked = !isSuccess(await accept());
  if (!isAsked) await leave();
  context.expect(
    !isAsked,
    `${party.details.id} shows no request of ${playerId} after it was rejected`,
    'it does, and accepting it lets the player in',
    last,
  );
}

/** The leader's view of a player who asked to join and was not admitted. */
const outsider = (context: StepContext<'leader' | 'friend' | 'other'>): View =>
  amongMembers(context, 'other', 'leader', 'the rejected player');

/** A member of one party is let into another. */
export function changingParties(flow: Flow): void {
  const { prepare } = flow.scenario('leader', 'friend', 'other');
  const made = prepare('a party of two, and another party', async (context) => {
    await makeParty(context, 'leader', 'friend');
    return makeParty(context, 'other');
  });

  made.step(
    'one-party',
    [party.details, [party.acceptJoin, party.acceptInvite, party.join]],
    clauses.oneAtATime,
    'the view of the party that a member left for another one no longer lists them',
    async (context, partyId) => {
      const inFirst = amongMembers(context, 'friend', 'leader', 'the friend');
      await context.sees('leader', inFirst);
      context.addTeardown('friend', party.leave);
      await letIn(context, partyId, ['other', 'friend']).catch(ignoreStop);
      if (!(await context.eventually('other', amongMembers(context, 'friend', 'other', 'the friend'))))
        return context.notTriggered('a member of a party is not let into another one');
      await context.seesNot('leader', inFirst);
    },
  );
}
