import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import { exchangeOf, rehearse } from '../../fixtures/kit/rule-rehearsal.ts';
import { pathUndecodable, undecodablePath } from './path-undecodable.ts';

test('the value goes out as it stands, and cannot be decoded', async () => {
  const { judgement } = await rehearse(pathUndecodable, areas.match.get, () => ({}));
  expect(judgement.kind === 'pass' && judgement.evidence?.request.url).toBe(
    'http://target.test/api/v1/match/%E0%A4%A',
  );
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
