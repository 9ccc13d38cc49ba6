import { areas } from '../../catalog/catalog.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import { open } from '../../catalog/clauses/open.ts';
import type { Flow } from '../../engine/flow/flow.ts';
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

/** The leader goes: without disbanding the others stay together, with it nobody does; who is alone is in no party then. */
export function disbanding(flow: Flow): void {
  const single = flow.scene('leader');
  // Needs nobody else: it is seen where no second player can join, too.
  const made = single.prepare('a party of one', async (stage) => {
    const partyId = await makeParty(stage, 'leader');
    await stage.sees('leader', inParty(partyId, "the party's id"));
    return partyId;
  });

  const left = single.step(
    'alone-leaves',
    [party.leave],
    clauses.called,
    'who is alone in a party leaves it',
    async (stage) => {
      const partyId = stage.of(made);
      await stage.done('leader', party.leave, { params: { disband: 'false' } });
      return partyId;
    },
  );

  single.step(
    'alone-left',
    [party.details, party.leave],
    clauses.left,
    'who was alone in a party and left it is in it no longer',
    async (stage) => {
      await stage.seesNot('leader', inParty(stage.of(left), 'the party'));
    },
  );

  const staying = flow.scene('leader', 'friend');
  const led = staying.prepare('a party of two', async (stage) => {
    const partyId = await makeParty(stage, 'leader');
    await letIn(stage, partyId, ['leader', 'friend']);
    await stage.comes('friend', inParty(stage.id('leader'), 'the leader'));
    return partyId;
  });

  const gone = staying.step(
    'leader-leaves',
    [party.leave],
    clauses.called,
    'the leader leaves',
    async (stage) => {
      const partyId = stage.of(led);
      stage.later('friend', party.leave);
      await stage.done('leader', party.leave, { params: { disband: 'false' } });
      return partyId;
    },
  );

  staying.step(
    'leader-left-own-view',
    [party.details, party.leave],
    clauses.left,
    'the leader who left is no longer in the party, in their own view',
    async (stage) => {
      await stage.seesNot('leader', inParty(stage.of(gone), 'the party'));
    },
  );

  staying.step(
    'leader-left-view',
    [party.details, party.leave],
    clauses.left,
    'the leader who left is no longer in the party, in the view of who stayed',
    async (stage) => {
      stage.of(gone);
      await stage.seesNot('friend', inParty(stage.id('leader'), 'the leader who left'));
    },
  );

  const ending = flow.scene('leader', 'friend');
  const ended = ending.prepare('a party of two', async (stage) => {
    const partyId = await makeParty(stage, 'leader');
    await letIn(stage, partyId, ['leader', 'friend']);
    await stage.sees('friend', inParty(partyId, "the party's id"));
    return partyId;
  });

  const disbanded = ending.step(
    'leave-with-disband',
    [party.leave],
    clauses.called,
    'the leader leaves and disbands',
    async (stage) => {
      const partyId = stage.of(ended);
      await stage.done('leader', party.leave, { params: { disband: 'true' } });
      return partyId;
    },
  );

  ending.step(
    'disbanded-own-view',
    [party.details, party.leave],
    clauses.ended,
    'the leader is no longer in the party that was disbanded',
    async (stage) => {
      await stage.seesNot('leader', inParty(stage.of(disbanded), 'the party that was disbanded'));
    },
  );

  ending.step(
    'disbanded-view',
    [party.details, party.leave],
    clauses.ended,
    'who was in a party that was disbanded no longer is',
    async (stage) => {
      await stage.seesNot('friend', inParty(stage.of(disbanded), 'the party that was disbanded'));
    },
  );
}
