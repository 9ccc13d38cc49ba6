import { expect, test } from 'vitest';
import { areas } from '../catalog/catalog.ts';
import { rehearseCheck } from '../fixtures/kit/rule-rehearsal.ts';
import clientData from './client-data.ts';

test.each<[string, 'pass' | 'violation' | 'inconclusive', (boolean | undefined)[]]>([
  ['v3 alone', 'pass', [true, false]],
  ['v4 alone', 'pass', [false, true]],
  ['neither', 'violation', [false, false]],
  ['one of which cannot be decided', 'inconclusive', [false, undefined]],
])('the privacy definition under %s: %s', async (_, expected, [third, fourth]) => {
  const v3 = areas.clientData.privacyV3Definition;
  const found = (served: boolean | undefined) =>
    served === undefined
      ? { served, reason: 'timeout' as const, why: 'rehearsed' }
      : { served, kind: 'unrouted' as const, why: 'rehearsed' };
  const { judgement } = await rehearseCheck(clientData.checks, 'one-privacy-version', () => ({}), {
    routed: async ({ id }) => found(id === v3.id ? third : fourth),
  });
  expect(judgement.kind).toBe(expected);
});
