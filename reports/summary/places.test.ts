import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { catalog } from '../../catalog/catalog.ts';
import { catalogPlaces, placesIn } from './places.ts';

test('every operation of the catalog has its line', () => {
  const placeOf = catalogPlaces();
  for (const { id } of catalog) {
    const { file, line } = placeOf({ operation: id });
    const text = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8').split('\n')[line - 1];
    expect(text, id).toMatch(new RegExp(`^ +${id.split('.')[1]}: \\w+\\(`));
  }
});

test('two areas may stand in one file', () => {
  const source =
    "export const a = area('a', 'c', {\n  x: GET('/x'),\n});\nexport const b = area(\n  'b',\n  'c',\n  {\n    x: PUT('/y'),\n  },\n);\n";
  expect(Object.fromEntries(placesIn('f.ts', source))).toEqual({
    'a.x': { file: 'f.ts', line: 2 },
    'b.x': { file: 'f.ts', line: 8 },
  });
});

test('a check is filed under the first of its operations; an unknown one is told at the catalog', () => {
  const placeOf = catalogPlaces();
  expect(placeOf({ operation: ['party.create', 'party.get'] })).toEqual(
    placeOf({ operation: 'party.create' }),
  );
  expect(placeOf({ operation: 'party.dance' })).toEqual({ file: 'catalog/catalog.ts', line: 1 });
});
