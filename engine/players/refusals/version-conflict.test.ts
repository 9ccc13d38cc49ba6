import { expect, test } from 'vitest';
import { exchangeOf } from '../../../fixtures/kit/exchanges.ts';
import { atVersion, statedVersion } from './version-conflict.ts';

const conflict = (body: object, status = 409) => exchangeOf({ status, body });

test.each([
  ['in a sentence', conflict({ message: 'State is at version 0' }), 0],
  ['in a member', conflict({ error: { currentVersion: 12 } }, 412), 12],
  ['twice alike', conflict({ version: 3, message: 'stale: version 3 is stored' }), 3],
  ['two of them', conflict({ version: 3, yourVersion: 2 }), undefined],
  ['behind the name of what has it', conflict({ detail: 'The stored version of FullProfile is 0.' }), 0],
  ['nowhere', conflict({ message: 'stale' }), undefined],
  ['in another refusal', conflict({ version: 3 }, 400), undefined],
])('the version that a refusal tells of: %s', (_, refusal, version) => {
  expect(statedVersion(refusal)).toBe(version);
});

test('a body names the version that stands, or the next, under the name that it has', () => {
  const refusal = conflict({ message: 'State is at version 4' });
  expect(atVersion(refusal, { data: 1 })).toEqual([
    { data: 1, version: 4 },
    { data: 1, version: 5 },
  ]);
  expect(atVersion(refusal, { stateVersion: 4 })).toEqual([{ stateVersion: 5 }]);
  expect(atVersion(conflict({}), { data: 1 })).toEqual([]);
});
