import { expect, test } from 'vitest';
import { once } from './once.ts';

test('makes a value once for each key', () => {
  let made = 0;
  const length = once(
    (text: string) => {
      made += 1;
      return text.length;
    },
    (text) => text.toLowerCase(),
  );
  expect([length('one'), length('ONE'), length('three'), length('one')]).toEqual([3, 3, 5, 3]);
  expect(made).toBe(2);
});

test('keeps a value that is undefined, and makes anew what threw', () => {
  let asked = 0;
  const second = once((_: string) => {
    asked += 1;
    if (asked === 1) throw new Error('not yet');
  });
  expect(() => second('a')).toThrow('not yet');
  expect(second('a')).toBeUndefined();
  second('a');
  expect(asked).toBe(2);
});
