import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { catalog } from '../../catalog/catalog.ts';
import { documentedPath } from '../../catalog/request-path.ts';
import { words } from '../../catalog/words.ts';
import { jsonSchemas } from './json-schemas.ts';
import { parameterNames } from './profile-validation.ts';
import { jwtAlgs } from './target.ts';

const schema = JSON.parse(readFileSync(new URL('./profile.schema.json', import.meta.url), 'utf8'));
const { properties, $defs } = schema;

const described = (operations: typeof catalog, ref: (operation: (typeof catalog)[number]) => string) =>
  Object.fromEntries(
    operations.map((operation) => [
      operation.id,
      { description: `${operation.method} ${documentedPath(operation)}`, $ref: `#/$defs/${ref(operation)}` },
    ]),
  );

test('the published schema is a JSON Schema', () => {
  expect(jsonSchemas().addKeyword('errorMessage').validateSchema(schema)).toBe(true);
});

test('it names every operation of the catalog, with its method and path', () => {
  expect(properties.operations.properties).toEqual(described(catalog, () => 'operation'));
  expect($defs['operation-id'].enum).toEqual(catalog.map(({ id }) => id));
});

test('it names every parameter and every word, and says what each is', () => {
  expect(Object.keys($defs.parameters.properties)).toEqual(parameterNames);
  expect(Object.keys(properties.words.properties)).toEqual(words);
  for (const { description } of [
    ...Object.values<{ description: string }>($defs.parameters.properties),
    ...Object.values<{ description: string }>(properties.words.properties),
  ])
    expect(description).toMatch(/^[A-Z].*\.$/);
});

test('a single operation can replace just the words it holds', () => {
  const holders = catalog.filter((operation) => operation.words.length > 0);
  expect(properties.wordsAt.properties).toEqual(
    described(holders, (operation) => `only-${operation.words[0]?.word}`),
  );
  for (const word of words) expect(Object.keys($defs[`only-${word}`].properties)).toEqual([word]);
});

test('it names every algorithm that test JWTs can be signed with', () => {
  expect(properties.session.properties.jwt.properties.alg.enum).toEqual(jwtAlgs);
});
