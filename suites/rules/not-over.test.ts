import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { rehearse } from '../../fixtures/kit/rule-rehearsal.ts';
import { notOver } from './not-over.ts';

const { shrine } = areas.game;
const date = 'Mon, 02 Nov 2026 08:00:00 GMT';
const now = Date.parse(date);
const hours = (count: number) => new Date(now + count * 3_600_000).toISOString();

test.each<[string, unknown, string]>([
  ['an offer that ended yesterday', { items: [1], endsAt: hours(-24) }, 'warning'],
  ['the same in seconds', { expires: now / 1_000 - 7_200 }, 'warning'],
  ['each of several that is over', { items: [{ endDate: hours(-2) }, { endDate: hours(-3) }] }, 'warning'],
  ['one of several that goes on', { items: [{ endDate: hours(-2) }, { endDate: hours(3) }] }, 'pass'],
  ['a clock that is a little fast', { expiresAt: hours(-0.1) }, 'pass'],
  ['a begin that was long ago', { startsAt: hours(-100) }, 'not-triggered'],
  ['how long it lasts', { expires: 3_600 }, 'not-triggered'],
])('judges %s', async (_, body, expected) => {
  const { verdict } = await rehearse(notOver, shrine, () => ({ body, headers: { date } }));
  expect(verdict).toBe(expected);
});

test('an answer without a Date, or a refusal, says nothing', async () => {
  const body = { endsAt: hours(-2) };
  expect((await rehearse(notOver, shrine, () => ({ body }))).verdict).toBe('not-triggered');
  const refused = () => ({ status: 403, body, headers: { date } });
  expect((await rehearse(notOver, shrine, refused)).verdict).toBe('not-triggered');
});
