import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { catalog } from '../../catalog/catalog.ts';
import { documentedPath } from '../../catalog/request-path.ts';
import { catalogPlaces } from './places.ts';

const lines = readFileSync(new URL('../../catalog/interface.md', import.meta.url), 'utf8').split('\n');

test('every operation of the catalog has its line in the document', () => {
  const placeOf = catalogPlaces();
  for (const operation of catalog) {
    const { file, line } = placeOf({ operation: operation.id });
    expect(file).toBe('catalog/interface.md');
    const path = documentedPath(operation);
    const named = /\/content\/\{gameVersion\}\/(.*)$/.exec(path)?.[1] ?? `${operation.method} | ${path}`;
    expect(lines[line - 1]?.replace(': GET ', ': GET | ')).toContain(named);
  }
});

test('a check is filed under the first of its operations; an unknown one stands at its beginning', () => {
  const placeOf = catalogPlaces();
  expect(placeOf({ operation: ['party.create', 'party.get'] })).toEqual(
    placeOf({ operation: 'party.create' }),
  );
  expect(placeOf({ operation: 'party.dance' })).toEqual({ file: 'catalog/interface.md', line: 1 });
});
