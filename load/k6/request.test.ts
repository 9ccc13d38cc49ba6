import { expect, test } from 'vitest';
import { findPointer, hostIn, ownUrl, portAt, withPort } from './request.ts';

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

test.each([
  ['http://game.test/v2/party', 'http://game.test:080/v2/party', 'game.test'],
  ['https://game.test', 'https://game.test:0443', 'game.test'],
  ['http://127.0.0.1:8080/a?b=:1', 'http://127.0.0.1:08080/a?b=:1', '127.0.0.1:8080'],
  ['https://[::1]:9/a', 'https://[::1]:09/a', '[::1]:9'],
])(
  'another player writes %s so that its connection is another, and the target is the same',
  (url, own, host) => {
    const whole = withPort(url);
    expect(ownUrl(whole, portAt(whole), 1)).toBe(own);
    expect(ownUrl(whole, portAt(whole), 0)).toBe(whole);
    expect(hostIn(url)).toBe(host);
    expect(new URL(own).href).toBe(new URL(url).href);
  },
);
