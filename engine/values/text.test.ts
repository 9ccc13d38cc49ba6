import { expect, test } from 'vitest';
import { counted, cut, didYouMean, globMatches, nearest } from './text.ts';

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

test('the closest names come first', () => {
  const names = ['party.decree', 'queue.enter', 'party.create'];
  expect(nearest('party.creat', names, 3)).toEqual(['party.create', 'party.decree']);
});

test('letters that changed places are one mistake', () => {
  expect(nearest('abcd', ['abxy', 'abdc'], 1)).toEqual(['abdc']);
});

test('case does not count, and equals keep their order', () => {
  expect(nearest('PARTY', ['match', 'party'], 1)).toEqual(['party']);
  expect(nearest('abcd', ['abcx', 'abcy'], 2)).toEqual(['abcx', 'abcy']);
});

test.each([
  ['left-view', 'party/left-view'],
  ['left-veiw', 'party/left-view'],
  ['create', 'party.create'],
  ['answres', 'party.create#answers'],
])('%s is near to the last part of %s', (word, name) => {
  expect(nearest(word, ['queue.enter', name], 3)).toEqual([name]);
});

test('an absurdly long word is answered at once', () => {
  expect(nearest('x'.repeat(1_000_000), ['a', 'x'.repeat(128)], 1)).toEqual(['x'.repeat(128)]);
});

test.each([
  ['smoke', 'store'],
  ['x', 'y'],
  ['party.create', 'archives.getNode'],
  ['game', 'storefront'],
  ['', 'me'],
])('%j is not near to %j', (word, other) => {
  expect(nearest(word, [other], 1)).toEqual([]);
});

test('a part of a name is near to it, however long the rest is', () => {
  expect(nearest('AddFriend', ['players.addFriend', 'players.block'], 3)).toEqual(['players.addFriend']);
});

test('what is near becomes a question, and nothing where nothing is', () => {
  expect(didYouMean('partty', ['party', 'queue'])).toBe('; did you mean "party"?');
  expect(didYouMean('xyzzy', ['party', 'queue'])).toBe('');
});

test.each([
  [0, 'check', '0 checks'],
  [1, 'entry', '1 entry'],
  [2143, 'check', '2,143 checks'],
  [2, 'entry', '2 entries'],
  [2, 'key', '2 keys'],
])('%i of %s is "%s"', (count, thing, words) => {
  expect(counted(count, thing)).toBe(words);
});

test('a text is cut to so many characters, and says so', () => {
  expect([cut('abcd', 4), cut('abcde', 4)]).toEqual(['abcd', 'abc…']);
});
