import { expect, test } from 'vitest';
import { at, listAt, numberAt, textAt } from './members.ts';

const value = { a: { b: [1, 2], c: 'text', d: Number.NaN } };

test('reads what stands at a path, of the right kind', () => {
  expect(at(value, 'a', 'c')).toBe('text');
  expect(textAt(value, 'a', 'c')).toBe('text');
  expect(numberAt({ n: 3 }, 'n')).toBe(3);
  expect(listAt(value, 'a', 'b')).toEqual([1, 2]);
});

test('has nothing of another kind, of what is missing, and of what every object has', () => {
  expect(numberAt(value, 'a', 'd')).toBeUndefined();
  expect(textAt(value, 'a', 'b')).toBeUndefined();
  expect(listAt(value, 'a', 'c')).toEqual([]);
  expect(at(null, 'a')).toBeUndefined();
  expect(at(value, 'constructor')).toBeUndefined();
});
