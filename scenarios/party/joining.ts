import { areas } from '../../catalog/catalog.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import { open } from '../../catalog/clauses/open.ts';
import type { Flow } from '../../engine/flow/flow.ts';
import type { Saying, Stage } from '../../engine/flow/step-context.ts';
import type { View } from '../../engine/flow/views.ts';
import { statusOf } from '../../engine/http/exchange.ts';
import { amongMembers, inParty, letIn, makeParty } from './made.ts';

const { party } = areas;
const clauses = effects.party;
const anyState = open['open.flows'];

/** Asking to join: accepted, rejected, taken back; and leaving again. */
export function joining(flow: Flow): void {
  const { prepare, step } = flow.scene('leader', 'friend', 'other');
  const made = prepare('a party', (stage) => makeParty(stage, 'leader'));

  step('join', [party.join], clauses.called, 'a player asks to join', async (stage) => {
    stage.of(made);
    await stage.done('friend', party.join, { params: { playerId: stage.id('leader') } });
  });

  const joined = step(
    'join-accept',
    [party.acceptJoin, party.join],
    clauses.joined,
    'who asked and was accepted is in the party, in the view of the leader',
    async (stage) => {
      const partyId = stage.of(made);
      await letIn(stage, partyId, ['leader', 'friend']);
      return partyId;
    },
  );

  step(
    'joined-view',
    [party.details, party.acceptJoin],
    clauses.joined,
    'who was accepted is in that party, in their own view',
    async (stage) => {
      await stage.sees('friend', inParty(stage.of(joined), "the party's id"));
    },
  );

  const rejected = step(
    'join-reject',
    [party.rejectJoin, party.join],
    clauses.called,
    'the leader turns away who asked to join',
    async (stage) => {
      const partyId = stage.of(made);
      await stage.done('other', party.join, { params: { playerId: stage.id('leader') } });
      await stage.lookBefore('leader', outsider(stage));
      await stage.done('leader', party.rejectJoin, { params: { partyId, playerId: stage.id('other') } });
      return partyId;
    },
  );

  step(
    'rejected-view',
    [party.details, party.rejectJoin],
    clauses.keptOut,
    'who was turned away is not in the party',
    async (stage) => {
      stage.of(joined);
      stage.of(rejected);
      await stage.seesNot('leader', outsider(stage));
    },
  );

  const cancelled = step(
    'join-cancel',
    [party.cancelJoin, party.join],
    clauses.called,
    'who asked to join takes it back',
    async (stage) => {
      const partyId = stage.of(made);
      await stage.done('other', party.join, { params: { playerId: stage.id('leader') } });
      await stage.done('other', party.cancelJoin, { params: { partyId, friendId: stage.id('leader') } });
      return partyId;
    },
  );

  step(
    'cancelled-accept',
    [party.acceptJoin, party.cancelJoin],
    anyState,
    'what accepting a request that was taken back is answered',
    async (stage) => {
      const params = { partyId: stage.of(cancelled), playerId: stage.id('other') };
      await stage.observeAnswer('leader', party.acceptJoin, { params });
    },
  );

  step(
    'cancelled-view',
    [party.details, party.cancelJoin],
    clauses.keptOut,
    'who took the request back is not in the party',
    async (stage) => {
      stage.of(joined);
      await stage.seesNot('other', inParty(stage.of(cancelled), 'the party'));
    },
  );

  const left = step('leave', [party.leave], clauses.called, 'a member leaves', async (stage) => {
    const partyId = stage.of(joined);
    await stage.done('friend', party.leave, { params: { disband: 'false' } });
    return partyId;
  });

  step(
    'left-view',
    [party.details, party.leave],
    clauses.left,
    'who left is no longer in the party, in the view of the leader',
    async (stage) => {
      stage.of(left);
      await stage.seesNot('leader', amongMembers(stage.id('friend'), stage.id('leader'), 'who left'));
    },
  );

  step(
    'left-own-view',
    [party.details, party.leave],
    clauses.left,
    'who left is no longer in the party, in their own view',
    async (stage) => {
      await stage.seesNot('friend', inParty(stage.of(left), 'the party'));
    },
  );

  step(
    'left-party-stays',
    [party.details, party.leave],
    clauses.made,
    'the party goes on when a member leaves it',
    async (stage) => {
      await stage.stillSees('leader', inParty(stage.of(left), "the party's id"));
    },
  );
}

/** Who asked to join and is not let in, in the view of the leader. */
const outsider = (stage: Stage<'leader' | 'friend' | 'other'>): View =>
  amongMembers(stage.id('other'), stage.id('leader'), 'who was turned away');

const invitingAnyState = open['open.flows'];

