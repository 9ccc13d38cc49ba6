import { describe, expect, test } from 'vitest';
import { noSuchId, scramble } from './nonexistent.ts';
import { randomFrom } from './random.ts';

describe('random letters', () => {
  test('have the length and class of what they stand for', () => {
    expect(scramble('getFriendInfo-V2_en', randomFrom('1'))).toMatch(
      /^[b-z]{3}[B-Z][b-z]{5}[B-Z][b-z]{3}-[B-Z]2_[b-z]{2}$/,
    );
  });

  test('are others than what they stand for, digits too', () => {
    expect(scramble('2026', randomFrom('1'))).not.toBe('2026');
  });

  test('are repeated by a seed, and differ with it', () => {
    expect(scramble('unrouted', randomFrom('1'))).toBe(scramble('unrouted', randomFrom('1')));
    expect(scramble('unrouted', randomFrom('1'))).not.toBe(scramble('unrouted', randomFrom('2')));
  });
});

test.each([
  ['party-00ab1f', 'party-11bc21'],
  ['3f0a-9z{}', '3f0a-11{}'],
  ['player-7', 'player-900000007'],
  ['12', '900000012'],
])('an id that nobody has is like one that somebody has: %s', (id, other) => {
  expect(noSuchId(id)).toBe(other);
});
