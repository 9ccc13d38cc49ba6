import { expect, test } from 'vitest';
import { type Behaviour, standIn } from '../../fixtures/kit/sign-in-server.ts';
import type { Described } from '../target/target.ts';
import { findDescription } from './api-description.ts';

const notFound = { status: 404, body: { error: 'not found' } };

/** What is read where the target answers these paths so, and which were asked. */
async function described(answers: Readonly<Record<string, unknown>>, otherwise: object = notFound) {
  const asked: string[] = [];
  const behaviour: Behaviour = ({ path }) => {
    asked.push(path);
    return Object.hasOwn(answers, path) ? { body: answers[path] } : otherwise;
  };
  const { target, client } = await standIn(behaviour);
  return { found: await findDescription(client, target), asked };
}

const bodiesOf = async (paths: object, more: object = {}): Promise<Described['bodies']> =>
  (await described({ '/openapi.json': { openapi: '3.1.0', paths, ...more } })).found?.bodies ?? {};
const json = (schema: unknown) => ({ requestBody: { content: { 'application/json': { schema } } } });

test('a target without a description is asked three times', async () => {
  expect(await described({ '/openapi.json': { paths: {} }, '/swagger.json': ['openapi'] })).toEqual({
    found: undefined,
    asked: ['/openapi.json', '/swagger.json', '/v3/api-docs'],
  });
});

test('ignores a description that every path returns', async () => {
  const document = { openapi: '3.0.0', paths: { '/api/v1/rally-challenges': { get: {} } } };
  expect((await described({}, { body: document })).found).toBeUndefined();
});

test('words are those that stand where the document has neutral ones, the most frequent first', async () => {
  const paths = {
    '/auth/provider/bazaar/login': { post: {} },
    '/api/v1/playername/bazaar/{name}': { post: {} },
    '/backend/api/v1/lumen-challenges': { get: {} },
    '/api/v1/lumen-player-card/get': { get: {} },
    '/api/v1/other-shrine/get-available': { get: {} },
    '/api/v1/healthcheck': { get: {} },
    '/api/v1/auth/v2/publicKey': { post: {} },
  };
  expect((await described({ '/v3/api-docs': { openapi: '3.0.1', paths } })).found).toEqual({
    at: '/v3/api-docs',
    words: { storefront: ['bazaar'], game: ['lumen', 'other'] },
    prefixes: ['/backend'],
    bodies: {},
  });
});

test('does not report words of the document', async () => {
  const paths = { '/api/v1/auth/provider/storefront/login': { post: {} } };
  expect((await described({ '/openapi.json': { openapi: '3.0.1', paths } })).found?.words).toEqual({});
});

test('a body has the members that are required, with their types and values', async () => {
  const add = {
    type: 'object',
    required: ['who', 'note', 'at', 'tags', 'missing', 'of'],
    properties: {
      who: { type: 'string' },
      note: { type: ['null', 'string'], enum: ['hi', 'bye'] },
      at: { type: 'string', format: 'date-time' },
      tags: { type: 'array', items: { type: 'string' } },
      of: { type: 'object', required: ['id'], properties: { id: { type: 'integer' }, more: {} } },
      left: { type: 'boolean' },
    },
  };
  const bodies = await bodiesOf({ '/api/v1/players/friends/add': { post: json(add) } });
  expect(bodies['players.addFriend']?.isNeeded).toBe(true);
  expect(bodies['players.addFriend']?.members).toEqual([
    { path: ['who'], type: 'string' },
    { path: ['note'], type: 'string', allowed: ['hi', 'bye'] },
    { path: ['at'], type: 'date' },
    { path: ['tags'], type: 'list', of: 'string' },
    { path: ['of', 'id'], type: 'integer' },
  ]);
});

test('a body that must have nothing may have all', async () => {
  const schema = {
    properties: { mode: { enum: ['quick', {}] }, size: { type: 'number' }, odd: { type: 'file' } },
  };
  expect(await bodiesOf({ '/queue': { post: json(schema) } })).toEqual({
    'queue.enter': {
      isNeeded: false,
      members: [
        { path: ['mode'], allowed: ['quick'] },
        { path: ['size'], type: 'number' },
        { path: ['odd'] },
      ],
    },
  });
});

test('references within the document are followed, those elsewhere are not', async () => {
  const schemas = {
    Add: { allOf: [{ $ref: '#/components/schemas/Who' }, { properties: { more: {} } }] },
    Who: { required: ['player_id'], properties: { player_id: { $ref: '#/components/schemas/Id' } } },
    Id: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    Loop: { $ref: '#/components/schemas/Loop' },
    'a/b': { properties: { a: {} } },
  };
  const to = (name: string) => ({ post: json({ $ref: name }) });
  const bodies = await bodiesOf(
    {
      '/api/v1/players/friends/add': to('#/components/schemas/Add'),
      '/api/v1/players/friends/remove': to('https://elsewhere.test/schema.json'),
      '/api/v1/players/me/block': to('#/components/schemas/Loop'),
      '/api/v1/players/me/unblock': to('#/components/schemas/a~1b'),
      '/api/v1/party': to('#/components/schemas/__proto__'),
    },
    { components: { schemas } },
  );
  expect(bodies).toEqual({
    'players.addFriend': { isNeeded: true, members: [{ path: ['player_id'], type: 'string' }] },
    'players.unblock': { isNeeded: false, members: [{ path: ['a'] }] },
  });
});

test('a description of the older form is read as well', async () => {
  const parameters = [
    { in: 'query' },
    { in: 'body', schema: { properties: { playerId: { type: 'string' } } } },
  ];
  const document = { swagger: '2.0', paths: { '/players/friends/add': { post: { parameters } } } };
  expect((await described({ '/swagger.json': document })).found?.bodies).toEqual({
    'players.addFriend': { isNeeded: false, members: [{ path: ['playerId'], type: 'string' }] },
  });
});

test.each([
  ['/game/api/v1', ['/game']],
  ['/api/v1/', []],
  ['//elsewhere.test/api/v1', []],
  [7, []],
])('what an older description puts before all its paths is a prefix: %s', async (basePath, prefixes) => {
  const document = { swagger: '2.0', basePath, paths: { '/healthcheck': { get: {} } } };
  expect((await described({ '/swagger.json': document })).found?.prefixes).toEqual(prefixes);
});

test('stops at a schema that refers to itself', async () => {
  const Node = { required: ['next'], properties: { next: { $ref: '#/components/schemas/Node' } } };
  const bodies = await bodiesOf(
    { '/api/v1/party': { post: json({ $ref: '#/components/schemas/Node' }) } },
    { components: { schemas: { Node } } },
  );
  expect(bodies['party.create']?.members.length).toBeLessThanOrEqual(1);
});
