import { expect, test } from 'vitest';
import { areas, catalog } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import type { Ask } from '../../engine/http/ask.ts';
import type { Rule } from '../../engine/probe/check.ts';
import { exchangeOf, rehearse, type Script } from '../../fixtures/kit/rule-rehearsal.ts';
import { undecodablePath } from './odd-path.ts';
import { oddNames } from './odd-query.ts';
import { oddValues } from './odd-values.ts';

const rowOf = (rule: Rule): Operation =>
  rule.name.startsWith('path') ? areas.match.get : areas.archives.journal;
const isPlain = (ask: Ask) => Object.keys(ask).length === 0;
const named = (name: string) => oddValues.find((rule) => rule.name === name) as Rule;

test.each(oddValues)('$name passes where it is refused, and a 500 violates it', async (rule) => {
  const answering =
    (status: number): Script =>
    (ask) =>
      isPlain(ask) ? {} : { status };
  expect((await rehearse(rule, rowOf(rule), answering(414))).judgement.kind).toBe('pass');
  expect((await rehearse(rule, rowOf(rule), answering(500))).judgement.kind).toBe('violation');
});

test.each<[string, string]>([
  ['path-long', `/api/v1/match/${'x'.repeat(2000)}`],
  ['path-unicode', '/api/v1/match/Zo%C3%AB-%E5%90%8D%E5%89%8D-%F0%9F%8E%B2-e%CC%81'],
  ['path-encoded', "/api/v1/match/a%2Fb%20100%25%20%2B%26%3D%3F%23%3B%22'%3C%3E"],
  ['path-undecodable', '/api/v1/match/%E0%A4%A'],
  ['query-empty', '/api/v1/archives/journal/getjournal?storyId='],
  ['query-undecodable', '/api/v1/archives/journal/getjournal?storyId=assay-storyId&storyId=%E0%A4%A'],
  ['query-repeated', '/api/v1/archives/journal/getjournal?storyId=assay-storyId&storyId=assay'],
])('%s goes out as %s', async (name, expected) => {
  const { judgement } = await rehearse(named(name), rowOf(named(name)), () => ({}));
  expect(judgement.kind === 'pass' && judgement.evidence?.request.url).toBe(`http://target.test${expected}`);
});

test.each<[Operation, string]>([
  [
    areas.clientData.archiveQuests,
    '/clientData/assay-CDN_ROOT_FOLDER_PATH/content/assay-gameVersion/archiveQuests/%E0%A4%A.json',
  ],
  [areas.party.acceptJoin, '/api/v1/party/assay-partyId/join/%E0%A4%A/accept'],
  [areas.players.friends, '/api/v1/players/%E0%A4%A/friends?platform=assay-platform'],
  [
    areas.clientData.versionedNews,
    '/clientData/assay-CDN_ROOT_FOLDER_PATH/content/%E0%A4%A/news/versionedNews_en.json',
  ],
])('of $id only the last parameter is odd', (operation, expected) => {
  const plain = exchangeOf(operation, {}, {}).request.url.slice('http://target.test'.length);
  expect(undecodablePath(operation, plain)).toBe(expected);
});

test('folder and game version are no values of a file', () => {
  expect(named('path-long').applies(areas.clientData.catalog)).toBe(false);
  expect(catalog.filter(named('path-long').applies)).toHaveLength(23);
});

test.each<[Operation, string[]]>([
  [areas.messages.listInbox, ['language', 'limit']],
  [areas.party.leave, ['disband']],
  [areas.auth.login, ['token']],
  [areas.general.config, []],
])('of $id these query names are made odd: %j', (operation, expected) => {
  expect(oddNames(operation)).toEqual(expected);
});

test('a list that may be repeated is left to its own rule', () => {
  expect(named('query-repeated').applies(areas.extensions.catalogItems)).toBe(false);
});

test('logins are tried by nobody, and leaving a party by a player of its own', async () => {
  expect((await rehearse(named('query-long'), areas.auth.login, () => ({}))).asked[1]?.as).toBe('(nobody)');
  expect((await rehearse(named('query-long'), areas.party.leave, () => ({}))).asked[1]?.as).toBe('leaver');
});

test('a refused login is a pass, though it is a 401', async () => {
  const { judgement } = await rehearse(named('query-long'), areas.auth.login, (ask) => ({
    status: isPlain(ask) ? 200 : 401,
  }));
  expect(judgement.kind).toBe('pass');
});

test('a firewall that breaks off the connection on any path is not the row', async () => {
  const everywhere: Script = (ask) => (isPlain(ask) ? {} : { error: 'reset' });
  expect(
    (await rehearse(named('query-encoded'), areas.archives.journal, everywhere)).judgement,
  ).toMatchObject({ kind: 'inconclusive', reason: 'reset' });
  const here: Script = (ask) =>
    isPlain(ask) ? {} : ask.path?.startsWith('/assayUnrouted') ? { status: 404 } : { error: 'reset' };
  expect((await rehearse(named('query-encoded'), areas.archives.journal, here)).judgement.kind).toBe(
    'violation',
  );
});
