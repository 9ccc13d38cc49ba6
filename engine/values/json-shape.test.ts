import { expect, test } from 'vitest';
import { skeletonOf } from './json-shape.ts';

const id = (n: number) => `${n}0000000-0000-4000-8000-000000000000`;

test.each([
  [
    'values become their types',
    { n: 1, s: 'x', b: true, at: null },
    '{"at":"null","b":"boolean","n":"number","s":"string"}',
  ],
  ['names are sorted', { b: 1, a: { d: 1, c: 1 } }, '{"a":{"c":"number","d":"number"},"b":"number"}'],
  ['elements of a list are one', [{ id: 1 }, { id: 2 }], '[{"id":"number"}]'],
  [
    'a name that only some elements have is optional',
    [{ id: 1, x: 'a' }, { id: 2 }],
    '[{"id":"number","x?":"string"}]',
  ],
  ['types that share a place are joined', [1, 'a', null], '["null|number|string"]'],
  ['kinds that share a place are listed', [1, { a: 1 }, []], '[{"|":[{"a":"number"},[],"number"]}]'],
  ['a list of lists', [[], [1]], '[["number"]]'],
  ['an empty list and an empty object', { a: [], b: {} }, '{"a":[],"b":{}}'],
  ['a map by UUID', { [id(1)]: { x: 1 }, [id(2)]: { x: 2 } }, '{"{}":{"x":"number"}}'],
  ['a map by number', { 1: 'a', 22: 'b' }, '{"{}":"string"}'],
  ['a map by address', { 'a@b.example': 1 }, '{"{}":"number"}'],
  ['a map with a fixed name beside', { total: 1, 7: { x: 1 } }, '{"total":"number","{}":{"x":"number"}}'],
  ['a plain value', 'x', '"string"'],
])('%s', (_, value, expected) => {
  expect(JSON.stringify(skeletonOf(value))).toBe(expected);
});

test('neither the order of names nor that of elements counts', () => {
  const one = [
    { a: 1, b: [1, 'x'] },
    { a: 'y', c: null },
  ];
  const other = [
    { c: null, a: 'z' },
    { b: ['v', 2], a: 3 },
  ];
  expect(skeletonOf(other)).toEqual(skeletonOf(one));
});

test('an object of many names is a map', () => {
  const many = Object.fromEntries(Array.from({ length: 201 }, (_, n) => [`k${'x'.repeat(n % 50)}${n}`, n]));
  expect(skeletonOf(many)).toEqual({ '{}': 'number' });
});

test.each([
  [29, { n: 'number' }],
  [30, { '{}': 'number' }],
])('%i names of one shape', (count, expected) => {
  const names = Array.from({ length: count }, (_, n) => `flag${'x'.repeat(n)}`);
  expect(skeletonOf(Object.fromEntries([...names.slice(1), 'n'].map((name) => [name, 1])))).toMatchObject(
    expected,
  );
});

test('what is too long is cut in depth, and stays JSON', () => {
  const wide = (depth: number): unknown =>
    depth === 0 ? 1 : Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`name${n}`, wide(depth - 1)]));
  const text = JSON.stringify(skeletonOf({ a: wide(4), b: 'x' }));
  expect(text.length).toBeLessThanOrEqual(4_000);
  expect(JSON.parse(text)).toMatchObject({ a: { name0: { name1: '…' } }, b: 'string' });
});

test('names that together are too long give no skeleton', () => {
  const names = Array.from({ length: 150 }, (_, n) => `${'n'.repeat(40)}${n}`);
  expect(skeletonOf(Object.fromEntries(names.map((name, n) => [name, n % 2 ? 1 : 'x'])))).toBe('…');
});

test('neither depth nor size overflows', () => {
  const deep = JSON.parse('['.repeat(5_000) + ']'.repeat(5_000)) as unknown;
  expect(JSON.stringify(skeletonOf(deep))).toContain('…');
  expect(skeletonOf(Array.from({ length: 500_000 }, () => ({ a: 1 })))).toEqual([
    { '|': [{ a: 'number|…' }, '…'] },
  ]);
});

test('treats __proto__ and constructor like other names', () => {
  const value: unknown = JSON.parse('{"__proto__":{"polluted":1},"constructor":1}');
  expect(JSON.stringify(skeletonOf(value))).toBe(
    '{"__proto__":{"polluted":"number"},"constructor":"number"}',
  );
});
