import { expect, test } from 'vitest';
import { exchangeOf } from '../../fixtures/kit/exchanges.ts';
import { figureIn, grownIn } from './figures.ts';

const answer = (body: unknown) => exchangeOf({ status: 200, body });
const tier = (xp: number) => answer({ archiveId: 'S1', xp, tier: 0 });

test('a figure that grows is found again beside the same members', () => {
  const [figure, ...more] = grownIn(tier(1), tier(2));
  expect(more).toEqual([]);
  expect(figure).toMatchObject({ name: 'xp', value: 2 });
  expect(figureIn(answer({ data: { tier: 0, xp: 0, archiveId: 'S1' } }), figure)).toBe(0);
});

test('an answer may tell more of the same thing than the read does', () => {
  const report = (xp: number) => answer({ archiveId: 'S1', xp, tier: 0, gained: 1 });
  const [figure] = grownIn(report(1), report(2));
  expect(figureIn(tier(2), figure)).toBe(2);
});

test.each([
  ['of another archive', { archiveId: 'S2', xp: 0, tier: 0 }],
  ['of another form', { xp: 0, tier: 0 }],
  ['that stands there twice', [0, 1].map((xp) => ({ archiveId: 'S1', xp, tier: 0 }))],
])('a figure %s is another one', (_, body) => {
  const [figure] = grownIn(tier(1), tier(2));
  expect(figureIn(answer(body), figure)).toBeUndefined();
});
