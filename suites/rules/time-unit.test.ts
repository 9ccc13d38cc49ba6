import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { rehearse } from '../../fixtures/kit/rule-rehearsal.ts';
import { timeUnit } from './time-unit.ts';

const ms = Date.parse('2026-11-02T08:00:00Z');

test.each<[string, unknown, string]>([
  ['a claim in seconds beside the time in ms', { nextClaimAt: ms / 1_000, serverTime: ms }, 'warning'],
  ['when a message was received, in seconds', [{ received: ms / 1_000, expireAt: ms }], 'warning'],
  ['both in ms', { nextClaimAt: ms + 1, serverTime: ms }, 'pass'],
  ['both in seconds', { nextClaimAt: ms / 1_000, serverTime: ms / 1_000 + 1 }, 'pass'],
  ['the claims of a token', { iat: ms / 1_000, exp: ms / 1_000, serverTime: ms, sentAt: ms }, 'pass'],
  ['a name that states its unit', { expiresAtSeconds: ms / 1_000, serverTime: ms, sentAt: ms }, 'pass'],
  ['a balance as large as a time', { balance: ms / 1_000, serverTime: ms, sentAt: ms }, 'pass'],
  ['one time alone', { serverTime: ms }, 'not-triggered'],
])('judges %s', async (_, body, expected) => {
  expect((await rehearse(timeUnit, areas.mysteryBox.status, () => ({ body }))).verdict).toBe(expected);
});
