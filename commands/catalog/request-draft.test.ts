import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { step } from './itinerary.ts';
import { draftOf } from './request-draft.ts';
import { type Speech, unspoken } from './target-speech.ts';

const { auth, extensions, general, logs, messages, party, players } = areas;
const spoken = (operations: Speech['operations'], rest: Partial<Speech> = {}): Speech => ({
  ...unspoken,
  ...rest,
  operations,
});

test.each([
  ['a row without parameters', general.version, '/api/v1/version'],
  [
    'brackets of a query',
    extensions.catalogItems,
    '/api/v1/extensions/store/getCatalogItems?types%5B%5D={{types}}',
  ],
  [
    'a fixed value',
    messages.listInbox,
    '/api/v1/messages/listV2?filter%5B%5D=inbox&language={{language}}&limit={{limit}}',
  ],
  ['the login token', auth.login, '/api/v1/auth/provider/storefront/login?token={{loginToken}}'],
  ['the other player', party.cancelJoin, '/api/v1/party/{{partyId}}/join/cancel?friendId={{otherId}}'],
])('%s', (_, operation, path) => {
  expect(draftOf(step(operation), unspoken).path).toBe(path);
});

test('for the other player, the two change places', () => {
  const body = { playerIds: ['{{other.id}}', '{{player.id}}'] };
  const draft = draftOf(step(players.addFriend, { as: 'other' }), spoken({ 'players.addFriend': { body } }));
  expect(draft.body?.template).toEqual({ playerIds: ['{{playerId}}', '{{otherId}}'] });
  expect(draft.headers).toContainEqual(['Authorization', 'Bearer {{otherSession}}']);
});

test("the target's words, headers and values of single rows are used", () => {
  const draft = draftOf(
    step(auth.login),
    spoken(
      {},
      {
        words: { words: { storefront: 'steel' }, wordsAt: {} },
        headers: [
          { name: 'x-client', value: '7' },
          { name: 'x-api-key', variable: 'API_KEY' },
        ],
      },
    ),
  );
  expect(draft.path).toBe('/api/v1/auth/provider/steel/login?token={{loginToken}}');
  expect(draft.headers).toEqual([
    ['x-client', '7'],
    ['x-api-key', '{{API_KEY}}'],
    ['Content-Type', 'application/json'],
  ]);
  const story = spoken({ 'archives.story': { parameters: { storyId: 'a b' } } });
  expect(draftOf(step(areas.archives.story), story).path).toMatch(/\?storyId=a%20b$/);
});

test('a session goes to the main API alone, and not to the login', () => {
  const signed = [auth.login, general.version, logs.logsBatch, areas.clientData.catalog].map(
    (operation) => draftOf(step(operation), unspoken).signedBy,
  );
  expect(signed).toEqual([undefined, 'main', undefined, undefined]);
});

test.each<readonly [string, Speech['credentials'], readonly (readonly [string, string])[], string]>([
  ['a header', [{ source: 'x-s', sentAs: { header: 'x-s', before: '' } }], [['x-s', '{{session}}']], ''],
  ['a query value', [{ source: '/sid', sentAs: { query: 's d' } }], [], '?s%20d={{session}}'],
  [
    'two cookies, in one field',
    [
      { source: 'cookie:a', sentAs: { cookie: 'a' } },
      { source: 'cookie:b', sentAs: { cookie: 'b' } },
    ],
    [['Cookie', 'a={{session}}; b={{session2}}']],
    '',
  ],
])('the session as %s', (_, credentials, headers, query) => {
  const draft = draftOf(step(general.version), { ...unspoken, credentials });
  expect(draft.headers).toEqual(headers);
  expect(draft.path).toBe(`/api/v1/version${query}`);
});

test.each([
  ['a guess', {}, { template: {}, contentType: 'application/json', asText: false }],
  ['none, where the profile says so', { body: null }, undefined],
  [
    'a text that is no JSON',
    { body: 'a={{value}}', contentType: 'application/x-www-form-urlencoded' },
    { template: 'a={{value}}', contentType: 'application/x-www-form-urlencoded', asText: true },
  ],
])('the body is %s', (_, operation, body) => {
  expect(draftOf(step(party.create), spoken({ 'party.create': operation })).body).toEqual(body);
});

test('a GET has no body, and a binary path some bytes', () => {
  expect(draftOf(step(general.version), unspoken).body).toBeUndefined();
  expect(draftOf(step(players.setBinaryState), unspoken).body).toMatchObject({ asText: true });
});

test('a value of the step stands in path and body', () => {
  const body = { name: '{{stateName}}' };
  const values = { stateName: 'S' };
  const speech = spoken({ 'players.setState': { body } });
  expect(draftOf(step(players.setState, { values }), speech).body?.template).toEqual({ name: 'S' });
  expect(draftOf(step(players.setBinaryState, { values }), unspoken).path).toContain('stateName=S&');
});

test('a batch of logs carries the session where the logging API takes it', () => {
  const signed = (sessionHosts: Speech['sessionHosts']) => {
    const { signedBy, headers, uses } = draftOf(step(logs.logsBatch), { ...unspoken, sessionHosts });
    return [signedBy, headers.some(([name]) => name === 'Authorization'), uses.includes('session')];
  };
  expect(signed([])).toEqual([undefined, false, false]);
  expect(signed(['gamelogs'])).toEqual(['main', true, true]);
});
