// docs/profile.md misses no key of the schema, no parameter and no placeholder; its examples are profiles.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../engine/files.ts';
import { readProfile } from '../engine/target/profile.ts';
import { always, foundByFlows, ofLogin } from '../engine/target/profile-validation.ts';
import { codeOf, fencesIn, pages, rowsBelow } from '../fixtures/kit/markdown.ts';

const page = 'docs/profile.md';

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | false;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly const?: string;
}

const schema = JSON.parse(readFileSync(join(root, 'engine/target/profile.schema.json'), 'utf8')) as Schema & {
  readonly $defs: Readonly<Record<'operation' | 'parameters' | 'transport' | 'words', Schema>>;
};
const { operation, parameters, transport, words } = schema.$defs;
const namesIn = ({ properties = {} }: Schema) => Object.keys(properties);

/** `session.jwt.alg`, `omit[].reason`: every key below; what has a table of its own is not entered. */
function keysOf(of: Schema, at: string): string[] {
  const kept = Object.entries(of.properties ?? {}).flatMap(([name, inner]) => {
    const key = at === '' ? name : `${at}.${name}`;
    if (key === 'operations') return [key, ...keysOf(operation, 'operations.*')];
    return [key, ...keysOf(key === 'words' ? words : inner, key)];
  });
  const items = of.items ? keysOf(of.items, `${at}[]`) : [];
  const entries = of.additionalProperties ? (of.additionalProperties.anyOf ?? []) : [];
  return [...kept, ...items, ...entries.flatMap((each) => keysOf(each, `${at}.*`))];
}

const firstCells = (heading: string) => rowsBelow(page, heading).flatMap(([first]) => codeOf(first));

test('every key of the schema is described, and no other', () => {
  expect(firstCells('## Which keys are there?').sort()).toEqual(keysOf(schema, '').sort());
});

test('every kind of session transport is described, with its keys', () => {
  const described = rowsBelow(page, '### How is the session sent back?').map(([kind, keys]) => [
    ...codeOf(kind),
    ...codeOf(keys).sort(),
  ]);
  const there = transport.oneOf?.map(({ properties = {} }) => [
    properties.kind?.const,
    ...Object.keys(properties)
      .filter((name) => name !== 'kind')
      .sort(),
  ]);
  expect(described.sort()).toEqual(there?.sort());
});

test('every parameter is described, and no other', () => {
  expect(firstCells('### Which parameters can I give?').sort()).toEqual(namesIn(parameters).sort());
});

test('every placeholder is described, and no other', () => {
  const described = firstCells('## Which placeholders can a body hold?')
    .map((code) => /^\{\{([\w.]+)\}\}$/.exec(code)?.[1])
    .filter((name): name is string => name !== undefined && !namesIn(parameters).includes(name));
  expect(described.sort()).toEqual(
    [...new Set([...always, ...ofLogin, ...Object.keys(foundByFlows)])].sort(),
  );
});

const examples = pages.flatMap((from) =>
  fencesIn(from)
    .filter(({ language }) => language === 'json')
    .map(({ lines }) => [from, lines.join('\n')] as const),
);

test.each(examples)('%s: the example is a profile', (_, text) => {
  expect(readProfile(text, { API_KEY: 'a key' })).toHaveProperty('profile');
});
