import { expect, test } from 'vitest';
import { areas, catalog } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import { type Answer, rehearse } from '../../fixtures/kit/rule-rehearsal.ts';
import { isHarmless, readMethods, unlistedMethods } from './read-methods.ts';

test.each<[Operation, readonly string[]]>([
  [areas.general.currencies, ['DELETE', 'PUT']],
  // DELETE and PUT of a party's id take this path in.
  [areas.party.details, []],
])('$id has no %j', (operation, expected) => {
  expect(unlistedMethods(operation)).toEqual(expected);
});

test('nothing is deleted that the path names, nor on the store', () => {
  const asked = catalog.filter(isHarmless);
  expect(asked.length).toBeGreaterThan(30);
  expect(asked.filter(({ host, path }) => host !== 'base' || path.includes('{'))).toEqual([]);
  expect(asked).not.toContain(areas.party.details);
});

const read: Answer = { body: { currencies: [2] } };

test.each<[string, Answer, string]>([
  ['405', { status: 405, headers: { allow: 'GET' } }, 'pass'],
  ['404', { status: 404 }, 'pass'],
  ['400, since it cannot be read', { status: 400 }, 'pass'],
  ['an empty success', { status: 204 }, 'pass'],
  ['an answer of its own', { body: { status: 'OK' } }, 'pass'],
  ['the read', { body: { currencies: [1] } }, 'violation'],
  ['a broken connection', { error: 'reset' }, 'reset'],
])('other methods answered with %s', async (_, answer, expected) => {
  for (const only of ['DELETE', 'PUT']) {
    const { verdict } = await rehearse(readMethods, areas.general.currencies, ({ method }) =>
      method === undefined ? read : method === only ? answer : { status: 405 },
    );
    expect(verdict).toBe(expected);
  }
});

test.each<[string, Answer]>([
  ['no body', { status: 204 }],
  ['{}', { body: {} }],
  ['empty lists', { body: { expiring: [] } }],
])('a read answered with %s is like any acknowledgement', async (_, answer) => {
  const { verdict } = await rehearse(readMethods, areas.general.currencies, () => answer);
  expect(verdict).toBe('not-triggered');
});
