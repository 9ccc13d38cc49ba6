import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { type Answer, rehearse } from '../../fixtures/kit/rule-rehearsal.ts';
import { jsonFile } from './json-file.ts';

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
] as [string, Answer, string][])('returns $2 for $0', async (_, answer, expected) => {
  expect((await rehearse(jsonFile, areas.clientData.catalog, () => answer)).verdict).toBe(expected);
});

test('where any name is answered, the answer is not taken for the file', async () => {
  const anyName = {
    routed: async () => ({ served: undefined, reason: 'any-name' as const, why: 'rehearsed' }),
  };
  for (const answer of [{ body: null }, { body: {} }, { status: 500 }, { body: { text: 'be nice' } }])
    expect((await rehearse(jsonFile, areas.clientData.eula, () => answer, anyName)).verdict).toBe('any-name');
});
