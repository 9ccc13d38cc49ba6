import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { catalog } from '../../catalog/catalog.ts';
import { words } from '../../catalog/words.ts';
import { jsonSchemas } from './json-schemas.ts';
import { parameterNames } from './profile-validation.ts';
import { jwtAlgs } from './target.ts';

const schema = JSON.parse(readFileSync(new URL('./profile.schema.json', import.meta.url), 'utf8'));
const { properties, $defs } = schema;

test('the published schema is a JSON Schema', () => {
  expect(jsonSchemas().addKeyword('errorMessage').validateSchema(schema)).toBe(true);
});

test('it names every operation of the catalog', () => {
  expect(properties.operations.propertyNames.enum).toEqual(catalog.map(({ id }) => id));
});

test('it names every operation that holds a neutral word', () => {
  const holders = catalog.filter((operation) => operation.words.length > 0);
  expect(properties.wordsAt.propertyNames.enum).toEqual(holders.map(({ id }) => id));
});

test('it names every parameter and every word, and says what each is', () => {
  expect(Object.keys($defs.parameters.properties)).toEqual(parameterNames);
  expect(Object.keys($defs.words.properties)).toEqual(words);
  for (const { description } of [
    ...Object.values<{ description: string }>($defs.parameters.properties),
    ...Object.values<{ description: string }>($defs.words.properties),
  ])
    expect(description).toMatch(/^[A-Z].*\.$/);
});

test('it names every algorithm that test JWTs can be signed with', () => {
  expect(properties.session.properties.jwt.properties.alg.enum).toEqual(jwtAlgs);
});
