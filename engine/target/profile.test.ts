import { expect, test } from 'vitest';
import { readProfile, silentProfile } from './profile.ts';
import { parameterNames } from './profile-validation.ts';
import type { SessionTransport } from './session-transport.ts';

test('an empty object is a profile', () => {
  expect(readProfile('{}', {})).toEqual({ profile: silentProfile });
});

test('a profile gives all that a target may choose', () => {
  const speaks = {
    body: {
      name: '{{player.name}}',
      party: ['{{partyId}}', '{{ticket}}'],
      note: 'by {{player.id}} at {{now}}',
    },
    contentType: 'application/vnd.party+json; v=1',
    accepts: [200, 409],
    ids: { partyId: '/data/id', ticket: '/data/a~1b' },
    schema: {
      type: 'object',
      required: ['data'],
      properties: { at: { type: 'string', format: 'date-time' } },
    },
    effect: 'shared',
  };
  const written = {
    $schema: './profile.schema.json',
    name: 'a server',
    words: { game: 'quest' },
    wordsAt: { 'clientData.gameConfigs': { game: 'Quest' } },
    parameters: { storyId: 's1', limit: 5, types: 'outfit' },
    headers: { 'X-Client': '7', 'X-Key': { env: 'KEY' } },
    session: {
      body: null,
      transport: {
        kind: 'combined',
        parts: [
          { kind: 'cookie', names: ['sid'] },
          { kind: 'bearer', source: '/t' },
        ],
      },
      hosts: { cdn: false, gamelogs: true },
      jwt: { alg: 'ES256', claims: { iss: 'us' } },
    },
    operations: { 'party.create': speaks, 'archives.journal': { parameters: { storyId: 7 } } },
    omit: [{ operation: 'me.logout', reason: 'not built yet' }],
    waivers: [
      { check: 'party.*#answers', reason: 'slow', link: 'https://tracker.example/1', expires: '2028-02-29' },
    ],
    sources: { '/words/game': 'from a run' },
  };
  const { $schema: _, headers: __, omit: ___, ...kept } = written;
  expect(readProfile(JSON.stringify(written), { KEY: 'k' })).toEqual({
    profile: {
      ...kept,
      omitted: new Map([['me.logout', 'not built yet']]),
      parameters: { storyId: 's1', limit: '5', types: 'outfit' },
      headers: [
        ['X-Client', '7'],
        ['X-Key', 'k'],
      ],
      secrets: ['k'],
      variables: { KEY: 'k' },
      operations: { 'party.create': speaks, 'archives.journal': { parameters: { storyId: '7' } } },
    },
  });
});

test('the known parameters are those of the document, but for the login token', () => {
  expect(parameterNames).toEqual(
    expect.arrayContaining(['storyId', 'types', 'filter', 'newsUrl', 'gameVersion']),
  );
  expect(parameterNames).not.toContain('token');
});

test('every way that a session travels can be stated', () => {
  const bearer: SessionTransport = { kind: 'bearer', source: '/data/token' };
  const ways: Readonly<Record<SessionTransport['kind'], SessionTransport>> = {
    bearer,
    cookie: { kind: 'cookie', names: ['sid', 'region'] },
    header: { kind: 'header', name: 'X-Session', source: 'x-session' },
    query: { kind: 'query', name: 'sessionKey', source: '' },
    combined: {
      kind: 'combined',
      parts: [bearer, { kind: 'header', name: 'X-CSRF', source: 'cookie:csrf' }],
    },
  };
  for (const transport of Object.values(ways))
    expect(readProfile(JSON.stringify({ session: { transport } }), {})).toMatchObject({
      profile: { session: { transport } },
    });
});

test('omit takes globs of ids, and of an operation that two match the first gives the reason', () => {
  const omit = [
    { operation: 'me.logout', reason: 'not built yet' },
    { operation: 'me.*', reason: 'later' },
  ];
  const read = readProfile(JSON.stringify({ omit }), {});
  const { omitted } = 'profile' in read ? read.profile : silentProfile;
  expect([omitted.get('me.logout'), omitted.get('party.create')]).toEqual(['not built yet', undefined]);
  expect(new Set(omitted.values())).toEqual(new Set(['not built yet', 'later']));
});
