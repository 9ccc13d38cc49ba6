import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { type Answer, rehearse } from '../../fixtures/kit/rule-rehearsal.ts';
import { absentFile } from './absent-file.ts';

const operation = areas.clientData.eula;
const file: Answer = { body: { text: 'be nice' } };

test.each<[string, Answer, string]>([
  ['404', { status: 404 }, 'pass'],
  ['403 of a bucket', { status: 403 }, 'pass'],
  ['the page of a single-page host', { body: '<html>', headers: { 'content-type': 'text/html' } }, 'pass'],
  ['the file beside it', file, 'violation'],
  ['JSON', { body: { error: 'no such file' } }, 'violation'],
  ['JSON that says nothing', { body: {} }, 'violation'],
  [
    'JSON by its bytes',
    { body: '{"error":1}', headers: { 'content-type': 'application/octet-stream' } },
    'violation',
  ],
  ['a redirect', { status: 302 }, 'pass'],
  ['null', { body: null }, 'pass'],
  ['nothing, of no type', {}, 'pass'],
])('an absent file answered with %s', async (_, answer, expected) => {
  const { judgement, asked } = await rehearse(absentFile, operation, ({ path }) => (path ? answer : file));
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
])('where any name is answered with %s, nobody is accused but for content', async (_, answer, expected) => {
  expect((await rehearse(absentFile, operation, () => answer, anyName)).verdict).toBe(expected);
});

test.each([403, 404])(
  'where the file itself is answered %i, nothing is said of those that are not there',
  async (status) => {
    expect((await rehearse(absentFile, operation, () => ({ status }))).judgement.kind).toBe('inconclusive');
  },
);
