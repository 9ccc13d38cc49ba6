import { expect, test } from 'vitest';
import { globMatches } from './text.ts';

test.each([
  ['party.create#routed', 'party.create#routed'],
  ['party.*', 'party.create#routed'],
  ['*#routed', 'party.create#routed'],
  ['*', ''],
  ['**', 'x'],
  ['p?rty', 'party'],
  ['a*b*c', 'axxbxxbc'],
  ['#query-?mpty', '#query-empty'],
])('%s matches %s', (glob, text) => {
  expect(globMatches(glob, text)).toBe(true);
});

test.each([
  ['party', 'party.create'],
  ['party.*', 'match.party.x'],
  ['p?rty', 'prty'],
  ['party.create', 'partyXcreate'],
  ['a*b', 'abc'],
  ['', 'x'],
  ['?', ''],
])('%s does not match %s', (glob, text) => {
  expect(globMatches(glob, text)).toBe(false);
});

test('a glob of many stars does not take for ever', () => {
  expect(globMatches(`${'*a'.repeat(2_000)}b`, 'a'.repeat(20_000))).toBe(false);
});
