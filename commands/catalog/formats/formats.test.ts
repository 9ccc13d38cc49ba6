import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { areas, catalog } from '../../../catalog/catalog.ts';
import { catalogJson, catalogMarkdown } from '../catalog.ts';
import { type TargetFacts, unknownTarget } from '../target-facts.ts';
import { catalogHttp } from './http.ts';
import { catalogK6 } from './k6.ts';
import { catalogPostman } from './postman.ts';

const document = readFileSync(new URL('../../../catalog/interface.md', import.meta.url), 'utf8');
const rows: Record<string, string>[] = JSON.parse(catalogJson());
const byId = new Map(rows.map((row) => [row.id, row]));

test('JSON holds the five fields of every operation and no other', () => {
  expect(rows).toHaveLength(catalog.length);
  for (const row of rows) expect(Object.keys(row)).toEqual(['id', 'host', 'method', 'path', 'clause']);
});

test('JSON keeps brackets, placeholders and fixed values as the document writes them', () => {
  expect(byId.get('auth.login')?.path).toBe('/api/v1/auth/provider/storefront/login?token=<JWT>');
  expect(byId.get('extensions.catalogItems')?.path).toBe(
    '/api/v1/extensions/store/getCatalogItems?types[]={types}',
  );
  expect(byId.get('party.removePlayer')?.path).toBe(
    '/api/v1/party/{partyId}/player/{playerId}?ban=false&disband=false',
  );
});

test('JSON writes client-data paths in full', () => {
  expect(byId.get('clientData.catalog')).toEqual({
    id: 'clientData.catalog',
    host: 'cdn',
    method: 'GET',
    path: '/clientData/{CDN_ROOT_FOLDER_PATH}/content/{gameVersion}/catalog.json',
    clause: 'endpoints.client-data',
  });
});

test('Markdown has the headings of the document, in its order', () => {
  const ours = Array.from(catalogMarkdown().matchAll(/^## (.+) at \{\w+\}$/gm), (match) => match[1]);
  const theirs = Array.from(document.matchAll(/^### (.+)$/gm), (match) =>
    match[1]?.replace(/ at \{\w+\}/, ''),
  );
  expect(ours).toEqual(theirs);
});

test('Markdown rows are the rows of the JSON, each with its id', () => {
  const cells = catalogMarkdown().matchAll(/^\| (\w+) \| `(.+)` \| (\S+) \|$/gm);
  expect(Array.from(cells, ([, method, path, id]) => ({ id, method, path }))).toEqual(
    rows.map(({ id, method, path }) => ({ id, method, path })),
  );
});

test('ids in the export are those of the catalog', () => {
  expect(rows.map(({ id }) => id)).toEqual(catalog.map(({ id }) => id));
});

// What Postman, httpyac and k6 are given, without running them.
const { auth, clientData, logs, match, party, players } = areas;
const spoken: TargetFacts = {
  ...unknownTarget,
  headers: [{ name: 'x-api-key', variable: 'API_KEY' }],
  operations: {
    'match.create': { body: { mode: '{{value}}' }, accepts: [201], ids: { matchId: '/data/id' } },
  },
};
const written = {
  postman: catalogPostman([match.get], spoken),
  http: catalogHttp([match.get], spoken),
  k6: catalogK6([match.get], spoken),
};

describe.each(Object.entries(written))('%s', (_, text) => {
  test('calls what the selection needs, in order', () => {
    const at = ['auth.login', 'match.create', 'match.get'].map((id) => text.search(new RegExp(`${id}\\b`)));
    expect(at.toSorted((a, b) => a - b)).toEqual(at);
    expect(at).not.toContain(-1);
    expect(text).not.toMatch(/party\.create/);
  });

  test('takes an identifier from where the profile finds it', () => {
    expect(text).toMatch(/\?\.data\?\.id/);
  });

  test('looks for the session by its names where no profile says, as a function does that it brings along', () => {
    expect(text).toContain("'accessToken'");
    expect(text).toContain('function find(');
  });

  test('names secrets and has none of their values', () => {
    expect(text).toContain('API_KEY');
    expect(text).not.toMatch(/eyJ/);
  });
});

test('Postman: variables are listed, those of secrets without a value', () => {
  const { variable } = JSON.parse(written.postman) as { variable: { key: string; value: string }[] };
  expect(variable.map(({ key }) => key)).toEqual([
    'base_url',
    'cdn_url',
    'gamelogs_url',
    'loginToken',
    'API_KEY',
  ]);
  expect(variable.filter(({ value }) => value === '').map(({ key }) => key)).toEqual([
    'loginToken',
    'API_KEY',
  ]);
});

test('Postman: two players with cookies do not share its jar', () => {
  const credentials = [{ source: 'cookie:s', sentAs: { cookie: 's' } }];
  const collection = JSON.parse(catalogPostman([match.get], { ...unknownTarget, credentials }));
  expect(collection.protocolProfileBehavior).toEqual({ disableCookies: true });
  expect(JSON.parse(written.postman)).not.toHaveProperty('protocolProfileBehavior');
});

test('Postman: a request has its query in parts', () => {
  const collection = JSON.parse(catalogPostman([auth.login], unknownTarget));
  expect(collection.item[0].item[0].request.url).toMatchObject({
    host: ['{{base_url}}'],
    query: [{ key: 'token', value: '{{loginToken}}' }],
  });
});

test('http: a known value is a literal, whatever it holds', () => {
  const text = catalogHttp([clientData.news], {
    ...unknownTarget,
    parameters: { newsUrl: "{{process.exit(1)}}'" },
  });
  expect(text).toContain("$global.newsUrl ??= '\\u007b{process.exit(1)\\u007d}\\'';");
});

test('http: a body that is no JSON cannot begin another request', () => {
  const body = 'a\n###\nGET http://elsewhere.test/';
  const operations = { 'logs.logsBatch': { body, contentType: 'text/plain' } };
  const text = catalogHttp([logs.logsBatch], { ...unknownTarget, operations });
  expect(text).toContain("{{'a\\n###\\nGET http://elsewhere.test/'}}");
});

test('k6: follows the call order, with one line per call', () => {
  expect(written.k6).toContain(`
  // Match
  answer = call('match.create', 'POST', base_url + '/api/v1/match/create', asMain(v), { json: { mode: v.value }, accepts: [201] });
  v.matchId = answer.body?.data?.id;
  call('match.get', 'GET', base_url + \`/api/v1/match/\${encodeURIComponent(v.matchId)}\`, asMain(v));
`);
});

test('k6: without a sign-in no token is asked for', () => {
  expect(catalogK6([clientData.catalog], unknownTarget)).not.toContain('LOGIN_TOKEN');
  expect(catalogK6([party.create], unknownTarget)).toContain('JWT of a player');
  expect(catalogK6([players.friendInfo], unknownTarget)).toContain('JWTs of 2 players');
});
