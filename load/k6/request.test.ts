import { expect, test } from 'vitest';
import { findPointer } from './request.ts';

test('the surest name goes first, then what is nearer to the root', () => {
  expect(findPointer({ id: 1, party: { partyId: 'p' } }, ['partyId', 'id'])).toBe('/party/partyId');
  expect(findPointer({ deep: { id: 2 }, id: 1 }, ['id'])).toBe('/id');
});

test('letter case and what is no letter do not count, and the pointer is escaped', () => {
  expect(findPointer({ 'a/b': { party_id: 7 } }, ['partyId'])).toBe('/a~1b/party_id');
});

test('what identifies nothing is not found', () => {
  expect(findPointer({ partyId: null, id: '' }, ['partyId', 'id'])).toBeUndefined();
  expect(findPointer('text', ['id'])).toBeUndefined();
});

test('the id of a match is a matchId, and the id of anything else is none', () => {
  expect(findPointer({ ticket: { id: 't' }, match: { id: 'm' } }, ['matchId'])).toBe('/match/id');
  expect(findPointer({ ticket: { id: 't' }, id: 1 }, ['matchId'])).toBeUndefined();
});
