import { expect, test } from 'vitest';
import { columns, cut, wrap } from './columns.ts';

test.each([
  ['abc', 3],
  ['Jürgen', 6],
  ['山田', 4],
  ['🦊', 2],
])('%s takes %i columns', (text, count) => {
  expect(columns(text)).toBe(count);
});

test.each([
  ['abcdef', 6, 'abcdef'],
  ['abcdef', 5, 'abcd…'],
  ['abc def', 5, 'abc…'],
  ['山田山', 5, '山田…'],
  ['🦊🦊🦊', 4, '🦊…'],
])('%s in %i columns is %s', (text, width, shown) => {
  expect(cut(text, width)).toBe(shown);
});

test('text is wrapped at spaces and cut on the last line', () => {
  expect(wrap('one two three four five', 9, 3)).toEqual(['one two', 'three', 'four five']);
  expect(wrap('one two three four five', 9, 2)).toEqual(['one two', 'three fo…']);
});

test('a word longer than a line is broken', () => {
  expect(wrap('abcdefghijkl', 5, 3)).toEqual(['abcde', 'fghij', 'kl']);
});

test('text that fits is one line', () => {
  expect(wrap('fits', 4, 3)).toEqual(['fits']);
});
