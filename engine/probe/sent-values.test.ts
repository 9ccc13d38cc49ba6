import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { pathPattern, sentIn } from './sent-values.ts';

const ambient = { CDN_ROOT_FOLDER_PATH: 'root', gameVersion: '1', versionPattern: '1' };
const target = { hosts: { base: 'http://a.test/api+x' }, ambient };
const inParty = pathPattern(areas.party.removePlayer, target);
const path = 'http://a.test/api+x/api/v1/party/p%2F1/player/q%20x';

test('finds the parameters of a path, decoded', () => {
  expect([...(inParty('DELETE', `${path}?ban=false`) ?? [])]).toEqual([
    ['partyId', 'p/1'],
    ['playerId', 'q x'],
  ]);
});

test.each([
  ['another method', 'PUT', path],
  ['a path below it', 'DELETE', `${path}/more`],
  ['another path', 'DELETE', path.replace('party', 'pardy')],
])('finds none in %s', (_, method, url) => {
  expect(inParty(method, url)).toBeUndefined();
});

test('leaves out what cannot be decoded', () => {
  expect([...(inParty('DELETE', path.replace('p%2F1', '%E0%A4%A')) ?? [])]).toEqual([['playerId', 'q x']]);
});

test('lists what a request names in its path, its query and its JSON', () => {
  const request = {
    method: 'POST',
    url: `${path}?a=1&b=x%20y`,
    headers: [],
    body: '{"ids":["i",2]}',
  } as const;
  expect(sentIn(request, new Map([['partyId', 'p/1']]))).toEqual(['p/1', '1', 'x y', 'i', 2]);
});

test('reads no body that is not JSON', () => {
  expect(sentIn({ method: 'POST', url: 'http://a.test/', headers: [], body: '{' })).toEqual([]);
});
