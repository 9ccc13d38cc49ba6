import { areas } from '../../fixtures/catalog/catalog.ts';
import { effects } from '../../fixtures/catalog/clauses/effects/effects.ts';
import type { Flow } from '../../fixtures/check/flow/flow.ts';
import { inParty, letIn, makeParty } from './made.ts';

const { party } = areas;
const clauses = effects.party;

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
