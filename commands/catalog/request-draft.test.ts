import fc from 'fast-check';
import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import type { Template } from '../../engine/target/profile.ts';
import { step } from './call-order.ts';
import { bodyExpression, draftOf, jsonText, pointed, quoted, textExpression } from './request-draft.ts';
import { type TargetFacts, unknownTarget } from './target-facts.ts';

const { auth, extensions, general, logs, messages, party, players } = areas;
const spoken = (operations: TargetFacts['operations'], rest: Partial<TargetFacts> = {}): TargetFacts => ({
  ...unknownTarget,
  ...rest,
  operations,
});

test.each([
  ['an operation without parameters', general.version, '/api/v1/version'],
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
])('%s stands in the path of the draft', (_, operation, path) => {
  expect(draftOf(step(operation), unknownTarget).path).toBe(path);
});

test('for the other player, the two change places', () => {
  const body = { playerIds: ['{{other.id}}', '{{player.id}}'] };
  const draft = draftOf(step(players.addFriend, { as: 'other' }), spoken({ 'players.addFriend': { body } }));
  expect(draft.body?.template).toEqual({ playerIds: ['{{playerId}}', '{{otherId}}'] });
  expect(draft.headers).toContainEqual(['Authorization', 'Bearer {{otherSession}}']);
});

test("the target's words, headers and values of single operations are used", () => {
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
    (operation) => draftOf(step(operation), unknownTarget).signedBy,
  );
  expect(signed).toEqual([undefined, 'main', undefined, undefined]);
});

test.each<readonly [string, TargetFacts['credentials'], readonly (readonly [string, string])[], string]>([
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
  const draft = draftOf(step(general.version), { ...unknownTarget, credentials });
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
  expect(draftOf(step(general.version), unknownTarget).body).toBeUndefined();
  expect(draftOf(step(players.setBinaryState), unknownTarget).body).toMatchObject({ asText: true });
});

test('a value of the step stands in path and body', () => {
  const body = { name: '{{stateName}}' };
  const values = { stateName: 'S' };
  const facts = spoken({ 'players.setState': { body } });
  expect(draftOf(step(players.setState, { values }), facts).body?.template).toEqual({ name: 'S' });
  expect(draftOf(step(players.setBinaryState, { values }), unknownTarget).path).toContain('stateName=S&');
});

test('a batch of logs carries the session where the logging API takes it', () => {
  const signed = (sessionHosts: TargetFacts['sessionHosts']) => {
    const { signedBy, headers, uses } = draftOf(step(logs.logsBatch), { ...unknownTarget, sessionHosts });
    return [signedBy, headers.some(([name]) => name === 'Authorization'), uses.includes('session')];
  };
  expect(signed([])).toEqual([undefined, false, false]);
  expect(signed(['gamelogs'])).toEqual(['main', true, true]);
});

const named = (name: string) => `v.${name}`;
const evaluated = (expression: string, scope: Record<string, unknown> = {}): unknown =>
  new Function(...Object.keys(scope), `return (${expression});`)(...Object.values(scope));
const v = { a: '1', name: 'key' };

/** Texts of what a literal, a template or a line could be ended by. */
const hostile = fc
  .array(fc.constantFrom('{', '}', "'", '"', '`', '\\', '$', '\n', '\r', '\u2028', '\0', '\ud800', 'a', '🦊'))
  .map((characters) => characters.join(''));

test('whatever a text holds, its literal is that text, on one line, and no variable', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      expect(evaluated(quoted(text))).toBe(text);
      expect(quoted(text)).not.toMatch(/\{\{|\}\}|[\n\r\u2028\u2029]/);
    }),
  );
});

const plain = hostile.map((text) => text.replace(/[{}]/g, ''));

test('whatever stands around a variable, the expression is the text with its value', () => {
  fc.assert(
    fc.property(plain, plain, (before, after) => {
      const expression = textExpression(`${before}{{a}}${after}`, named);
      expect(evaluated(expression, { v })).toBe(`${before}1${after}`);
    }),
  );
});

test.each<readonly [string, Template, unknown]>([
  ['a variable alone', '{{a}}', '1'],
  ['a number', { n: '{{a:number}}' }, { n: 1 }],
  ['a number in a text', 'n={{a:number}}', 'n=1'],
  ['a member whose name is a variable', { '{{name}}': [true, null, 2] }, { key: [true, null, 2] }],
  ['names that need quotes', { 'a-b': {}, "it's": [] }, { 'a-b': {}, "it's": [] }],
])('a body as an expression: %s', (_, template, value) => {
  expect(evaluated(bodyExpression(template, named), { v })).toEqual(value);
});

test('a member named __proto__ stays one', () => {
  const body = evaluated(bodyExpression(JSON.parse('{"__proto__":{"x":1}}'), named)) as object;
  expect(Object.keys(body)).toEqual(['__proto__']);
});

test('JSON for a tool that puts in text: numbers lose their quotes, texts keep them', () => {
  expect(
    JSON.parse(jsonText({ n: '{{a:number}}', t: '{{a}}', m: 'x{{a:number}}' }).replaceAll('{{a}}', '1')),
  ).toEqual({
    n: 1,
    t: '1',
    m: 'x1',
  });
});

test.each([
  ['', 'answer', { id: 1 }],
  ['/data/0/id', 'answer?.data?.[0]?.id', undefined],
  ['/a~1b/c~0d', "answer?.['a/b']?.['c~d']", undefined],
])('the pointer %j is %s', (pointer, expression, value) => {
  expect(pointed('answer', pointer)).toBe(expression);
  expect(evaluated(pointed('answer', pointer), { answer: { id: 1 } })).toEqual(value);
});
