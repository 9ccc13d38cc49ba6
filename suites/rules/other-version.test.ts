import { describe, expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import { type Answer, rehearse } from '../../fixtures/kit/rule-rehearsal.ts';
import { otherVersion } from './other-version.ts';

const operation = areas.clientData.eula;
const file: Answer = { body: { text: 'be nice' } };
const missing: Answer = { status: 404 };

test.each<[string, Answer, string]>([
  ['404', { status: 404 }, 'pass'],
  ['403 of a bucket', { status: 403 }, 'pass'],
  ['the same file', file, 'violation'],
  ['another file', { body: { text: 'be nicer' } }, 'pass'],
  ['a page', { body: '<html>', headers: { 'content-type': 'text/html' } }, 'pass'],
  ['a timeout', { error: 'timeout' }, 'inconclusive'],
])('another version answered with %s', async (_, answer, expected) => {
  const { judgement, asked } = await rehearse(otherVersion, operation, ({ params }, { id }) =>
    id !== operation.id ? missing : params ? answer : file,
  );
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
    ({ params }, { id }) => (id !== areas.clientData.versionedNews.id ? missing : params ? answer : file),
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
  expect(
    (await rehearse(otherVersion, operation, (_, { id }) => (id === operation.id ? { body } : missing)))
      .verdict,
  ).toBe(expected);
});

test('where any name is answered, one version says nothing of another', async () => {
  const anyName = {
    routed: async () => ({ served: undefined, reason: 'any-name' as const, why: 'rehearsed' }),
  };
  for (const answer of [{ body: null }, { body: {} }, { status: 500 }, file])
    expect((await rehearse(otherVersion, operation, () => answer, anyName)).verdict).toBe('any-name');
});

test('without the file itself another version says nothing', async () => {
  expect((await rehearse(otherVersion, operation, () => ({ status: 404 }))).judgement.kind).toBe(
    'inconclusive',
  );
});

describe('a host that gives its files under any version', () => {
  const files = Object.values<Operation>(areas.clientData);
  const news = areas.clientData.versionedNews;
  /** Those that are not alike differ under another version. */
  const judgedFor = async (operation: Operation, isAlike: (file: Operation) => boolean) =>
    rehearse(otherVersion, operation, ({ params }, asked) =>
      isAlike(asked) || !params ? { body: { of: asked.id } } : { status: 404 },
    );

  test('is found once, with the first of its files', async () => {
    const { judgement } = await judgedFor(files[0] as Operation, () => true);
    expect(judgement).toMatchObject({
      kind: 'violation',
      level: 'inferred',
      actual: `answered 200 with the same file, as ${files.length - 2} more files of this host are`,
    });
  });

  test.each([operation, news])('is observed on the others: $id', async (operation) => {
    const { judgement } = await judgedFor(operation, () => true);
    expect(judgement).toMatchObject({
      kind: 'observed',
      behaviour: expect.stringContaining('does not exist'),
    });
  });

  test('is none where some files are not', async () => {
    const { verdict } = await judgedFor(
      operation,
      (file) => file === operation || files.indexOf(file) % 2 === 0,
    );
    expect(verdict).toBe('violation');
  });
});
