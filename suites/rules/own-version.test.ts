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
