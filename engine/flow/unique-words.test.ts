import { expect, test } from 'vitest';
import { createUniqueWords } from './unique-words.ts';

test('no word comes twice, and none is the beginning of another', () => {
  const { unique } = createUniqueWords('r.1');
  const words = Array.from({ length: 100 }, () => unique('assay'));
  expect(new Set(words).size).toBe(words.length);
  expect(new Set(words.map(({ length }) => length)).size).toBe(1);
});

test('a text names the makers of the words in it, each once', () => {
  const { unique, makersIn } = createUniqueWords('r.1');
  const [name, state, nobodys] = [
    unique('name', 'names/set'),
    unique('state', 'state/keeps'),
    unique('word'),
  ];
  expect(makersIn(JSON.stringify({ name, again: [name, state], nobodys }))).toEqual([
    'names/set',
    'state/keeps',
  ]);
  expect(makersIn('name-rx10001')).toEqual([]);
});
