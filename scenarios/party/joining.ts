import { areas } from '../../fixtures/catalog/catalog.ts';
import { effects } from '../../fixtures/catalog/clauses/effects/effects.ts';
import { open } from '../../fixtures/catalog/clauses/open.ts';
import type { Flow } from '../../fixtures/check/flow/flow.ts';
import type { Stage } from '../../fixtures/check/flow/stage.ts';
import type { View } from '../../fixtures/check/flow/view.ts';
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
