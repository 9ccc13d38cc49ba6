import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { everything, sampleResult, sampleRun } from '../../fixtures/kit/sample-run.ts';
import { transportErrors } from '../../reports/explain/glossaries.ts';
import { jsonSchemas } from '../target/json-schemas.ts';
import { reasons } from './reason-codes.ts';
import { schemaProblem } from './validate-result.ts';

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema | false;
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly examples?: readonly string[];
  readonly enum?: readonly string[];
}
const schema: Schema = JSON.parse(readFileSync(new URL('./result.schema.json', import.meta.url), 'utf8'));

/** Places of all the members that the schema names. */
function named(part: Schema, at = ''): string[] {
  const { properties = {}, items, $ref } = part;
  const referred = $ref === undefined ? [] : named(schema.$defs?.[$ref.slice('#/$defs/'.length)] ?? {}, at);
  const within = items ? named(items, `${at}[]`) : [];
  const members = Object.entries(properties).flatMap(([key, member]) => [
    `${at}.${key}`,
    ...named(member, `${at}.${key}`),
  ]);
  return [...new Set([...referred, ...within, ...members])];
}

/** Places of all the members that a value has. */
function held(value: unknown, at = ''): string[] {
  if (Array.isArray(value)) return [...new Set(value.flatMap((item) => held(item, `${at}[]`)))];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [`${at}.${key}`, ...held(member, `${at}.${key}`)]);
}

test('the published schema is a JSON Schema', () => {
  expect(jsonSchemas().validateSchema(schema)).toBe(true);
});

test('a result in which every member stands is sound', () => {
  expect(schemaProblem(everything)).toBeUndefined();
});

test('the schema names each member that a result may have, and no other', () => {
  // Keys of these are ids, and names of settings.
  const members = held(everything).filter((place) => !/^\.(options\.settings|ledger|latency)\./.test(place));
  expect(named(schema).sort()).toEqual(members.sort());
});

const { check: checks, exchange } = schema.$defs ?? {};
test.each([
  ['reason', checks?.properties?.reason?.examples, reasons],
  ['outcome', checks?.properties?.outcome?.enum, everything.summary],
  ['error of an exchange', exchange?.properties?.error?.properties?.kind?.enum, transportErrors],
])('the schema knows every %s', (_, known, all) => {
  expect(known?.toSorted()).toEqual(Object.keys(all).sort());
});

test('the sample results that the tests of reports use are valid', () => {
  expect(schemaProblem(sampleRun([sampleResult(), sampleResult({ outcome: 'fail' })]))).toBeUndefined();
});

const { seed: _, ...seedless } = everything;
const check = everything.checks[0];
test.each([
  [
    { ...everything, weather: 'fine' },
    'the whole file has a member "weather" that no result of this version has',
  ],
  [seedless, 'the whole file has no "seed"'],
  [
    { ...everything, checks: [{ ...check, colour: 1 }] },
    'checks[0] has a member "colour" that no result of this version has',
  ],
  [
    { ...everything, checks: [check, { ...check, level: 'loud' }] },
    'checks[1].level is "loud", expected one of documented, profile, standard, inferred, open',
  ],
  [{ ...everything, startedAt: 'yesterday' }, 'startedAt is "yesterday": it must match format "date-time"'],
  [{ ...everything, durationMs: 1e300 }, 'durationMs is 1e+300: it must be <= 10000000000'],
  [{ ...everything, checks: {} }, 'checks is an object: it must be array'],
  [[], 'the whole file is a list: it must be object'],
  [{ ...everything, ledger: { 'a\u001b[2J': 1 } }, 'ledger.a\\u001b[2J is 1: it must be string'],
  [
    { ...everything, 'a\u202e': 1 },
    'the whole file has a member "a\\u202e" that no result of this version has',
  ],
])('%# what is not of the schema is reported with its place', (value, problem) => {
  expect(schemaProblem(value)).toBe(problem);
});
