import { expect, test } from 'vitest';
import { unlike } from './reads.ts';

test.each([
  ['party-00ab1f', 'party-11bc21'],
  ['3f0a-9z{}', '3f0a-11{}'],
  ['12', '23'],
])('an id that nobody has is like one that somebody has: %s', (id, other) => {
  expect(unlike(id)).toBe(other);
});
