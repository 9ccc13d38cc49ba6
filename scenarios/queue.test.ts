import { expect, test, vi } from 'vitest';
import { type Put, rehearseFlow } from '../fixtures/kit/flow-rehearsal.ts';
import queue from './queue.ts';

/** A queue of one name: two who wait are matched. Who leaves stays in it where `stays`. */
async function left(stays: boolean, cancelled = 204) {
  const waiting: number[] = [];
  const matches = new Map<number, readonly number[]>();
  const script = ({ operation, player }: Put) => {
    const own = matches.get(player);
    switch (operation) {
      case 'queue.enter': {
        if (own) return { body: { matchId: `match-${own.join('-')}` } };
        const other = waiting.find((each) => each !== player);
        if (other === undefined) {
          if (!waiting.includes(player)) waiting.push(player);
          return { body: { matchId: null } };
        }
        waiting.splice(waiting.indexOf(other), 1);
        for (const one of [player, other]) matches.set(one, [other, player]);
        return { body: { matchId: `match-${other}-${player}` } };
      }
      case 'queue.cancel':
        if (!stays && waiting.includes(player)) waiting.splice(waiting.indexOf(player), 1);
        return { status: cancelled, body: '' };
      case 'match.quit':
        matches.delete(player);
        return { body: {} };
      case 'match.get':
        return { body: { players: (own ?? []).map((each) => ({ playerId: `id-of-player-${each}` })) } };
      default:
        return {};
    }
  };
  const { play, context } = rehearseFlow(script);
  Object.assign(context, { isPlayer: (id: string) => id.startsWith('id-of-player-') });
  vi.useFakeTimers();
  try {
    const playing = play(queue, 'cancelled-not-matched');
    await vi.runAllTimersAsync();
    return (await playing)[0];
  } finally {
    vi.useRealTimers();
  }
}

test('who left the queue is not matched from it', async () => {
  expect(await left(false)).toMatchObject({ kind: 'pass' });
  expect(await left(true)).toMatchObject({ kind: 'violation', actual: 'one with them' });
});

test('is inconclusive when the target refuses the call to leave', async () => {
  expect(await left(true, 400)).toMatchObject({ kind: 'inconclusive' });
});
