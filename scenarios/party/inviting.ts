import { areas } from '../../fixtures/catalog/catalog.ts';
import { effects } from '../../fixtures/catalog/clauses/effects/effects.ts';
import { open } from '../../fixtures/catalog/clauses/open.ts';
import type { Flow } from '../../fixtures/check/flow/flow.ts';
import type { Saying, Stage } from '../../fixtures/check/flow/stage.ts';
import { statusOf } from '../../fixtures/client/exchange.ts';
import { amongMembers, inParty, makeParty } from './made.ts';

const { party } = areas;
const clauses = effects.party;
const anyState = open['open.flows'];

/** Invitations, taken and declined, and one that was never made. */
export function inviting(flow: Flow): void {
  const { prepare, step } = flow.scene('leader', 'friend', 'other');
  const made = prepare('a party', (stage) => makeParty(stage, 'leader'));

  const uninvited = step(
    'uninvited-accept',
    [party.acceptInvite],
    anyState,
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
    anyState,
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
    anyState,
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
