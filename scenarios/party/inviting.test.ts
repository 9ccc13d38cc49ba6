import { expect, test, vi } from 'vitest';
import { flow } from '../../engine/flow/flow.ts';
import { guess, type Put, rehearseFlow, withoutWaits } from '../../fixtures/kit/flow-rehearsal.ts';
import { inviting } from './inviting.ts';

const form = guess({ userId: '{{other.id}}' }, 'other.id');
const made = flow('sample');
inviting(made);

/**
 * Plays the steps on a server that answers an uninvited player with this status.
 * @returns the operations whose body was learnt
 */
async function operationsLearnt(uninvited: number) {
  const guessWorked = vi.fn();
  let invited = false;
  const answer = ({ operation }: Put) => {
    if (operation === 'party.invite') invited = true;
    if (operation === 'party.acceptInvite' && !invited) return { status: uninvited };
    return { body: { partyId: 'p-1', members: [{ id: 'id-of-player-1' }, { id: 'id-of-player-2' }] } };
  };
  const forms = ({ id }: { readonly id: string }) => (id === 'party.invite' ? [form] : []);
  const { play } = rehearseFlow(answer, { flows: { forms, guessWorked, pointer: () => '/partyId' } });
  await play(made.suite(), 'uninvited-accept', 'invite', 'invite-accept', 'invited-view');
  return guessWorked.mock.calls.map(([{ id }]) => id);
}

test('an invitation that let somebody in was understood, where nobody comes in without one', async () => {
  expect(await operationsLearnt(403)).toEqual(['party.invite']);
});

test('where anybody comes in, nothing shows how an invitation is put', async () => {
  expect(await operationsLearnt(200)).toEqual([]);
});

test.each([
  ['as one whom nobody invited', { code: 'NOT_INVITED', requestId: 'r-2' }, 'violation'],
  ['for another reason', { code: 'PARTY_CLOSED', requestId: 'r-2' }, 'inconclusive'],
])('an invited player who is refused %s', async (_, refusal, kind) => {
  let invited = false;
  const answer = ({ operation, ask }: Put) => {
    if (operation === 'party.invite') {
      if (!String(ask.body).includes('id-of-player')) return { status: 422 };
      invited = true;
    }
    if (operation === 'party.acceptInvite')
      return { status: 403, body: invited ? refusal : { code: 'NOT_INVITED', requestId: 'r-1' } };
    return { body: { partyId: 'p-1', members: [{ id: 'id-of-player-1' }] } };
  };
  const forms = ({ id }: { readonly id: string }) => (id === 'party.invite' ? [form] : []);
  const { play } = rehearseFlow(answer, { flows: { forms, pointer: () => '/partyId' } });
  const judgements = await withoutWaits(() =>
    play(made.suite(), 'uninvited-accept', 'invite', 'invite-accept'),
  );
  expect(judgements[2]).toMatchObject({ kind });
});
