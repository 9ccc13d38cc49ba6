import { expect, test } from 'vitest';
import { catalog } from '../catalog/catalog.ts';
import { register } from '../catalog/clauses/clauses.ts';
import { everySuite } from '../commands/run/suites.ts';

const checks = everySuite.flatMap(({ checks }) => checks);
/**
 * By `answers`, where a profile states what an operation is asked and answered; by `media`, of the label of JSON; by
 * `unknown-id`, of the status; by `anonymous-private`, of the session; by `malformed-body`, of what is no JSON.
 */
const citedByJudgements = [
  'profile.accepts',
  'sense.json-label',
  'sense.malformed-json',
  'sense.refusal-status',
  'sense.unknown-id',
  'sense.wants-session',
];
const cited = new Set([...checks.map(({ clause }) => clause.id), ...citedByJudgements]);

test.each(register.map((clause) => [clause.id, clause] as const))(
  '%s is judged by a check, or by a flow that it names',
  (id, { flow }) => {
    expect(cited.has(id) || flow !== undefined).toBe(true);
  },
);

test('a clause that waits for a flow is of something no single call can show', () => {
  for (const { flow } of register.filter(({ id }) => !cited.has(id))) expect(flow).toMatch(/^[a-z]+$/);
});

test('every operation is asked whether it is routed, and whether it answers', () => {
  const ids = new Set(checks.map(({ id }) => id));
  for (const { id } of catalog)
    expect([ids.has(`${id}#routed`), ids.has(`${id}#answers`)]).toEqual([true, true]);
});

test('there are at least 2,000 checks, and no two share an id', () => {
  expect(checks.length).toBeGreaterThanOrEqual(2_000);
  expect(new Set(checks.map(({ id }) => id)).size).toBe(checks.length);
});
