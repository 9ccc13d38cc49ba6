import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { rehearse } from '../../fixtures/kit/rule-rehearsal.ts';
import { timely } from './timely.ts';

const operation = areas.general.currencies;

test.each<[string, readonly number[], number, string]>([
  ['at once', [20], 5, 'pass'],
  ['slowly three times, beside a quick host', [6_000, 6_000, 6_000], 5, 'warning'],
  ['slowly once', [6_000, 20, 20], 5, 'pass'],
  ['slowly twice', [6_000, 6_000, 20], 5, 'pass'],
  ['slowly, as the whole host', [6_000, 6_000, 6_000], 4_000, 'pass'],
])('judges a call that is answered %s', async (_, durations, others, expected) => {
  let asked = 0;
  const { verdict } = await rehearse(timely, operation, (_, { id }) => {
    if (id !== operation.id) return { durationMs: others };
    asked += 1;
    return { body: {}, durationMs: durations[asked - 1] ?? 1 };
  });
  expect(verdict).toBe(expected);
});
