import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { rehearse } from '../../fixtures/kit/rule-rehearsal.ts';
import { ownVersion } from './own-version.ts';

const { clientData, utils } = areas;
const operation = clientData.catalog;
/** The version that a rehearsed path names. */
const own = 'assay-gameVersion';

test.each<[string, unknown, unknown, string]>([
  ['the version of its path', { version: own }, { version: own }, 'pass'],
  [
    'another version of the content, where the others state theirs',
    { version: '7.4.0' },
    { version: own },
    'warning',
  ],
  ['the same deeper inside', { meta: { contentVersion: '7.4.0' } }, { version: own }, 'warning'],
  ['another version, as all files', { version: '7.4.0' }, { version: '7.4.0' }, 'not-triggered'],
  ['a version that is none of the content', { version: '2' }, { version: own }, 'not-triggered'],
  ['none', { items: [] }, { version: own }, 'not-triggered'],
])('judges a file that states %s', async (_, file, others, expected) => {
  const { verdict } = await rehearse(ownVersion, operation, (_, { id }) => {
    if (id === utils.contentVersion.id) return { body: { versions: ['7.4.0', own] } };
    return { body: id === operation.id ? file : others };
  });
  expect(verdict).toBe(expected);
});

test.each<[string, Record<string, unknown>, string]>([
  ['states that one', { [own]: { version: own }, '7.4.0': { version: '7.4.0' } }, 'pass'],
  ['states the version in force', { [own]: { version: own }, '7.4.0': { version: own } }, 'warning'],
  ['is absent', { [own]: { version: own } }, 'pass'],
])('judges a file that under another version %s', async (_, byVersion, expected) => {
  const { verdict } = await rehearse(ownVersion, operation, ({ params }, { id }) => {
    if (id === utils.contentVersion.id) return { body: { versions: ['7.4.0', own] } };
    const body = byVersion[String(params?.gameVersion ?? own)];
    return body ? { body } : { status: 404 };
  });
  expect(verdict).toBe(expected);
});

test('a host that has its files under any version chose so', async () => {
  const { verdict } = await rehearse(ownVersion, operation, (_, { id }) => ({
    body: id === utils.contentVersion.id ? { versions: ['7.4.0', own] } : { version: own },
  }));
  expect(verdict).toBe('pass');
});
