import { describe, expect, test } from 'vitest';
import { auth } from './areas/authentication.ts';
import { clientData } from './areas/client-data.ts';
import { extensions } from './areas/extensions.ts';
import { general } from './areas/general.ts';
import { messages } from './areas/messages.ts';
import { party } from './areas/party.ts';
import { playerName } from './areas/player-name.ts';
import { players } from './areas/players.ts';
import { queue, utils } from './areas/queue-ranks-utils.ts';
import { onHost, requestPath } from './request-path.ts';

const ambient = { CDN_ROOT_FOLDER_PATH: 'root', gameVersion: '1.2.3', versionPattern: '1.2' };

describe('a value in a path is one segment', () => {
  test.each([
    ['plain', 'plain'],
    ['a/b', 'a%2Fb'],
    ['100%', '100%25'],
    ['%2F', '%252F'],
    ['a?b=c', 'a%3Fb%3Dc'],
    ['a#b', 'a%23b'],
    ['a b', 'a%20b'],
    ['a+b', 'a%2Bb'],
    ['Jürgen', 'J%C3%BCrgen'],
    ['🦊', '%F0%9F%A6%8A'],
    ['.', '%2E'],
    ['..', '%2E%2E'],
    ['...', '...'],
    ['.a', '.a'],
    ['a\nb\0', 'a%0Ab%00'],
    ['$&', '%24%26'],
    ['{partyId}', '%7BpartyId%7D'],
  ])('%j is sent as %s', (value, sent) => {
    expect(requestPath(party.update, { partyId: value })).toBe(`/api/v1/party/${sent}`);
  });

  test.each([
    ['high alone', '\uD83E', '%EF%BF%BD'],
    ['low alone', '\uDD8A', '%EF%BF%BD'],
    ['high before a pair', '\uD83E\uD83E\uDD8A', '%EF%BF%BD%F0%9F%A6%8A'],
    ['low after a pair', '\uD83E\uDD8A\uDD8A', '%F0%9F%A6%8A%EF%BF%BD'],
    ['swapped', '\uDD8A\uD83E', '%EF%BF%BD%EF%BF%BD'],
  ])('a lone surrogate (%s) is sent as U+FFFD', (_, value, sent) => {
    expect(requestPath(party.update, { partyId: value })).toBe(`/api/v1/party/${sent}`);
  });

  test('several values each stay in their own segment', () => {
    expect(requestPath(party.acceptJoin, { partyId: 'a/b', playerId: 7 })).toBe(
      '/api/v1/party/a%2Fb/join/7/accept',
    );
  });
});

describe('values that may name a folder keep their slashes', () => {
  test('newsUrl', () => {
    expect(requestPath(clientData.news, { newsUrl: '2026/a b/ü.json' }, { ambient })).toBe(
      '/clientData/root/content/1.2.3/News/2026/a%20b/%C3%BC.json',
    );
  });

  test('CDN_ROOT_FOLDER_PATH', () => {
    const deep = { ...ambient, CDN_ROOT_FOLDER_PATH: 'live/eu west' };
    expect(requestPath(clientData.catalog, {}, { ambient: deep })).toBe(
      '/clientData/live/eu%20west/content/1.2.3/catalog.json',
    );
  });

  test('yet their dot segments are encoded, so that they stay below the prefix', () => {
    expect(requestPath(clientData.news, { newsUrl: '../../x' }, { ambient })).toBe(
      '/clientData/root/content/1.2.3/News/%2E%2E/%2E%2E/x',
    );
  });

  test('gameVersion is one segment all the same', () => {
    const odd = { ...ambient, gameVersion: '1/2' };
    expect(requestPath(clientData.catalog, {}, { ambient: odd })).toBe(
      '/clientData/root/content/1%2F2/catalog.json',
    );
  });
});

