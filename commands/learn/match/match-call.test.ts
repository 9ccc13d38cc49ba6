import { expect, test } from 'vitest';
import { matchCall, operationsAt } from './match-call.ts';

const match = (url: string, method = 'GET') => {
  const found = matchCall(method, new URL(url));
  return found && { id: found.operation.id, host: found.host, params: found.params };
};
const messages = (query: string) => match(`http://a/api/v1/messages/listV2${query}`)?.id;

test('a host may have a path prefix, even one that looks like the interface', () => {
  expect(match('https://a:8443/gw/v2/api/v1/config')).toMatchObject({ host: 'https://a:8443/gw/v2' });
  expect(match('http://a/api/v1/api/v1/config')).toMatchObject({
    id: 'general.config',
    host: 'http://a/api/v1',
  });
  expect(match('http://a/files/clientData/live/content/1/catalog.json')).toMatchObject({
    host: 'http://a/files',
  });
});

test('operations that share a path are distinguished by their query', () => {
  expect(messages('')).toBe('messages.list');
  expect(messages('?limit=5')).toBe('messages.listLimited');
  expect(messages('?filter[]=news')).toBe('messages.listFiltered');
  expect(messages('?filter%5B%5D=inbox&language=en&limit=5')).toBe('messages.listInbox');
  expect(messages('?filter=inbox')).toBe('messages.listFiltered');
});

test('a default that the caller changed, and a query of its own, do not make another operation', () => {
  expect(match('http://a/api/v1/party/p?autoJoinKey=k&includeState=false&trace=1')).toEqual({
    id: 'party.get',
    host: 'http://a',
    params: { partyId: 'p', autoJoinKey: 'k' },
  });
});

test('the login’s token is no parameter', () => {
  expect(match('http://a/api/v1/auth/provider/shop/login?token=x.y.z', 'POST')).toMatchObject({ params: {} });
});

test('a path that is none of the interface’s matches nothing', () => {
  expect(match('http://a/')).toBeUndefined();
  expect(match('http://a/api/v1/unheard-of/call')).toBeUndefined();
  expect(match('http://a/API/V1/config')).toBeUndefined();
});

const found = (method: string, path: string) =>
  operationsAt(method, path).map(({ operation, word, params }) => [operation.id, word, params]);

test('any word may stand where a neutral one does', () => {
  expect(found('GET', '/api/v1/acme-challenges')).toEqual([['game.challenges', 'acme', {}]]);
  expect(found('GET', '/api/v1/two-words-challenges')).toEqual([['game.challenges', 'two-words', {}]]);
  expect(found('POST', '/api/v1/acmeLogs/batch')).toEqual([['logs.logsBatch', 'acme', {}]]);
});

test('a path that two operations match is the one that leaves less to chance', () => {
  expect(found('GET', '/api/v1/party/details')).toEqual([['party.details', undefined, {}]]);
  expect(found('GET', '/api/v1/party/d')).toEqual([['party.get', undefined, { partyId: 'd' }]]);
  const file = (name: string) => found('GET', `/clientData/live/content/1.0/${name}`)[0]?.slice(0, 2);
  expect(file('sharedConfigs.json')).toEqual(['clientData.sharedConfigs', undefined]);
  expect(file('AcmeConfigs.json')).toEqual(['clientData.gameConfigs', 'Acme']);
});

test('parameters are decoded; a malformed escape stays as it was sent', () => {
  expect(found('GET', '/api/v1/match/a%2Fb')).toEqual([['match.get', undefined, { matchId: 'a/b' }]]);
  expect(found('GET', '/api/v1/match/a%2')).toEqual([['match.get', undefined, { matchId: 'a%2' }]]);
});

test('the client data’s root folder and a news file may name folders', () => {
  expect(found('GET', '/clientData/a/b/content/7.2/News/2026/may.json')).toEqual([
    [
      'clientData.news',
      undefined,
      { CDN_ROOT_FOLDER_PATH: 'a/b', gameVersion: '7.2', newsUrl: '2026/may.json' },
    ],
  ]);
});

test('another method, or a segment more, is another call', () => {
  expect(found('PATCH', '/api/v1/config')).toEqual([]);
  expect(found('GET', '/api/v1/config/')).toEqual([]);
  expect(found('GET', '/api/v1/config/extra')).toEqual([]);
});
