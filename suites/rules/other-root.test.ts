import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { type Answer, rehearse } from '../../fixtures/kit/rule-rehearsal.ts';
import { otherRoot } from './other-root.ts';

const operation = areas.clientData.eula;
const file: Answer = { body: { text: 'be nice' } };

test.each<[string, Answer, string]>([
  ['404', { status: 404 }, 'pass'],
  ['403 of a bucket', { status: 403 }, 'pass'],
  ['the same file', file, 'violation'],
  ['the file of another environment', { body: { text: 'be nicer' } }, 'pass'],
  ['the page of a single-page host', { body: '<html>', headers: { 'content-type': 'text/html' } }, 'pass'],
  ['a timeout', { error: 'timeout' }, 'timeout'],
])('another folder answered with %s', async (_, answer, expected) => {
  const { verdict, asked } = await rehearse(otherRoot, operation, ({ params }, { id }) =>
    id !== operation.id ? { status: 404 } : params ? answer : file,
  );
  expect(verdict).toBe(expected);
  expect(asked[1]).toEqual({ params: { CDN_ROOT_FOLDER_PATH: 'assay-no-such-folder' } });
});

test('a host that gives all its files under any folder is observed', async () => {
  const { judgement } = await rehearse(otherRoot, areas.clientData.archiveQuests, (_, { id }) => ({
    body: { of: id },
  }));
  expect(judgement).toMatchObject({
    kind: 'observed',
    behaviour: 'the same file for a folder that does not exist',
  });
});

test('a file without content is like any other', async () => {
  expect((await rehearse(otherRoot, operation, () => ({ body: { items: [] } }))).verdict).toBe('any-name');
});

test('without the file itself another folder says nothing', async () => {
  expect((await rehearse(otherRoot, operation, () => ({ status: 404 }))).judgement.kind).toBe('inconclusive');
});
