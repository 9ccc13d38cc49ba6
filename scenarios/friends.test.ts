import { expect, test } from 'vitest';
import type { Routed } from '../engine/probe/served/routed-table.ts';
import { guess, type Put, rehearseFlow, withoutWaits } from '../fixtures/kit/flow-rehearsal.ts';
import friends from './friends.ts';

/** The judgements of steps at a target that lacks these operations. */
async function judged(lacking: readonly string[], ...steps: readonly string[]) {
  const presence = new Map<number, unknown>();
  const script = ({ operation, player, ask }: Put) => {
    if (lacking.includes(operation)) return { status: 404 };
    if (operation === 'me.setRichPresence') presence.set(player, JSON.parse(String(ask.body)));
    if (operation === 'general.richPresence')
      return { body: presence.get(Number(String(ask.params?.playerId).split('-').at(-1))) ?? {} };
    return { body: {} };
  };
  const routed = async ({ id }: { readonly id: string }): Promise<Routed> =>
    lacking.includes(id)
      ? { served: false, kind: 'unrouted', why: 'it is not there' }
      : { served: true, why: '' };
  const { play } = rehearseFlow(script, {
    routed,
    flows: {
      forms: ({ id }) => (id === 'me.setRichPresence' ? [guess({ status: '{{value}}' }, 'value')] : []),
    },
  });
  return withoutWaits(() => play(friends, ...steps));
}

test('presence and sync need nobody who can be made a friend', async () => {
  const found = await judged(
    ['players.addFriend', 'players.friends'],
    'presence',
    'presence-replaced',
    'sync',
    'synced-list',
  );
  expect(found).toMatchObject([
    { kind: 'pass', detail: expect.stringContaining('nobody could be made a friend') },
    {},
    { kind: 'pass' },
    { kind: 'inconclusive', reason: 'needs-state' },
  ]);
});

test('friends need no list; who stays is judged where one was shown', async () => {
  const [presence, stay] = await judged(['players.friends'], 'presence', 'removed-others-stay');
  expect(presence).not.toHaveProperty('detail');
  expect(presence).toMatchObject({ kind: 'pass' });
  expect(stay).toMatchObject({ kind: 'inconclusive' });
});
