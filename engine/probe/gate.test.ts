import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { refusedHonestly } from '../flow/refusal.ts';
import type { Context } from './context.ts';
import { exchangeOf } from './evidence.ts';
import { whyNot } from './gate.ts';
import type { Routed } from './served/verdict.ts';

const { clientData, party, utils } = areas;

const contextOf = ({ given = [] as readonly string[], routed = { served: true } as Partial<Routed> } = {}) =>
  ({
    ambientGiven: new Set(given),
    noSession: () => undefined,
    unknownIds: async () => [],
    routed: async () => routed,
  }) as unknown as Context;

test.each([
  [clientData.versionedNews, 403, 'unknown-resource'],
  [clientData.versionedNews, 404, 'unknown-resource'],
  [utils.contentVersionOf, 404, 'unknown-resource'],
  [party.join, 403, 'needs-state'],
  [party.details, 404, 'needs-state'],
] as const)(
  'a version that nobody gave is why, and no state of a player: %o',
  async (operation, status, reason) => {
    expect(await whyNot(operation, status, contextOf())).toBe(reason);
  },
);

test('a version that was given is no excuse', async () => {
  const given = ['CDN_ROOT_FOLDER_PATH', 'gameVersion', 'versionPattern'];
  expect(await whyNot(clientData.versionedNews, 403, contextOf({ given }))).not.toBe('unknown-resource');
});

const refused = async (
  status: number,
  routed: Partial<Routed>,
  operation: typeof party.join | typeof clientData.news,
) => {
  const judgement = await refusedHonestly(operation, exchangeOf({ status }), 'it', contextOf({ routed }));
  return 'reason' in judgement ? judgement.reason : judgement.kind;
};

test('of files 403 says what 404 does: there is none, and not that somebody has to sign in', async () => {
  for (const status of [403, 404]) {
    expect(await refused(status, { served: true }, clientData.news)).toBe('unknown-resource');
    const unknown = { served: undefined, reason: 'word-unknown' } as const;
    expect(await refused(status, unknown, clientData.news)).toBe('word-unknown');
  }
  expect(await refused(403, { served: true }, party.join)).toBe('needs-state');
});
