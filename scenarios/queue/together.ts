import { areas } from '../../fixtures/catalog/catalog.ts';
import { open } from '../../fixtures/catalog/clauses/open.ts';
import type { Flow } from '../../fixtures/check/flow/flow.ts';
import { namedBeside } from '../../fixtures/check/flow/places.ts';
import { silenced } from '../../fixtures/check/flow/refusal.ts';
import { statusOf } from '../../fixtures/client/exchange.ts';
import { letIn, makeParty } from '../party/made.ts';
import { meet } from './met.ts';

const { match, party, queue } = areas;
const anyState = open['open.flows'];
const operations = [queue.enter, party.create] as const;

/** The leader of a party enters the queue. */
export function together(flow: Flow): void {
  const { prepare, step } = flow.scene('leader', 'member', 'other');
  const made = prepare('a party of two', async (stage) => {
    const partyId = await makeParty(stage, 'leader');
    await letIn(stage, partyId, ['leader', 'member']);
    return partyId;
  });

  const entered = step(
    'enter-party',
    operations,
    anyState,
    'what the leader of a party who enters the queue is answered',
    // Who of them is found is one step with it, since nobody else may come between.
    (stage) =>
      stage.aloneInQueue(async () => {
        const partyId = stage.of(made);
        const name = stage.unique('assayqueue');
        stage.later('leader', queue.cancel);
        stage.later('member', queue.cancel);
        const asParty = stage.said('leader', queue.enter, { offer: { value: name, partyId } });
        const leaders = await stage.observeAnswer('leader', queue.enter, asParty);
        const asMember = stage.said('member', queue.enter, { offer: { value: name } });
        const members = await stage.put('member', queue.enter, asMember);
        const { told } = await meet(stage, ['other', 'leader'], name);
        stage.observe(`${statusOf(leaders)}`, leaders);
        return { members, told };
      }),
  );

  step(
    'enter-member',
    operations,
    anyState,
    'what a member whose leader has entered the queue is answered on entering',
    async (stage) => {
      const { members } = stage.of(entered);
      silenced(members);
      stage.observe(`${statusOf(members)}`, members);
    },
  );

  step(
    'find-party',
    operations,
    anyState,
    'who of a party is matched with somebody who enters the queue',
    async (stage) => {
      const [{ answer, matchId }] = stage.of(entered).told;
      const details = matchId && (await stage.put('other', match.get, { params: { matchId } }));
      const isIn = (role: 'leader' | 'member') =>
        namedBeside(stage.id(role), [stage.id('other')], [answer, details || answer]);
      const who = (['leader', 'member'] as const).filter(isIn).join(' and ');
      stage.observe(`matched: ${who || 'nobody'}`, details || answer);
    },
  );
}
