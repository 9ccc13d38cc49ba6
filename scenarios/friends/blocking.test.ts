import { expect, test } from 'vitest';
import { formOf } from '../../engine/players/body-template.ts';
import { type Put, rehearseFlow, withoutWaits } from '../../fixtures/kit/flow-rehearsal.ts';
import friends from '../friends.ts';

const form = formOf({ id: '{{other.id}}' }, 'profile');

/** The judgement of the list of blocks on a server that lists friends and blocks in one answer. */
async function listOfBlocks({ blocks }: { readonly blocks: boolean }) {
  const known = { friends: new Set<string>(), blocked: new Set<string>() };
  const script = ({ operation, player, ask }: Put) => {
    if (player !== 1) return {};
    const { id = '' } = JSON.parse(String(ask.body ?? '{}')) as { id?: string };
    if (operation === 'players.addFriend') known.friends.add(id);
    if (operation === 'players.removeFriend') known.friends.delete(id);
    if (operation === 'players.unblock') known.blocked.delete(id);
    if (operation === 'players.block' && blocks) {
      known.friends.delete(id);
      known.blocked.add(id);
    }
    return { body: { friends: [...known.friends], blocked: [...known.blocked] } };
  };
  const spoken = ({ id }: { readonly id: string }) =>
    /players\.(addFriend|removeFriend|block|unblock)$/.test(id);
  const forms = (operation: { readonly id: string }) => (spoken(operation) ? [form] : []);
  const [judgement] = await withoutWaits(() =>
    rehearseFlow(script, { flows: { forms, isStatedInProfile: spoken, accepts: () => [200] } }).play(
      friends,
      'blocked-list',
    ),
  );
  return judgement?.kind === 'inconclusive' ? judgement.reason : judgement?.kind;
}

test('a block that does nothing is a violation where the list of blocks names friends as well', async () => {
  expect(await listOfBlocks({ blocks: false })).toBe('violation');
});

test('a block is seen where the list of blocks names friends as well', async () => {
  expect(await listOfBlocks({ blocks: true })).toBe('pass');
});
