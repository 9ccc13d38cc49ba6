import { expect, it } from 'vitest';
import { sharingOf, unmatchedWords } from './sharing.ts';

it('says nothing of what no list names', () => {
  expect(sharingOf({}, ['players.friends'])).toBeUndefined();
  expect(sharingOf({ private: ['party.*'], shared: ['match.get'] }, ['players.friends'])).toBeUndefined();
});

it('names operations, and checks by their ids or by those of their operations', () => {
  const names = ['friends/stranger-reads-list', 'players.friends'];
  for (const word of ['players.friends', 'players.*', 'friends/stranger-*', 'friends/stranger-reads-list'])
    expect(sharingOf({ private: [word] }, names)).toBe('private');
});

it('lets the word that says more decide, and private where two say as much', () => {
  const names = ['players.friends'];
  expect(sharingOf({ private: ['*'], shared: ['players.*'] }, names)).toBe('shared');
  expect(sharingOf({ private: ['players.friends'], shared: ['players.friend*'] }, names)).toBe('private');
  expect(sharingOf({ private: ['*.friends'], shared: ['players*'] }, names)).toBe('private');
  expect(sharingOf({ private: ['players.*'], shared: ['players.*'] }, names)).toBe('private');
});

it('lists the words that name neither an operation nor a check', () => {
  expect(
    unmatchedWords({ private: ['players.freinds', 'players.*'], shared: ['flow/step'] }, ['flow/step']),
  ).toEqual(['private: "players.freinds" matches no operation and no check (nearest: players.friends)']);
});
