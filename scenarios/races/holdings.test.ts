import { expect, test } from 'vitest';
import { isNowhere, repeated } from './holdings.ts';

const once = new Map([['balance coins', 5]]);

test('an effect that is there twice is named, and one that is there once is not', () => {
  expect(repeated(new Map([['balance coins', 10]]), once)).toBe(
    'balance coins changed by 10, and by 5 for one call alone',
  );
  expect(repeated(once, once)).toBeUndefined();
});

test('reports a missing effect only when one was expected', () => {
  expect(isNowhere(new Map(), once)).toBe(true);
  expect(isNowhere(once, once)).toBe(false);
  expect(isNowhere(new Map(), new Map())).toBe(false);
});
