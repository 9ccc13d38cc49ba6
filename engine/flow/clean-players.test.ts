// Players are lent again where they show that nothing is left with them.
import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import { exchangeOf } from '../../fixtures/kit/exchanges.ts';
import type { Player } from '../players/players.ts';
import { createCleanPlayers } from './clean-players.ts';

const { party, queue, players } = areas;
const [one, two] = [1, 2].map((account) => ({ account }) as Player) as [Player, Player];

/** Players who are in a party until they leave it so often, once for each way to leave. */
function target(toLeave: Readonly<Record<number, number>> = {}) {
  const left = new Map<number, number>();
  const sent: string[] = [];
  const clean = createCleanPlayers({
    pause: async () => {},
    send: async ({ account }, operation: Operation) => {
      sent.push(`${account} ${operation.id}`);
      if (operation === party.leave) left.set(account, (left.get(account) ?? 0) + 1);
      const isIn = (left.get(account) ?? 0) < (toLeave[account] ?? 0);
      return exchangeOf(isIn ? { status: 200, body: { partyId: 'p' } } : { status: 200, body: {} });
    },
  });
  return { clean, sent };
}

test('a player who shows no party is clean, and one read shows it', async () => {
  const { clean, sent } = target();
  expect(await clean.traceOf(one)).toBeUndefined();
  sent.length = 0;
  expect(await clean.traceOf(two)).toBeUndefined();
  expect(sent).toEqual(['2 party.details']);
});

test.each([1, 2])('a player who is out of the party after leaving it %i times is clean', async (times) => {
  const { clean } = target({ 2: times });
  await clean.traceOf(one);
  expect(await clean.traceOf(two)).toBeUndefined();
});

test('a player who stays in a party after leaving it is not clean', async () => {
  const { clean } = target({ 2: 9 });
  await clean.traceOf(one);
  expect(await clean.traceOf(two)).toMatch(/^player 2 is not shown to be in no party \(party.details\)/);
});

test('a ticket that was not cancelled makes its players unclean, a friendship does not', async () => {
  const { clean } = target();
  clean.note(
    [one],
    [{ operation: players.removeFriend, line: 'friends 1: players.removeFriend answered 500' }],
  );
  expect(await clean.traceOf(one)).toBeUndefined();
  clean.note([one], [{ operation: queue.cancel, line: 'queue 1: queue.cancel answered 500' }]);
  expect(await clean.traceOf(one)).toBe('an earlier scenario left queue 1: queue.cancel answered 500');
  expect(await clean.traceOf(two)).toBeUndefined();
});
