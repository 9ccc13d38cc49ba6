import { areas } from '../../fixtures/catalog/catalog.ts';
import { open } from '../../fixtures/catalog/clauses/open.ts';
import type { Flow } from '../../fixtures/check/flow/flow.ts';
import { mentions } from '../../fixtures/check/flow/mentions.ts';
import { letIn, makeParty } from '../party/made.ts';
import { enter, meet } from './met.ts';

const { match, party, queue } = areas;
const anyState = open['open.flows'];

/** The leader of a party enters the queue. */
export function together(flow: Flow): void {
  const { prepare, step } = flow.scene('leader', 'member', 'other');
  const made = prepare('a party of two', async (stage) => {
    const partyId = await makeParty(stage, 'leader');
    await letIn(stage, partyId, ['leader', 'member']);
    return { partyId, name: stage.unique('assayqueue') };
  });

  const entered = step(
    'enter-party',
    [queue.enter, party.create],
    anyState,
    'what the leader of a party who enters the queue is answered',
    async (stage) => {
      const { partyId, name } = stage.of(made);
      stage.later('leader', queue.cancel);
      const asParty = stage.said('leader', queue.enter, { offer: { value: name, partyId } });
      await stage.observeAnswer('leader', queue.enter, asParty);
    },
  );

  step(
    'enter-member',
    [queue.enter, party.create],
    anyState,
    'what a member whose leader has entered the queue is answered on entering',
    async (stage) => {
      stage.of(entered);
      stage.later('member', queue.cancel);
      const asMember = stage.said('member', queue.enter, { offer: { value: stage.of(made).name } });
      await stage.observeAnswer('member', queue.enter, asMember);
    },
  );

  const joined = prepare('somebody else in the queue', async (stage) => {
    stage.of(entered);
    await enter(stage, 'other', stage.of(made).name);
  });

  step(
    'find-party',
    [queue.enter, party.create],
    anyState,
    'who of a party is matched with somebody who enters the queue',
    async (stage) => {
      stage.of(joined);
      const { told } = await meet(stage, ['other', 'leader'], stage.of(made).name);
      const [{ answer, matchId }] = told;
      const details = matchId && (await stage.put('other', match.get, { params: { matchId } }));
      const isIn = (role: 'leader' | 'member') =>
        [answer, details || answer].some((each) => mentions(each, stage.id(role)));
      const who = (['leader', 'member'] as const).filter(isIn).join(' and ');
      stage.observe(`matched: ${who || 'nobody'}`, details || answer);
    },
  );
}