/** Invitations, taken and declined, and one that was never made. */
export function inviting(flow: Flow): void {
  const { prepare, step } = flow.scene('leader', 'friend', 'other');
  const made = prepare('a party', (stage) => makeParty(stage, 'leader'));

  const uninvited = step(
    'uninvited-accept',
    [party.acceptInvite],
    invitingAnyState,
    'what accepting an invitation that was never made is answered',
    async (stage) => {
      const accept = stage.said('other', party.acceptInvite, invitation(stage, stage.of(made)));
      const answer = await stage.observeAnswer('other', party.acceptInvite, accept);
      if (statusOf(answer) < 300) await stage.put('other', party.leave, { params: { disband: 'false' } });
      return statusOf(answer) >= 400 ? 'refused' : 'taken';
    },
  );

  const invited = step(
    'invite',
    [party.invite],
    clauses.called,
    'the leader invites a friend',
    async (stage) => {
      const partyId = stage.of(made);
      await stage.done('leader', party.invite, {
        params: { partyId },
        carry: { 'other.id': stage.id('friend') },
      });
      return partyId;
    },
  );

  const accepted = step(
    'invite-accept',
    [party.acceptInvite, party.invite],
    clauses.joined,
    'who accepts an invitation is in the party, in the view of the leader',
    async (stage) => {
      const partyId = stage.of(invited);
      const member = amongMembers(stage.id('friend'), stage.id('leader'), "the friend's id");
      await stage.lookBefore('leader', member);
      await stage.done('friend', party.acceptInvite, invitation(stage, partyId));
      await stage.sees('leader', member);
      return partyId;
    },
  );

  prepare('an invitation that let somebody in', async (stage) => {
    stage.of(accepted);
    // Where nobody needs one, who is in says nothing of how it was put.
    if (stage.of(uninvited) === 'refused') stage.worked(party.invite);
  });

  step(
    'invited-view',
    [party.details, party.acceptInvite],
    clauses.joined,
    'who accepted an invitation is in that party, in their own view',
    async (stage) => {
      await stage.sees('friend', inParty(stage.of(accepted), "the party's id"));
    },
  );

  step(
    'invited-sees-leader',
    [party.details, party.acceptInvite],
    clauses.joined,
    'who accepted an invitation sees who else is there',
    async (stage) => {
      stage.of(accepted);
      await stage.sees('friend', inParty(stage.id('leader'), "the leader's id"));
    },
  );

  step(
    'member-state-seen',
    [party.setPlayerState, party.details],
    clauses.changed,
    "what a member sets stands in the leader's view",
    async (stage) => {
      stage.of(accepted);
      await stage.sets('friend', party.setPlayerState, {
        params: { playerId: stage.id('friend') },
        value: stage.unique('assayready'),
        shownIn: (value) => ({ ...inParty(value, 'the state that was set'), by: 'leader' }),
      });
    },
  );

  step(
    'others-state',
    [party.setPlayerState],
    invitingAnyState,
    "what setting another member's state is answered",
    async (stage) => {
      stage.of(accepted);
      const state = stage.said('friend', party.setPlayerState, {
        params: { playerId: stage.id('leader') },
        carry: { value: stage.unique('assayready') },
        anyFixed: true,
      });
      await stage.observeAnswer('friend', party.setPlayerState, state);
    },
  );

  const declined = step(
    'invite-reject',
    [party.rejectInvite, party.invite],
    clauses.called,
    'who was invited declines',
    async (stage) => {
      const partyId = stage.of(made);
      await stage.done('leader', party.invite, {
        params: { partyId },
        carry: { 'other.id': stage.id('other') },
      });
      await stage.lookBefore('leader', amongMembers(stage.id('other'), stage.id('leader'), 'who is invited'));
      await stage.lookBefore('other', inParty(partyId, 'the party'));
      await stage.done('other', party.rejectInvite, invitation(stage, partyId));
      return partyId;
    },
  );

  step(
    'declined-view',
    [party.details, party.rejectInvite],
    clauses.keptOut,
    'who declined is not in the party, in the view of the leader',
    async (stage) => {
      stage.of(accepted);
      stage.of(declined);
      await stage.seesNot('leader', amongMembers(stage.id('other'), stage.id('leader'), 'who declined'));
    },
  );

  step(
    'declined-own-view',
    [party.details, party.rejectInvite],
    clauses.keptOut,
    'who declined is not in the party, in their own view',
    async (stage) => {
      stage.of(accepted);
      await stage.seesNot('other', inParty(stage.of(declined), 'the party that was declined'));
    },
  );

  step(
    'declined-accept',
    [party.acceptInvite, party.rejectInvite],
    invitingAnyState,
    'what accepting an invitation after declining it is answered',
    async (stage) => {
      const accept = stage.said('other', party.acceptInvite, invitation(stage, stage.of(declined)));
      await stage.observeAnswer('other', party.acceptInvite, accept);
    },
  );
}

/** What is accepted or declined, and, where a body says so, whose invitation. */
const invitation = (stage: Stage<'leader' | 'friend' | 'other'>, partyId: string): Saying => ({
  params: { partyId },
  offer: { 'other.id': stage.id('leader') },
});
