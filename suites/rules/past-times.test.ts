import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { rehearse } from '../../fixtures/kit/rule-rehearsal.ts';
import { pastTimes } from './past-times.ts';

const { config } = areas.general;
const date = 'Mon, 02 Nov 2026 08:00:00 GMT';
const now = Date.parse(date);
const hours = (count: number) => new Date(now + count * 3_600_000).toISOString();

test.each<[string, unknown, string]>([
  ['a local time that is sent as UTC', { messages: [{ sentAt: hours(2) }] }, 'warning'],
  ['the same in seconds', { created_at: now / 1_000 + 7_200 }, 'warning'],
  ['the same in milliseconds', { lastUpdatedAt: now + 7_200_000 }, 'warning'],
  ['the same with another zone', { joinedAt: '2026-11-02T12:00:00+02:00' }, 'warning'],
  ['now', { createdAt: hours(0), updatedAt: '2026-11-02T10:00:00+02:00' }, 'pass'],
  ['a clock that is a little fast', { createdAt: hours(0.1) }, 'pass'],
  ['what was long ago', { createdAt: '2020-01-01T00:00:00Z', decayedAt: 1_600_000_000 }, 'pass'],
  ['a time that stands for never', { claimedAt: '9999-12-31T23:59:59Z' }, 'pass'],
  ['a time without a zone', { createdAt: '2026-11-02T10:00:00' }, 'not-triggered'],
  ['what lies ahead', { expiresAt: hours(2), startsAt: hours(2), publishedAt: hours(2) }, 'not-triggered'],
  ['what is no time', { createdOn: 'storefront', claimedAt: null, sentAt: 12 }, 'not-triggered'],
])('judges %s', async (_, body, expected) => {
  const { verdict } = await rehearse(pastTimes, config, () => ({ body, headers: { date } }));
  expect(verdict).toBe(expected);
});

test.each<[string, number, unknown, string]>([
  ['hours ago, though it was just now', 201, { createdAt: hours(-7) }, 'warning'],
  ['the same in a zone of half an hour', 201, { created_at: hours(-3.5) }, 'warning'],
  ['a while ago', 201, { createdAt: hours(-7.1) }, 'pass'],
  ['hours ago, which may be so', 200, { createdAt: hours(-7) }, 'pass'],
  ['hours ago, where something else was', 201, { joinedAt: hours(-7) }, 'pass'],
])('judges what was created %s', async (_, status, body, expected) => {
  const { verdict } = await rehearse(pastTimes, config, () => ({ status, body, headers: { date } }));
  expect(verdict).toBe(expected);
});

test('an answer without a Date, or a refusal, says nothing', async () => {
  const body = { createdAt: hours(2) };
  expect((await rehearse(pastTimes, config, () => ({ body }))).verdict).toBe('not-triggered');
  const refused = () => ({ status: 403, body, headers: { date } });
  expect((await rehearse(pastTimes, config, refused)).verdict).toBe('not-triggered');
});
