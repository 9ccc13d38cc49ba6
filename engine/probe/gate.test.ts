import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { fakeContext } from '../../fixtures/kit/fake-context.ts';
import { refusedHonestly } from '../flow/refusal.ts';
import { exchangeOf } from './evidence.ts';
import { whyNot } from './gate.ts';
import type { Routed } from './served/verdict.ts';

const { clientData, party, utils } = areas;

const nothingGiven = { ambientGiven: new Set<string>() };
const served: Routed = { served: true, why: 'rehearsed' };

test.each([
  [clientData.versionedNews, 403, 'unknown-resource'],
  [clientData.versionedNews, 404, 'unknown-resource'],
  [utils.contentVersionOf, 404, 'unknown-resource'],
  [party.join, 403, 'needs-state'],
  [party.details, 404, 'needs-state'],
] as const)(
  'a version that nobody gave is why, and no state of a player: %o',
  async (operation, status, reason) => {
    expect(await whyNot(operation, status, fakeContext(nothingGiven))).toBe(reason);
  },
);

test('a version that was given is no excuse', async () => {
  expect(await whyNot(clientData.versionedNews, 403, fakeContext())).not.toBe('unknown-resource');
});

const refused = async (
  status: number,
  routed: Routed,
  operation: typeof party.join | typeof clientData.news,
) => {
  const context = fakeContext({ ...nothingGiven, routed: async () => routed });
  const judgement = await refusedHonestly(operation, exchangeOf({ status }), 'it', context);
  return 'reason' in judgement ? judgement.reason : judgement.kind;
};

test('of files 403 says what 404 does: there is none, and not that somebody has to sign in', async () => {
  for (const status of [403, 404]) {
    expect(await refused(status, served, clientData.news)).toBe('unknown-resource');
    const unknown = { served: undefined, reason: 'word-unknown', why: 'rehearsed' } as const;
    expect(await refused(status, unknown, clientData.news)).toBe('word-unknown');
  }
  expect(await refused(403, served, party.join)).toBe('needs-state');
});
