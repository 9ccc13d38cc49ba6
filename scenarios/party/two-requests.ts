// Checks that the leader of a party answers one of two requests to join, and leaves the other as it is.
import { party } from '../../catalog/areas/party.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import type { Flow } from '../../engine/flow/flow.ts';
import type { StepContext } from '../../engine/flow/step-context.ts';
import { requireAnswer } from '../../engine/flow/why-refused.ts';
import { isSuccess, statusOf } from '../../engine/http/exchange.ts';
import { admit, amongMembers, askToJoin, makeAskingParty } from './make-party.ts';

const clauses = effects.party;

/** Two players ask to join, and the leader accepts the one who asked last. */
export function accepting(flow: Flow): void {
  const { prepare } = flow.scenario('leader', 'first', 'second');
  const made = prepare('a party that two ask to join', askedByTwo);

  made.step(
    'join-accept-second',
    [party.acceptJoin, party.join],
    clauses.asked,
    'of two players who asked to join, the one whom the leader accepts joins',
    async (context, partyId) => {
      const first = amongMembers(context, 'first', 'leader', 'the first');
      await context.sampleBefore('leader', first);
      await admit(context, partyId, ['leader', 'second']);
      await context.seesNot('leader', first);
    },
  );
}

/** Two players ask to join, and the leader rejects one of them. */
export function rejecting(flow: Flow): void {
  const { prepare } = flow.scenario('leader', 'first', 'second');
  const made = prepare('a party that two ask to join', askedByTwo);

  made.step(
    'join-reject-one',
    [party.rejectJoin, party.acceptJoin, party.join],
    clauses.asked,
    'of two players who asked to join, the one who was not rejected can still be accepted',
    async (context, partyId) => {
      const about = (role: 'first' | 'second') => ({ params: { partyId, playerId: context.id(role) } });
      const second = amongMembers(context, 'second', 'leader', 'the second');
      await context.sampleBefore('leader', second);
      const rejected = requireAnswer(await context.send('leader', party.rejectJoin, about('first')));
      if (!isSuccess(rejected))
        context.cannotTell('needs-state', `${party.rejectJoin.id} is answered ${statusOf(rejected)}`);
      const accept = async () => {
        const answer = requireAnswer(await context.send('leader', party.acceptJoin, about('second')));
        return { answer, isIn: isSuccess(answer) && (await context.eventually('leader', second)) };
      };
      const first = await accept();
      if (first.isIn) return;
      // Where the player gets in after asking again, rejecting the first player had removed their request as well.
      await askToJoin(context, 'second', 'leader');
      const again = await accept();
      if (!again.isIn)
        context.cannotTell('needs-state', `${party.acceptJoin.id} is answered ${statusOf(again.answer)}`);
      context.expect(
        false,
        'the second player in the party',
        `${statusOf(first.answer)}, and the second player only once they had asked again`,
        first.answer,
      );
    },
  );
}

/** Makes a party that two players have asked to join; ends the step where one of them is in it at once. */
async function askedByTwo(context: StepContext<'leader' | 'first' | 'second'>): Promise<string> {
  const partyId = await makeAskingParty(context, 'second');
  for (const role of ['first', 'second'] as const) {
    await askToJoin(context, role, 'leader');
    const view = await context.send('leader', party.details);
    if (context.shows('leader', amongMembers(context, role, 'leader', `the ${role}`), view))
      context.notTriggered('who asks to join this party is in it at once');
  }
  return partyId;
}
