import { expect, test } from 'vitest';
import { createEffectRecorder, merged, ownName } from './effects.ts';

test('counts what was acknowledged, and what may have taken effect', () => {
  const recorder = createEffectRecorder();
  recorder.begins(3, 0, 'general.purchase', 1).ends(true);
  recorder.begins(3, 0, 'general.purchase', 2).ends(false);
  recorder.begins(3, 0, 'general.purchase', 3);
  expect(recorder.recorded()).toEqual([
    expect.objectContaining({ place: 3, as: 0, operation: 'general.purchase', acknowledged: 1, unknown: 2 }),
  ]);
});

test('the last acknowledged write stands, and no earlier one', () => {
  const recorder = createEffectRecorder();
  for (const nth of [1, 2, 3]) recorder.begins(0, 0, 'players.setState', nth).ends(true);
  expect(recorder.recorded()[0]?.last).toEqual([3]);
});

test('a write without an answer may stand, however many were acknowledged after it', () => {
  const recorder = createEffectRecorder();
  recorder.begins(0, 0, 'players.setState', 1).ends(false);
  recorder.begins(0, 0, 'players.setState', 2).ends(true);
  recorder.begins(0, 0, 'players.setState', 3).ends(true);
  expect(recorder.recorded()[0]?.last).toEqual([1, 3]);
});

test('of writes that were under way at once, each may stand', () => {
  const recorder = createEffectRecorder();
  const one = recorder.begins(0, 0, 'players.setState', 1);
  const other = recorder.begins(0, 0, 'players.setState', 2);
  one.ends(true);
  other.ends(true);
  expect(recorder.recorded()[0]?.last).toEqual([1, 2]);
  recorder.begins(0, 0, 'players.setState', 3).ends(true);
  expect(recorder.recorded()[0]?.last).toEqual([3]);
});

test('where too many may stand, none is named', () => {
  const recorder = createEffectRecorder();
  for (let nth = 0; nth < 20; nth += 1) recorder.begins(0, 0, 'players.setState', nth).ends(false);
  expect(recorder.recorded()[0]).toMatchObject({ unknown: 20, last: [] });
});

test('what several processes recorded of one player is added up, and either write may stand', () => {
  const entry = { place: 1, as: 0, operation: 'players.setState', acknowledged: 2, unknown: 1, last: [4] };
  expect(merged([entry, { ...entry, last: [9] }])).toEqual([
    { ...entry, acknowledged: 4, unknown: 2, last: [4, 9] },
  ]);
  expect(merged([entry, { ...entry, last: [] }])[0]?.last).toEqual([]);
});

test('two iterations in a row ask for one name', () => {
  expect(ownName('k', 4)).toBe(ownName('k', 5));
  expect(ownName('k', 6)).not.toBe(ownName('k', 5));
});
