// Checks requests to join a party, invitations (accepted, rejected, cancelled), and that a member who leaves is out of it.
import { areas } from '../../catalog/catalog.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import { open } from '../../catalog/clauses/open.ts';
import type { Flow } from '../../engine/flow/flow.ts';
import type { BodyAsk, StepContext } from '../../engine/flow/step-context.ts';
import type { View } from '../../engine/flow/views.ts';
import { statusOf } from '../../engine/http/exchange.ts';
import { admit, amongMembers, inParty, makeParty } from './made.ts';

const { party } = areas;
const clauses = effects.party;
const anyState = open['open.flows'];

/** Requests to join: accepted, rejected, cancelled; and leaving again. */
export function joining(flow: Flow): void {
  const { prepare, step } = flow.scenario('leader', 'friend', 'other');
  const made = prepare('a party', (context) => makeParty(context, 'leader'));

  const asked = step('join', [party.join], clauses.called, 'a player asks to join', async (context) => {
    const partyId = context.of(made);
    await context.done('friend', party.join, { params: { playerId: context.id('leader') } });
    return partyId;
  });

  const joined = step(
    'join-accept',
    [party.acceptJoin, party.join],
    clauses.joined,
    'who asked and was accepted is in the party, in the view of the leader',
    async (context) => {
      // Who has asked need not be heard a second time.
      const partyId = context.of(asked);
      await admit(context, partyId, ['leader', 'friend']);
      return partyId;
    },
  );

  step(
    'joined-view',
    [party.details, party.acceptJoin],
    clauses.joined,
    'who was accepted is in that party, in their own view',
    async (context) => {
      await context.sees('friend', inParty(context.of(joined), "the party's id"));
    },
  );

  const rejected = step(
    'join-reject',
    [party.rejectJoin, party.join],
    clauses.called,
    'the leader turns away who asked to join',
    async (context) => {
      const partyId = context.of(made);
      await context.done('other', party.join, { params: { playerId: context.id('leader') } });
      await context.sampleBefore('leader', outsider(context));
      await context.done('leader', party.rejectJoin, { params: { partyId, playerId: context.id('other') } });
      return partyId;
    },
  );

  step(
    'rejected-view',
    [party.details, party.rejectJoin],
    clauses.keptOut,
    'who was turned away is not in the party',
    async (context) => {
      context.of(joined);
      context.of(rejected);
      await context.seesNot('leader', outsider(context));
    },
  );

  const cancelled = step(
    'join-cancel',
    [party.cancelJoin, party.join],
    clauses.called,
    'who asked to join takes it back',
    async (context) => {
      const partyId = context.of(made);
      await context.done('other', party.join, { params: { playerId: context.id('leader') } });
      await context.done('other', party.cancelJoin, { params: { partyId, friendId: context.id('leader') } });
      return partyId;
    },
  );

  step(
    'cancelled-accept',
    [party.acceptJoin, party.cancelJoin],
    anyState,
    'what accepting a request that was taken back is answered',
    async (context) => {
      const params = { partyId: context.of(cancelled), playerId: context.id('other') };
      await context.observeAnswer('leader', party.acceptJoin, { params });
    },
  );

  step(
    'cancelled-view',
    [party.details, party.cancelJoin],
    clauses.keptOut,
    'who took the request back is not in the party',
    async (context) => {
      context.of(joined);
      await context.seesNot('other', inParty(context.of(cancelled), 'the party'));
    },
  );

  const left = step('leave', [party.leave], clauses.called, 'a member leaves', async (context) => {
    const partyId = context.of(joined);
    await context.done('friend', party.leave, { params: { disband: 'false' } });
    return partyId;
  });

  step(
    'left-view',
    [party.details, party.leave],
    clauses.left,
    'who left is no longer in the party, in the view of the leader',
    async (context) => {
      context.of(left);
      await context.seesNot('leader', amongMembers(context.id('friend'), context.id('leader'), 'who left'));
    },
  );

  step(
    'left-own-view',
    [party.details, party.leave],
    clauses.left,
    'who left is no longer in the party, in their own view',
    async (context) => {
      await context.seesNot('friend', inParty(context.of(left), 'the party'));
    },
  );

  step(
    'left-party-stays',
    [party.details, party.leave],
    clauses.made,
    'the party goes on when a member leaves it',
    async (context) => {
      await context.stillSees('leader', inParty(context.of(left), "the party's id"));
    },
  );
}

/** The leader's view of a player who asked to join and was not admitted. */
const outsider = (context: StepContext<'leader' | 'friend' | 'other'>): View =>
  amongMembers(context.id('other'), context.id('leader'), 'who was turned away');

const invitingAnyState = open['open.flows'];

