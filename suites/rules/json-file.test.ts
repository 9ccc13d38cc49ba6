import { expect, test } from 'vitest';
import { areas, catalog } from '../../catalog/catalog.ts';
import { type Answer, rehearse } from '../../fixtures/kit/rule-rehearsal.ts';
import { jsonFile } from './json-file.ts';

test('it is asked of every client-data file but the news, which the document leaves open', () => {
  const files = catalog.filter(jsonFile.applies);
  expect(files.length).toBe(48);
  expect(files).not.toContain(areas.clientData.news);
});

test.each([
  ['JSON', { body: { a: 1 } }, 'pass'],
  [
    'JSON as a bucket labels it',
    { headers: { 'content-type': 'application/octet-stream' }, body: '{}' },
    'pass',
  ],
  ['JSON without a type', { body: '[]' }, 'pass'],
  ['an error page', { headers: { 'content-type': 'application/json' }, body: '<html>' }, 'violation'],
  ['an empty file', { body: '' }, 'violation'],
  ['a refusal', { status: 403 }, 'auth-wall'],
] as [string, Answer, string][])('%s', async (_, answer, told) => {
  expect((await rehearse(jsonFile, areas.clientData.catalog, () => answer)).told).toBe(told);
});
