import { expect, test } from 'vitest';
import { effectOf, timesOf, withoutDrift } from './figures.ts';

test('an effect holds what moved, counted in effects of one call', () => {
  const effect = effectOf({ coins: 10, gems: 1 }, { coins: 30, gems: 1, points: 4 });
  expect([...effect]).toEqual([
    ['coins', 20],
    ['points', 4],
  ]);
  expect([...timesOf(effect, new Map([['coins', 10]]))]).toEqual([['coins', 2]]);
  expect([...timesOf(new Map(), new Map([['gems', 1]]))]).toEqual([['gems', 0]]);
});

test('what changes by itself as fast tells nothing', () => {
  const effect = new Map([
    ['coins', 1_000],
    ['gems', 4],
  ]);
  expect(withoutDrift(effect, undefined)).toBe(effect);
  expect([
    ...withoutDrift(effect, { before: { coins: 0, gems: 0 }, after: { coins: 2, gems: 2 } }).keys(),
  ]).toEqual(['coins']);
});
