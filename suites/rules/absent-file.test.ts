import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { type Answer, rehearse } from '../../fixtures/kit/rule-rehearsal.ts';
import { absentFile } from './absent-file.ts';

const { catalog: file } = areas.clientData;
const content: Answer = { body: { items: [1] } };

test.each<[string, Answer, string]>([
  ['is not there', { status: 404 }, 'pass'],
  ['may not be seen', { status: 403 }, 'pass'],
  ['is the file beside it', content, 'violation'],
  ['is other JSON', { body: { error: 'no such file' } }, 'violation'],
  ['is a page of text', { headers: { 'content-type': 'text/html' }, body: '<p>' }, 'pass'],
  ['is empty and of no type', {}, 'pass'],
])('a file that the table does not name %s', async (_, absent, told) => {
  const script = ({ path }: { readonly path?: string }) => (path === undefined ? content : absent);
  expect((await rehearse(absentFile, file, script)).told).toBe(told);
});

test('where no file at all is given, nothing is said of those that are not there', async () => {
  expect((await rehearse(absentFile, file, () => ({ status: 403 }))).judgement.kind).toBe('inconclusive');
});
