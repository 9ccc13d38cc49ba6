import { expect, test } from 'vitest';
import { exchangeOf } from '../../fixtures/kit/exchanges.ts';
import { standingIn } from './experience.ts';

test.each<[object, object | undefined]>([
  [
    { tier: 2, totalXp: 250, xpToNextTier: 50 },
    { tier: 2, xp: 250, lacking: 50 },
  ],
  [
    { tier: 1, total_xp: 250, xp_in_tier: 50, xp_per_tier: 100 },
    { tier: 1, xp: 250, lacking: 50 },
  ],
  [
    { tier: 0, xp: 3, xpPerTier: 0 },
    { tier: 0, xp: 3, lacking: 0 },
  ],
  // May be what is lacking, or where the next tier begins.
  [
    { tier: 0, xp: 3, next_tier_xp: 1000 },
    { tier: 0, xp: 3, lacking: 0 },
  ],
  [{ one: { tier: 0, xp: 1 }, other: { tier: 2, xp: 9 } }, undefined],
  [{ tier: 1 }, undefined],
])('where a player stands by %j', (body, expected) => {
  expect(standingIn(exchangeOf({ status: 200, body }))).toEqual(expected);
});
