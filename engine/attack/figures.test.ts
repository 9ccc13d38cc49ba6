import { expect, test } from 'vitest';
import { changesBetween, multiplesOf, withoutDrift, withoutRandomEffects } from './figures.ts';

test('counts an effect in multiples of the effect of one call', () => {
  const effect = changesBetween({ coins: 10, gems: 1 }, { coins: 30, gems: 1, points: 4 });
  expect([...effect]).toEqual([
    ['coins', 20],
    ['points', 4],
  ]);
  expect([...multiplesOf(effect, new Map([['coins', 10]]))]).toEqual([['coins', 2]]);
  expect([...multiplesOf(new Map(), new Map([['gems', 1]]))]).toEqual([['gems', 0]]);
});

test('leaves out figures that change as fast without a call', () => {
  const effect = new Map([
    ['coins', 1_000],
    ['gems', 4],
  ]);
  expect(withoutDrift(effect, undefined)).toBe(effect);
  expect([
    ...withoutDrift(effect, { before: { coins: 0, gems: 0 }, after: { coins: 2, gems: 2 } }).keys(),
  ]).toEqual(['coins']);
});

test('leaves out figures that a single call changes differently for different players', () => {
  const effect = new Map([
    ['coins', 100],
    ['gems', -4],
    ['items', 1],
  ]);
  expect(withoutRandomEffects(effect, undefined)).toBe(effect);
  const others = [
    { coins: 140, gems: -4 },
    { coins: 70, gems: -4, items: 1 },
  ].map((each) => new Map(Object.entries(each)));
  expect([...withoutRandomEffects(effect, others).keys()]).toEqual(['gems']);
});