/** Invitations: accepted, declined, and one that was never made. */
export function inviting(flow: Flow): void {
  const { prepare, step } = flow.scenario('leader', 'friend', 'other');
  const made = prepare('a party', (context) => makeParty(context, 'leader'));

  const uninvited = step(
    'uninvited-accept',
    [party.acceptInvite],
    invitingAnyState,
    'what accepting an invitation that was never made is answered',
    async (context) => {
      const accept = context.likeliestAsk('other', party.acceptInvite, invitation(context, context.of(made)));
      const answer = await context.observeAnswer('other', party.acceptInvite, accept);
      if (statusOf(answer) < 300) await context.put('other', party.leave, { params: { disband: 'false' } });
      return statusOf(answer) >= 400 ? 'refused' : 'taken';
    },
  );

  const invited = step(
    'invite',
    [party.invite],
    clauses.called,
    'the leader invites a friend',
    async (context) => {
      const partyId = context.of(made);
      await context.done('leader', party.invite, {
        params: { partyId },
        carry: { 'other.id': context.id('friend') },
      });
      return partyId;
    },
  );

  const accepted = step(
    'invite-accept',
    [party.acceptInvite, party.invite],
    clauses.joined,
    'who accepts an invitation is in the party, in the view of the leader',
    async (context) => {
      const partyId = context.of(invited);
      const member = amongMembers(context.id('friend'), context.id('leader'), "the friend's id");
      await context.sampleBefore('leader', member);
      await context.done('friend', party.acceptInvite, invitation(context, partyId));
      await context.sees('leader', member);
      return partyId;
    },
  );

  prepare('an invitation that let somebody in', async (context) => {
    context.of(accepted);
    // Where joining needs no invitation, membership does not show that the invitation worked.
    if (context.of(uninvited) === 'refused') context.worked(party.invite);
  });

  step(
    'invited-view',
    [party.details, party.acceptInvite],
    clauses.joined,
    'who accepted an invitation is in that party, in their own view',
    async (context) => {
      await context.sees('friend', inParty(context.of(accepted), "the party's id"));
    },
  );

  step(
    'invited-sees-leader',
    [party.details, party.acceptInvite],
    clauses.joined,
    'who accepted an invitation sees who else is there',
    async (context) => {
      context.of(accepted);
      await context.sees('friend', inParty(context.id('leader'), "the leader's id"));
    },
  );

  step(
    'member-state-seen',
    [party.setPlayerState, party.details],
    clauses.changed,
    "what a member sets stands in the leader's view",
    async (context) => {
      context.of(accepted);
      await context.sets('friend', party.setPlayerState, {
        params: { playerId: context.id('friend') },
        value: context.unique('assayready'),
        shownIn: (value) => ({ ...inParty(value, 'the state that was set'), by: 'leader' }),
      });
    },
  );

  step(
    'others-state',
    [party.setPlayerState],
    invitingAnyState,
    "what setting another member's state is answered",
    async (context) => {
      context.of(accepted);
      const state = context.likeliestAsk('friend', party.setPlayerState, {
        params: { playerId: context.id('leader') },
        carry: { value: context.unique('assayready') },
        anyFixed: true,
      });
      await context.observeAnswer('friend', party.setPlayerState, state);
    },
  );

  const declined = step(
    'invite-reject',
    [party.rejectInvite, party.invite],
    clauses.called,
    'who was invited declines',
    async (context) => {
      const partyId = context.of(made);
      await context.done('leader', party.invite, {
        params: { partyId },
        carry: { 'other.id': context.id('other') },
      });
      await context.sampleBefore(
        'leader',
        amongMembers(context.id('other'), context.id('leader'), 'who is invited'),
      );
      await context.sampleBefore('other', inParty(partyId, 'the party'));
      await context.done('other', party.rejectInvite, invitation(context, partyId));
      return partyId;
    },
  );

  step(
    'declined-view',
    [party.details, party.rejectInvite],
    clauses.keptOut,
    'who declined is not in the party, in the view of the leader',
    async (context) => {
      context.of(accepted);
      context.of(declined);
      await context.seesNot(
        'leader',
        amongMembers(context.id('other'), context.id('leader'), 'who declined'),
      );
    },
  );

  step(
    'declined-own-view',
    [party.details, party.rejectInvite],
    clauses.keptOut,
    'who declined is not in the party, in their own view',
    async (context) => {
      context.of(accepted);
      await context.seesNot('other', inParty(context.of(declined), 'the party that was declined'));
    },
  );

  step(
    'declined-accept',
    [party.acceptInvite, party.rejectInvite],
    invitingAnyState,
    'what accepting an invitation after declining it is answered',
    async (context) => {
      const accept = context.likeliestAsk(
        'other',
        party.acceptInvite,
        invitation(context, context.of(declined)),
      );
      await context.observeAnswer('other', party.acceptInvite, accept);
    },
  );
}

/** The invitation to accept or decline and, where a body can say it, its sender. */
const invitation = (context: StepContext<'leader' | 'friend' | 'other'>, partyId: string): BodyAsk => ({
  params: { partyId },
  offer: { 'other.id': context.id('leader') },
});
