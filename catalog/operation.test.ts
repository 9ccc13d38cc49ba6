import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { catalog, operationById } from './catalog.ts';
import { identifierOf, parametersOf } from './operation.ts';

const document = readFileSync(new URL('./interface.md', import.meta.url), 'utf8');
const used = new Set(catalog.flatMap(parametersOf));

/** The names in the document's table "Identifiers that appear in paths or query strings". */
function documentedNames(): string[] {
  const table = document.split('Identifiers that appear in')[1]?.split('Named player states')[0] ?? '';
  return Array.from(table.matchAll(/^\| (.+?) \|/gm), (match) => match[1] ?? '')
    .filter((name) => name !== 'Name' && !name.startsWith('---'))
    .flatMap((names) => names.split(', '))
    .map((name) => name.replace('[]', ''));
}

test('the parameters of the catalog are the names in the document, all of them', () => {
  expect([...used].sort()).toEqual([...new Set(documentedNames())].sort());
});

test('these parameters name a resource; the others only select or shape the answer', () => {
  const rest = [...used].filter((name) => identifierOf(name) === undefined).sort();
  expect(rest).toEqual([
    'CDN_ROOT_FOLDER_PATH',
    'filter',
    'gameVersion',
    'language',
    'limit',
    'locale',
    'platform',
    'schemaVersion',
    'stateName',
    'token',
    'types',
    'version',
  ]);
});

test('a name that every object has is no identifier', () => {
  expect(identifierOf('constructor')).toBeUndefined();
});

test('a friend is a player', () => {
  expect(operationById('party.cancelJoin')?.identifiers).toEqual({ partyId: 'party', friendId: 'player' });
});

test('an operation that names a resource may honestly answer 404 for an unknown one', () => {
  for (const { id, identifiers, mayBe404 } of catalog) {
    const named = Object.keys(identifiers).length > 0;
    expect(mayBe404 === 'unknown id', id).toBe(named);
  }
});
