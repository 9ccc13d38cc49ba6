import { expect, test } from 'vitest';
import type { Exchange } from '../../http/exchange.ts';
import { identifies, ownData } from './own-data.ts';

const answer = (body: unknown, path = '/api/v1/wallet'): Exchange => ({
  request: { method: 'GET', url: `http://target.test${path}`, headers: [] },
  response: {
    status: 200,
    headers: [],
    body: new TextEncoder().encode(JSON.stringify(body)),
    wire: { bytes: 0 },
  },
  startedAt: 0,
  durationMs: 1,
  attempts: 1,
  waits: 0,
});

test.each([
  ['"8f14e45f-ceea-467f"', true],
  ['"player-1093"', true],
  ['"someone@example.org"', true],
  ['"treatment"', false],
  ['true', false],
  ['250', false],
  ['"2026-11-21T10:00:00Z"', false],
  ['"1763700000000"', false],
  ['"1763700000"', false],
])('%s identifies somebody: %s', (leaf, expected) => {
  expect(identifies(leaf)).toBe(expected);
});

test("what two players share is nobody's own", () => {
  const same = answer({ items: ['item-1234'] });
  expect(ownData(same, answer({ items: ['item-1234'] }), same)).toEqual({ own: [], shown: [] });
});

test("one player's value that a third answer holds is shown", () => {
  const mine = answer({ id: 'player-1111', coins: 5 });
  expect(ownData(mine, answer({ id: 'player-2222', coins: 7 }), mine)).toMatchObject({ shown: ['body/id'] });
  expect(ownData(mine, answer({ id: 'player-2222', coins: 7 }), mine).own).toHaveLength(2);
});

test('a default that happens to be alike does not count', () => {
  const mine = answer({ inPool: true });
  expect(ownData(mine, answer({ inPool: false }), mine)).toEqual({ own: ['body/inPool'], shown: [] });
});

test('an id that the path asked for does not count', () => {
  const asked = (id: string) => answer({ id }, `/api/v1/friends/${id}`);
  expect(ownData(asked('player-1111'), asked('player-2222'), asked('player-1111')).own).toEqual([]);
});
