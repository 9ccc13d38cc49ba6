import { expect, test } from 'vitest';
import { areas, catalog } from '../../../catalog/catalog.ts';
import { type TargetFacts, unknownTarget } from '../target-facts.ts';
import { catalogOpenapi } from './openapi.ts';

interface Parameter {
  readonly name?: string;
  readonly $ref?: string;
  readonly required?: boolean;
}
interface Documented {
  readonly operationId: string;
  readonly 'x-assay-ids': readonly string[];
  readonly parameters: readonly Parameter[];
  readonly security?: unknown;
  readonly requestBody?: unknown;
  readonly responses: unknown;
}

const document = (facts: TargetFacts = unknownTarget, operations = catalog) =>
  JSON.parse(catalogOpenapi(operations, facts));
const operationsOf = (given: { paths: Record<string, Record<string, Documented>> }) =>
  Object.values(given.paths).flatMap(({ servers: _, ...methods }) => Object.values(methods));
const parameter = ({ parameters }: Documented, name: string) => parameters.find((each) => each.name === name);

test('there are 180 operations, and every operation is an id of one', () => {
  const operations = operationsOf(document());
  expect(operations).toHaveLength(180);
  expect(operations.flatMap((each) => each['x-assay-ids']).sort()).toEqual(
    catalog.map(({ id }) => id).sort(),
  );
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(180);
});

test('operations that share a path are examples of it', () => {
  const lists = document({ ...unknownTarget, parameters: { filter: 'news', limit: '10' } }).paths[
    '/api/v1/messages/listV2'
  ].get;
  expect(lists['x-assay-ids']).toHaveLength(4);
  expect(parameter(lists, 'filter[]')).toMatchObject({
    required: false,
    explode: true,
    examples: { 'messages.listFiltered': { value: ['news'] }, 'messages.listInbox': { value: ['inbox'] } },
  });
});

test('each host is a server of its own', () => {
  const { servers, paths } = document();
  expect(servers[0].url).toBe('{base_url}');
  expect(paths['/api/v1/gameLogs/batch'].servers[0].url).toBe('{gamelogs_url}');
  expect(paths['/api/v1/party']).not.toHaveProperty('servers');
});

test('what the document does not show is not made up', () => {
  const { create } = areas.party;
  const { paths, components } = document(unknownTarget, [create]);
  expect(paths[create.path].post).not.toHaveProperty('security');
  expect(paths[create.path].post.responses).toEqual({ default: { description: 'Not shown.' } });
  expect(components.securitySchemes).toEqual({});
});

test("writes a profile's session, bodies, statuses and schemas", () => {
  const { create } = areas.party;
  const { paths, components } = document(
    {
      ...unknownTarget,
      parameters: { playerId: 'p1' },
      credentials: [{ source: '/token', sentAs: { header: 'Authorization', before: 'Bearer ' } }],
      operations: {
        'party.create': {
          body: { with: '{{other.id}}', n: '{{x:number}}' },
          accepts: [201],
          schema: { $ref: '#/$defs/party', $defs: { party: { type: 'object' } } },
        },
      },
    },
    [create, areas.auth.login],
  );
  const { post } = paths[create.path];
  expect(post.requestBody.content['application/json'].example).toEqual({ with: 'p1', n: 1 });
  expect(post.responses['201'].content['application/json'].schema).toEqual({
    $ref: '#/components/schemas/party.create',
  });
  expect(components.schemas['party.create'].$ref).toBe('#/components/schemas/party.create/$defs/party');
  expect(post.security).toEqual([{ session: [] }]);
  expect(components.securitySchemes.session).toEqual({ type: 'http', scheme: 'bearer' });
  expect(paths[areas.auth.login.path].post).not.toHaveProperty('security');
});

test('headers are parameters of every operation; a secret one has no example', () => {
  const { components, paths } = document({
    ...unknownTarget,
    headers: [
      { name: 'x-client', value: '7' },
      { name: 'x-api-key', variable: 'API_KEY' },
    ],
  });
  expect(components.parameters['x-client'].example).toBe('7');
  expect(components.parameters['x-api-key']).not.toHaveProperty('example');
  expect(paths['/api/v1/config'].get.parameters).toEqual([
    { $ref: '#/components/parameters/x-client' },
    { $ref: '#/components/parameters/x-api-key' },
  ]);
});

test('the login token has no example, and operations that are omitted are not there', () => {
  const { paths } = document({
    ...unknownTarget,
    omitted: ['general.version'],
    parameters: { token: 'eyJ' },
  });
  expect(parameter(paths[areas.auth.login.path].post, 'token')).not.toHaveProperty('example');
  expect(paths).not.toHaveProperty('/api/v1/version');
});

test('a logging API that takes the session has its security', () => {
  const facts: TargetFacts = {
    ...unknownTarget,
    credentials: [{ source: '/token', sentAs: { header: 'Authorization', before: 'Bearer ' } }],
  };
  const security = (sessionHosts: TargetFacts['sessionHosts']) => {
    const { paths } = JSON.parse(catalogOpenapi([areas.logs.logsBatch], { ...facts, sessionHosts }));
    return paths['/api/v1/gameLogs/batch'].post.security;
  };
  expect(security([])).toBeUndefined();
  expect(security(['gamelogs'])).toEqual([{ session: [] }]);
});
