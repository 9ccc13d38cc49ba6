// Other versions and absent files of the client data.
import { expect, test } from 'vitest';
import { areas, catalog } from '../../catalog/catalog.ts';
import { type Answer, rehearse } from '../../fixtures/kit/rule-rehearsal.ts';
import { absentFile } from './absent-file.ts';
import { jsonFile } from './json-file.ts';
import { otherVersion } from './other-version.ts';

const row = areas.clientData.eula;
const file: Answer = { body: { text: 'be nice' } };

test('every file but the one that has no game version', () => {
  expect(catalog.filter(otherVersion.applies)).toHaveLength(48);
});

test.each<[string, Answer, string]>([
  ['404', { status: 404 }, 'pass'],
  ['403 of a bucket', { status: 403 }, 'pass'],
  ['the same file', file, 'violation'],
  ['another file', { body: { text: 'be nicer' } }, 'pass'],
  ['a page', { body: '<html>', headers: { 'content-type': 'text/html' } }, 'pass'],
  ['a timeout', { error: 'timeout' }, 'inconclusive'],
])('another version answered with %s', async (_, answer, expected) => {
  const { judgement, asked } = await rehearse(otherVersion, row, ({ params }) => (params ? answer : file));
  expect(judgement.kind).toBe(expected);
  expect(asked[1]).toEqual({ params: { gameVersion: 'assay-no-such-version' } });
});

test('one row for each folder in which names are fixed', () => {
  const folders = catalog.filter(absentFile.applies).map(({ path }) => path.slice(0, path.lastIndexOf('/')));
  expect(new Set(folders).size).toBe(18);
  expect(folders).toHaveLength(18);
  expect(absentFile.applies(areas.clientData.archiveQuests)).toBe(false);
});

test.each<[string, Answer, string]>([
  ['404', { status: 404 }, 'pass'],
  ['403 of a bucket', { status: 403 }, 'pass'],
  ['the page of a single-page host', { body: '<html>', headers: { 'content-type': 'text/html' } }, 'pass'],
  ['the file beside it', file, 'violation'],
  ['JSON', { body: {} }, 'violation'],
  [
    'JSON by its bytes',
    { body: '{"error":1}', headers: { 'content-type': 'application/octet-stream' } },
    'violation',
  ],
  ['a redirect', { status: 302 }, 'pass'],
  ['null', { body: null }, 'pass'],
])('an absent file answered with %s', async (_, answer, expected) => {
  const { judgement, asked } = await rehearse(absentFile, row, ({ path }) => (path ? answer : file));
  expect(judgement.kind).toBe(expected);
  expect(asked[1]).toEqual({
    path: '/clientData/assay-CDN_ROOT_FOLDER_PATH/content/assay-gameVersion/consents/eula/v4/assayNoSuchFile.json',
  });
});

const anyName = {
  routed: async () => ({ served: undefined, reason: 'any-name' as const, why: 'rehearsed' }),
};

test.each<[string, Answer, string]>([
  ['null', { body: null }, 'any-name'],
  ['{}', { body: {} }, 'any-name'],
  ['a page', { body: '<html>', headers: { 'content-type': 'text/html' } }, 'any-name'],
  ['a 500', { status: 500 }, 'any-name'],
  ['content', file, 'violation'],
])('where any name is answered with %s, nobody is accused but for content', async (_, answer, told) => {
  expect((await rehearse(absentFile, row, () => answer, anyName)).told).toBe(told);
  expect((await rehearse(otherVersion, row, () => answer, anyName)).told).toBe('any-name');
  expect((await rehearse(jsonFile, row, () => answer, anyName)).told).toBe('any-name');
});

test.each<[string, unknown, string]>([
  ['null', null, 'any-name'],
  ['an empty list', { items: [] }, 'any-name'],
  ['a number', { count: 0 }, 'violation'],
])('a file that holds %s in every version', async (_, body, told) => {
  expect((await rehearse(otherVersion, row, () => ({ body }))).told).toBe(told);
});

test('without the file itself its absence says nothing', async () => {
  expect((await rehearse(absentFile, row, () => ({ status: 404 }))).judgement.kind).toBe('inconclusive');
  expect((await rehearse(otherVersion, row, () => ({ status: 404 }))).judgement.kind).toBe('inconclusive');
});