describe('the query', () => {
  test('has its parameters in documented order, whatever the order they are given in', () => {
    expect(requestPath(players.setBinaryState, { version: 3, stateName: 'S', schemaVersion: 1 })).toBe(
      '/api/v1/players/me/states/binary?schemaVersion=1&stateName=S&version=3',
    );
  });

  test('has fixed values by default', () => {
    expect(requestPath(general.consent)).toBe('/api/v1/consent?onlyAttentionNeeded=false');
    expect(requestPath(party.removePlayer, { partyId: 'p', playerId: 'q' })).toBe(
      '/api/v1/party/p/player/q?ban=false&disband=false',
    );
  });

  test('has the given value where a fixed one is overridden, false and the empty string too', () => {
    const key = { partyId: 'p', autoJoinKey: 'k' };
    expect(requestPath(party.get, { ...key, includeState: false })).toBe(
      '/api/v1/party/p?autoJoinKey=k&includeState=false',
    );
    expect(requestPath(party.details, { includeState: '' })).toBe('/api/v1/party/details?includeState=');
  });

  test('writes brackets percent-encoded, and raw where that is asked for', () => {
    const inbox = { language: 'en', limit: 20 };
    expect(requestPath(messages.listInbox, inbox)).toBe(
      '/api/v1/messages/listV2?filter%5B%5D=inbox&language=en&limit=20',
    );
    expect(requestPath(messages.listInbox, inbox, { rawBrackets: true })).toBe(
      '/api/v1/messages/listV2?filter[]=inbox&language=en&limit=20',
    );
  });

  test('repeats types[] for each value, and overrides a fixed filter[] by its bare name', () => {
    expect(requestPath(extensions.catalogItems, { types: ['skin', 'charm & co'] })).toBe(
      '/api/v1/extensions/store/getCatalogItems?types%5B%5D=skin&types%5B%5D=charm%20%26%20co',
    );
    expect(requestPath(messages.listInbox, { filter: ['a', 'b'], language: 'en', limit: 1 })).toBe(
      '/api/v1/messages/listV2?filter%5B%5D=a&filter%5B%5D=b&language=en&limit=1',
    );
  });

  test('encodes what would end a value or a query', () => {
    expect(requestPath(playerName.search, { playerName: 'a&b=c#d/é+🦊\uD800' })).toBe(
      '/api/v1/playername/search/crossplatformv2?playerName=a%26b%3Dc%23d%2F%C3%A9%2B%F0%9F%A6%8A%EF%BF%BD',
    );
  });

  test('carries the token of the login call', () => {
    expect(requestPath(auth.login, { token: 'aa.bb-_.cc' })).toBe(
      '/api/v1/auth/provider/storefront/login?token=aa.bb-_.cc',
    );
  });
});

test('a call without parameters is its path', () => {
  expect(requestPath(queue.enter)).toBe('/api/v1/queue');
});

test('a value of the call goes before that of the target', () => {
  expect(requestPath(utils.contentVersionOf, { versionPattern: '9' }, { ambient })).toBe(
    '/api/v1/utils/contentVersion/version?versionPattern=9',
  );
  expect(requestPath(utils.contentVersionOf, {}, { ambient })).toBe(
    '/api/v1/utils/contentVersion/version?versionPattern=1.2',
  );
});

test('a missing value is an error that names the operation and the parameter', () => {
  expect(() => requestPath(party.get, { partyId: 'p' })).toThrow(
    new RangeError('party.get needs a value for {autoJoinKey}'),
  );
  expect(() => requestPath(auth.login)).toThrow(new RangeError('auth.login needs a value for {token}'));
  expect(() => requestPath(clientData.catalog)).toThrow(
    /clientData\.catalog needs .*\{CDN_ROOT_FOLDER_PATH\}/,
  );
});

test.each([
  ['http://h:1', 'http://h:1/api/v1/queue'],
  ['http://h:1/', 'http://h:1/api/v1/queue'],
  ['https://h/some/prefix', 'https://h/some/prefix/api/v1/queue'],
  ['https://h/some/prefix//', 'https://h/some/prefix/api/v1/queue'],
])('the host %s keeps its path prefix', (host, url) => {
  expect(onHost(host, '/api/v1/queue')).toBe(url);
});

test('the words of the target are sent, percent-encoded, and parameters are still filled in', () => {
  const words = { words: { storefront: 'mein laden' }, wordsAt: {} };
  expect(requestPath(playerName.set, { providerPlayerName: 'storefront' }, { words })).toBe(
    '/api/v1/playername/mein%20laden/storefront',
  );
});
