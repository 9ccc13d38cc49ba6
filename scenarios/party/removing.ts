import { areas } from '../../fixtures/catalog/catalog.ts';
import { effects } from '../../fixtures/catalog/clauses/effects/effects.ts';
import { open } from '../../fixtures/catalog/clauses/open.ts';
import type { Flow } from '../../fixtures/check/flow/flow.ts';
import { amongMembers, inParty, letIn, makeParty } from './made.ts';

const { party } = areas;
const clauses = effects.party;
const anyState = open['open.flows'];

/** Removal, without a ban and with one. */
export function removing(flow: Flow): void {
  const { prepare, step } = flow.scene('leader', 'member', 'banned');
  const made = prepare('a party of three', async (stage) => {
    const partyId = await makeParty(stage, 'leader');
    await letIn(stage, partyId, ['leader', 'member']);
    await letIn(stage, partyId, ['leader', 'banned']);
    return partyId;
  });

  const removed = step(
    'remove',
    [party.removePlayer],
    clauses.called,
    'the leader removes a member',
    async (stage) => {
      const partyId = stage.of(made);
      await stage.done('leader', party.removePlayer, { params: { partyId, playerId: stage.id('member') } });
      return partyId;
    },
  );

  step(
    'removed-view',
    [party.details, party.removePlayer],
    clauses.left,
    'who was removed is no longer in the party, in the view of the leader',
    async (stage) => {
      stage.of(removed);
      await stage.seesNot('leader', amongMembers(stage.id('member'), stage.id('leader'), 'who was removed'));
    },
  );

  step(
    'removed-own-view',
    [party.details, party.removePlayer],
    clauses.left,
    'who was removed is no longer in the party, in their own view',
    async (stage) => {
      await stage.seesNot('member', inParty(stage.of(removed), 'the party'));
    },
  );

  step(
    'removed-others-stay',
    [party.details, party.removePlayer],
    clauses.joined,
    'who was not removed is still there',
    async (stage) => {
      stage.of(removed);
      await stage.stillSees(
        'leader',
        amongMembers(stage.id('banned'), stage.id('leader'), 'the member who was not removed'),
      );
    },
  );

  step(
    'removed-joins',
    [party.join, party.removePlayer],
    anyState,
    'what asking to join again after a removal is answered',
    async (stage) => {
      stage.of(removed);
      await stage.observeAnswer('member', party.join, { params: { playerId: stage.id('leader') } });
    },
  );

  const banned = step(
    'remove-with-ban',
    [party.removePlayer],
    clauses.called,
    'the leader removes and bans a member',
    async (stage) => {
      const partyId = stage.of(made);
      const params = { partyId, playerId: stage.id('banned'), ban: 'true' };
      await stage.done('leader', party.removePlayer, { params });
      return partyId;
    },
  );

  step(
    'banned-view',
    [party.details, party.removePlayer],
    clauses.left,
    'who was banned is no longer in the party',
    async (stage) => {
      stage.of(banned);
      await stage.seesNot('leader', amongMembers(stage.id('banned'), stage.id('leader'), 'who was banned'));
    },
  );

  step(
    'banned-joins',
    [party.join, party.removePlayer],
    anyState,
    'what asking to join after a ban is answered',
    async (stage) => {
      stage.of(banned);
      await stage.observeAnswer('banned', party.join, { params: { playerId: stage.id('leader') } });
    },
  );

  // A party of its own: a target may do what the member asks.
  const pair = flow.scene('leader', 'member');
  const led = pair.prepare('a party of two', async (stage) => {
    const partyId = await makeParty(stage, 'leader');
    await letIn(stage, partyId, ['leader', 'member']);
    stage.later('member', party.leave);
    return partyId;
  });

  pair.step(
    'member-removes',
    [party.removePlayer],
    anyState,
    'what a member who removes another is answered',
    async (stage) => {
      const params = { partyId: stage.of(led), playerId: stage.id('leader') };
      await stage.observeAnswer('member', party.removePlayer, { params });
    },
  );
}
