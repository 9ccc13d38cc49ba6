// That conforming servers are accused of nothing, alone, in pairs and with profiles, is shown by `npm run prove -- --honest`.
import { expect, test } from 'vitest';
import { variants } from '../../../fixtures/conforming-variants/all.ts';
import { coveringRows, excluded, fewTogether, type Item, profiled } from './judge.ts';

test('there are at least forty, each with a name of its own', () => {
  const names = variants.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThanOrEqual(40);
});

test('those that exclude each other are there, too, and those that come with a profile', () => {
  const names = new Set(variants.map(({ name }) => name));
  const namedVariants = [...excluded.flatMap(({ pair }) => pair), ...profiled.flat()];
  expect(namedVariants.filter((name) => !names.has(name))).toEqual([]);
});

const items: Item[] = [
  ...['a', 'b', 'c'].map((name) => ({ name: `session ${name}`, kind: 'session' })),
  ...['x', 'y'].map((name) => ({ name: `address ${name}`, kind: 'address' })),
  ...['1', '2', '3', '4'].map((name) => ({ name })),
];
const apart = [{ pair: ['1', '2'], reason: 'they contradict each other' }] as const;
const namesOf = (rows: readonly (readonly Item[])[]) => rows.map((row) => row.map(({ name }) => name));

test('every pair of variants that may be combined is together in some row', () => {
  const { rows, pairs } = coveringRows(items, apart, '1', 4);
  const seen = new Set(
    namesOf(rows).flatMap((row) => row.flatMap((a, at) => row.slice(at + 1).map((b) => `${a}+${b}`))),
  );
  expect(seen.size).toBe(pairs);
  // 36 in all, but for 3 of sessions, 1 of addresses and the one that is excluded.
  expect(pairs).toBe(31);
});

test('variants of one kind, and those that are excluded, never stand together', () => {
  for (const row of coveringRows(items, apart, '2', 4).rows) {
    const kinds = row.flatMap(({ kind }) => kind ?? []);
    expect(new Set(kinds).size).toBe(kinds.length);
    expect(row.filter(({ name }) => name === '1' || name === '2').length).toBeLessThan(2);
  }
});

test('no row holds more variants than allowed', () => {
  const lengths = (most: number) => coveringRows(items, apart, '1', most).rows.map((row) => row.length);
  expect([4, 3, 2].map((most) => Math.max(...lengths(most)))).toEqual([4, 3, 2]);
});

test('there are hardly more operations than the two largest kinds ask for', () => {
  expect(coveringRows(items, apart, '1', 5).rows.length).toBeLessThanOrEqual(8);
});

test('the seed decides, and nothing else does', () => {
  const drawn = (seed: string) => namesOf(coveringRows(items, apart, seed, 4).rows);
  expect(drawn('1')).toEqual(drawn('1'));
  expect(drawn('1')).not.toEqual(drawn('2'));
});

test('few at a time, each stands once, and beside none that it excludes', () => {
  const rows = namesOf(fewTogether(items, apart, '1', 3));
  expect(rows.flat().toSorted()).toEqual(items.map(({ name }) => name).toSorted());
  expect(rows.every(({ length }) => length <= 3)).toBe(true);
  expect(rows).not.toEqual(namesOf(fewTogether(items, apart, '2', 3)));
  for (const row of rows)
    for (const { pair } of apart) expect(pair.every((name) => row.includes(name))).toBe(false);
});
