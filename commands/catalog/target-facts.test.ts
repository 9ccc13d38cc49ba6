import { expect, test } from 'vitest';
import { readProfile } from '../../engine/target/profile.ts';
import type { SessionTransport } from '../../engine/target/session-transport.ts';
import { environmentOfNames, factsOf } from './target-facts.ts';

function speaking(written: object) {
  const read = readProfile(JSON.stringify(written), environmentOfNames);
  if (!('profile' in read)) throw new Error(read.mistakes.join('\n'));
  return factsOf(read.profile);
}

test('without a profile only free choices are made, and a token is looked for', () => {
  const { parameters, credentials, operations } = factsOf(undefined);
  expect(parameters).toMatchObject({ locale: 'en', filter: 'inbox' });
  expect(credentials).toEqual([{ sentAs: { header: 'Authorization', before: 'Bearer ' } }]);
  expect(operations).toEqual({});
});

test('a header from the environment is its variable, which nobody has to set', () => {
  const { headers } = speaking({ headers: { 'x-client': '7', 'x-api-key': { env: 'NOBODY_SET_THIS' } } });
  expect(headers).toEqual([
    { name: 'x-client', value: '7' },
    { name: 'x-api-key', variable: 'NOBODY_SET_THIS' },
  ]);
});

test.each([
  ['authorization', 'AUTHORIZATION'],
  ['Cookie', 'COOKIE'],
  ['x-api-key', 'X_API_KEY'],
  ['2fa-token', 'HEADER_2FA_TOKEN'],
])('a secret that is spelt out in the header %s becomes a variable', (name, variable) => {
  const facts = speaking({ headers: { [name]: 'hunter2-hunter2' } });
  expect(facts.headers).toEqual([{ name, variable }]);
  expect(JSON.stringify(facts)).not.toContain('hunter2');
});

test.each([
  ['a header', { headers: { 'x-client': '{{process.exit(1)}}' } }, '/headers/x-client'],
  ['a parameter', { parameters: { storyId: 'S{{process.exit(1)}}' } }, '/parameters/storyId'],
  [
    'a content type',
    { operations: { 'party.create': { body: 'x', contentType: 'text/plain; a={{1}}' } } },
    '/operations/party.create/contentType',
  ],
])('%s that would be read as a variable is refused, with its place', (_, profile, place) => {
  expect(() => speaking(profile)).toThrow(`--profile: ${place} holds "{{"`);
});

test.each<readonly [SessionTransport, unknown]>([
  [
    { kind: 'bearer', source: '/t' },
    [{ source: '/t', sentAs: { header: 'Authorization', before: 'Bearer ' } }],
  ],
  [
    { kind: 'header', name: 'x-s', source: 'x-t' },
    [{ source: 'x-t', sentAs: { header: 'x-s', before: '' } }],
  ],
  [{ kind: 'query', name: 'sid', source: '/s' }, [{ source: '/s', sentAs: { query: 'sid' } }]],
  [
    {
      kind: 'combined',
      parts: [
        { kind: 'cookie', names: ['a', 'b'] },
        { kind: 'header', name: 'x-csrf', source: 'cookie:c' },
      ],
    },
    [
      { source: 'cookie:a', sentAs: { cookie: 'a' } },
      { source: 'cookie:b', sentAs: { cookie: 'b' } },
      { source: 'cookie:c', sentAs: { header: 'x-csrf', before: '' } },
    ],
  ],
])('the session of %j', (transport, credentials) => {
  expect(speaking({ session: { transport } }).credentials).toEqual(credentials);
});

test("the session's body is the login's, and what is left out is omitted", () => {
  const facts = speaking({
    session: { body: { a: 1 } },
    operations: { 'auth.login': { accepts: [201] } },
    omit: [{ operation: 'general.redeem', reason: 'none' }],
  });
  expect(facts.operations['auth.login']).toEqual({ accepts: [201], body: { a: 1 } });
  expect(facts.omitted).toEqual(['general.redeem']);
});

test('the session goes to the hosts that the profile names, and to no other', () => {
  expect(factsOf(undefined).sessionHosts).toEqual([]);
  const { sessionHosts } = speaking({ session: { hosts: { gamelogs: true, cdn: false } } });
  expect(sessionHosts).toEqual(['gamelogs']);
});
