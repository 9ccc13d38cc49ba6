import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { type Answer, rehearse } from '../../fixtures/kit/rule-rehearsal.ts';
import { otherVersion } from './other-version.ts';

const row = areas.clientData.eula;
const file: Answer = { body: { text: 'be nice' } };

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

test.each<[string, Answer, boolean, string]>([
  ['404', { status: 404 }, true, 'pass'],
  ['the news of the known one', file, true, 'violation'],
  ['the news of a guessed one', file, false, 'unknown-resource'],
])('another version pattern answered with %s', async (_, answer, isGiven, expected) => {
  const { verdict, judgement, asked } = await rehearse(
    otherVersion,
    areas.clientData.versionedNews,
    ({ params }) => (params ? answer : file),
    { ambientGiven: new Set(isGiven ? ['versionPattern'] : []) },
  );
  expect(verdict).toBe(expected);
  if (expected === 'violation') expect(judgement).toMatchObject({ level: 'inferred' });
  expect(asked[1]).toEqual({ params: { versionPattern: 'assay-no-such-version' } });
});

test.each<[string, unknown, string]>([
  ['null', null, 'any-name'],
  ['an empty list', { items: [] }, 'any-name'],
  ['a number', { count: 0 }, 'violation'],
])('a file that holds %s in every version', async (_, body, expected) => {
  expect((await rehearse(otherVersion, row, () => ({ body }))).verdict).toBe(expected);
});

test('where any name is answered, one version says nothing of another', async () => {
  const anyName = {
    routed: async () => ({ served: undefined, reason: 'any-name' as const, why: 'rehearsed' }),
  };
  for (const answer of [{ body: null }, { body: {} }, { status: 500 }, file])
    expect((await rehearse(otherVersion, row, () => answer, anyName)).verdict).toBe('any-name');
});

test('without the file itself another version says nothing', async () => {
  expect((await rehearse(otherVersion, row, () => ({ status: 404 }))).judgement.kind).toBe('inconclusive');
});
