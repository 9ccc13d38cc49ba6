import { expect, test } from 'vitest';
import { areas, catalog } from '../../catalog/catalog.ts';
import { callOrder } from './call-order.ts';

const steps = callOrder.flatMap((leg) => leg.steps);

test('every operation is called once for its own sake', () => {
  const own = steps.filter(({ again }) => again === undefined).map(({ operation }) => operation.id);
  expect(own.sort()).toEqual(catalog.map(({ id }) => id).sort());
});

test('an operation that is called once more is called for somebody, under a name of its own', () => {
  const repeated = steps.filter(({ again }) => again !== undefined);
  const needed = new Set(steps.flatMap(({ after }) => after));
  const useless = repeated.filter((step) => step.operation !== areas.auth.login && !needed.has(step));
  expect(useless).toEqual([]);
  const names = steps.map(({ operation, again }) => `${operation.id} ${again}`);
  expect(new Set(names).size).toBe(names.length);
});

test('what a step needs comes before it', () => {
  for (const [at, { operation, after }] of steps.entries())
    for (const needed of after) {
      expect(steps.indexOf(needed), operation.id).toBeGreaterThanOrEqual(0);
      expect(steps.indexOf(needed), operation.id).toBeLessThan(at);
    }
});

test('what ends a session for others comes last', () => {
  expect(steps.at(-1)?.operation).toBe(areas.me.logout);
});

test('who of the two players does what in a party', () => {
  const party = callOrder.find(({ title }) => title === 'Party')?.steps ?? [];
  const done = (who: string) =>
    party.filter(({ as }) => as === who).map(({ operation }) => operation.id.replace('party.', ''));
  expect(done('other')).toEqual([
    'rejectInvite',
    'acceptInvite',
    'join',
    'join',
    'cancelJoin',
    'join',
    'leave',
  ]);
  expect(done('main').slice(-5)).toEqual(['invite', 'removePlayer', 'rejectJoin', 'acceptJoin', 'delete']);
});
