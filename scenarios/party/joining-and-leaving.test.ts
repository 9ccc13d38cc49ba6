import { expect, test, vi } from 'vitest';
import { flow } from '../../engine/flow/flow.ts';
import { guess, type Put, rehearseFlow } from '../../fixtures/kit/flow-rehearsal.ts';
import { inviting, joining } from './joining-and-leaving.ts';

const form = guess({ userId: '{{other.id}}' }, 'other.id');
const made = flow('sample');
inviting(made);

/** Plays the steps on a server that answers an uninvited player with this status; returns the operations whose body was learnt. */
async function operationsLearnt(uninvited: number) {
  const took = vi.fn();
  let invited = false;
  const answer = ({ operation }: Put) => {
    if (operation === 'party.invite') invited = true;
    if (operation === 'party.acceptInvite' && !invited) return { status: uninvited };
    return { body: { partyId: 'p-1', members: [{ id: 'id-of-player-1' }, { id: 'id-of-player-2' }] } };
  };
  const forms = ({ id }: { readonly id: string }) => (id === 'party.invite' ? [form] : []);
  const { play } = rehearseFlow(answer, { flows: { forms, took, pointer: () => '/partyId' } });
  await play(made.suite(), 'uninvited-accept', 'invite', 'invite-accept', 'invited-view');
  return took.mock.calls.map(([{ id }]) => id);
}

test('an invitation that let somebody in was understood, where nobody comes in without one', async () => {
  expect(await operationsLearnt(403)).toEqual(['party.invite']);
});

test('where anybody comes in, nothing shows how an invitation is put', async () => {
  expect(await operationsLearnt(200)).toEqual([]);
});

test('a player whose request is not answered yet does not ask a second time', async () => {
  const requests: number[] = [];
  const answer = ({ operation, player }: Put) => {
    if (operation === 'party.join' && requests.includes(player)) return { status: 409 };
    if (operation === 'party.join') requests.push(player);
    return { body: { partyId: 'p-1', members: [{ id: 'id-of-player-1' }, { id: 'id-of-player-2' }] } };
  };
  const suite = flow('joining');
  joining(suite);
  const { play } = rehearseFlow(answer, { flows: { pointer: () => '/partyId' } });
  const judgements = await play(suite.suite(), 'join', 'join-accept');
  expect(judgements.map(({ kind }) => kind)).toEqual(['pass', 'pass']);
});
