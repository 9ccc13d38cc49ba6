import { expect, test } from 'vitest';
import { differences, differencesFrom, laidOver, read, write } from './record.ts';

const before = new Map([
  ['party.create#media', 'pass'],
  ['party.create#answers', 'pass'],
  ['party.create#shape', 'observed = 200 {"id":"string"}'],
  ['party/create', 'pass'],
]);

test('keys of one group that share a value stand on one line', () => {
  expect(write(before)).toBe(
    'party.create#shape: observed = 200 {"id":"string"}\nparty.create#{answers media}: pass\nparty/create: pass\n',
  );
});

test('what was written is read back', () => {
  expect([...read(write(before))].sort()).toEqual([...before].sort());
});

test.each([
  ['a key without a group', 'media', 'pass'],
  ['a key that would be read back as several', 'party.create#{media}', 'pass'],
  ['a value of two lines', 'party.create#media', 'pass\nfail'],
])('%s is not written', (_, key, value) => {
  expect(() => write(new Map([[key, value]]))).toThrow(key);
});

test('a line that is damaged is not read', () => {
  expect(() => read('party.create#media pass')).toThrow('"party.create#media pass" is no line of a record');
});

test('a value that changed, a key that is gone and a key that is new are all differences', () => {
  const after = new Map([...before, ['party.create#media', 'fail'], ['party/join', 'pass']]);
  after.delete('party/create');
  expect(differences(before, after)).toEqual([
    { key: 'party.create#media', was: 'pass', is: 'fail' },
    { key: 'party/create', was: 'pass', is: undefined },
    { key: 'party/join', was: undefined, is: 'pass' },
  ]);
});

test('the differences from another record give back the whole one', () => {
  const after = new Map([...before, ['party.create#media', 'fail'], ['party/join', 'pass']]);
  after.delete('party/create');
  const changes = differencesFrom(before, after);
  expect(changes.size).toBe(3);
  expect(differences(laidOver(before, read(write(changes))), after)).toEqual([]);
});
