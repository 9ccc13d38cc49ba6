import { expect, test } from 'vitest';
import { formOf } from '../../engine/players/body-template.ts';
import { type Put, rehearseFlow, withoutWaits } from '../../fixtures/kit/flow-rehearsal.ts';
import friends from '../friends.ts';

const form = formOf({ id: '{{other.id}}' }, 'profile');

/** Two players add one another, on a server that says this of a friend: by who reads, and how often the list was read. */
async function bothAdd(statusOf: (reader: number, reads: number) => string) {
  const added = new Map<number, string[]>();
  let reads = 0;
  const script = ({ operation, player, ask }: Put) => {
    if (operation === 'players.addFriend') {
      const { id } = JSON.parse(String(ask.body)) as { id: string };
      added.set(player, [...(added.get(player) ?? []), id]);
    }
    if (operation !== 'players.friends') return {};
    reads += added.size === 2 ? 1 : 0;
    const status = statusOf(player, reads);
    return { body: { friends: (added.get(player) ?? []).map((playerId) => ({ playerId, status })) } };
  };
  const spoken = ({ id }: { readonly id: string }) => id === 'players.addFriend';
  const forms = (operation: { readonly id: string }) => (spoken(operation) ? [form] : []);
  const flows = { forms, isStatedInProfile: spoken, accepts: () => [200] };
  const [judgement] = await withoutWaits(() =>
    rehearseFlow(script, { flows }).play(friends, 'accepted-both-sides'),
  );
  return judgement;
}

test('two players who have added one another are not both still waiting for the other', async () => {
  expect(await bothAdd(() => 'REQUEST_SENT')).toMatchObject({
    kind: 'violation',
    actual: 'each list says "REQUEST_SENT" of the other',
  });
});

test.each<[string, (reader: number, reads: number) => string]>([
  ['says it of one side alone', (reader) => (reader === 1 ? 'pending' : 'friend')],
  ['says it for a moment', (_, reads) => (reads < 5 ? 'outgoingRequest' : 'friend')],
  ['calls a friend by another word', () => 'presently online'],
])('a server that %s is accused of nothing', async (_, statusOf) => {
  expect(await bothAdd(statusOf)).toMatchObject({ kind: 'pass' });
});
