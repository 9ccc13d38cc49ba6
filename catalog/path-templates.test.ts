import { expect, test } from 'vitest';
import { areas, catalog } from './catalog.ts';
import { meet, operationsMatching, shadowOf } from './path-templates.ts';

const { archives, general, messages, party } = areas;

test('a path is of the operation whose template it fits', () => {
  const at = (path: string) => operationsMatching('base', 'GET', path.split('/'))[0]?.id;
  expect(at(general.version.path)).toBe('general.version');
  expect(at(party.get.path.replace(/\{\w+\}$/, 'p-77'))).toBe('party.get');
  expect(at('/nothing/here')).toBeUndefined();
});

test('shadows are the templates that match a literal path', () => {
  const found = catalog.flatMap((operation) =>
    shadowOf(operation) ? [[operation.id, shadowOf(operation)?.id]] : [],
  );
  expect(found).toEqual([
    ['party.details', 'party.get'],
    ['party.leave', 'party.delete'],
  ]);
  expect(shadowOf(messages.list)).toBeUndefined();
});

test('operations meet where one path may be of both, whichever of them has the parameter', () => {
  expect(meet(party.get, party.details)).toBe(true);
  expect(meet(party.details, party.get)).toBe(true);
  expect(meet(party.get, archives.journal)).toBe(false);
});
