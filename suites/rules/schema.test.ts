import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { guessesFor } from '../../engine/players/candidate-bodies.ts';
import type { ContextFacts } from '../../fixtures/kit/fake-context.ts';
import { type Answer, rehearse } from '../../fixtures/kit/rule-rehearsal.ts';
import { schema, schemaMismatch } from './schema.ts';

const { create } = areas.party;
const form = { type: 'object', required: ['partyId'], properties: { partyId: { type: 'string' } } };
const stated = () => ({ schema: form });
const judged = (answer: Answer, facts: ContextFacts = { stated }) =>
  rehearse(schema, create, () => answer, facts);

test('an answer of the form that the profile gives passes', async () => {
  expect((await judged({ status: 201, body: { partyId: 'p', more: [] } })).verdict).toBe('pass');
});

test('another form is a violation that names the place, what was expected and what was found', async () => {
  const { judgement } = await judged({ body: { partyId: 7 } });
  expect(judgement).toMatchObject({
    kind: 'violation',
    expected: '/partyId must be string',
    actual: '7',
  });
});

test('an answer that is not JSON is another form', async () => {
  expect((await judged({ body: 'ok' })).verdict).toBe('violation');
});

test.each([
  ['the profile gives no schema', { body: {} }, { stated: () => ({ accepts: [200] }) }],
  ['the call is refused', { status: 409, body: { error: 'no' } }, { stated }],
  ['there is no content', { status: 204 }, { stated }],
] as const)('nothing is held against it where %s', async (_, answer, facts) => {
  expect((await judged(answer, facts)).verdict).toBe('not-triggered');
});

test('another form is no violation where it answers a version pattern that nobody gave', async () => {
  const { contentVersionOf } = areas.utils;
  const answer = () => ({ body: { error: 'no such pattern' } });
  const facts = { stated, ambientGiven: new Set(['gameVersion']) };
  expect((await rehearse(schema, contentVersionOf, answer, facts)).verdict).toBe('unknown-resource');
  expect((await rehearse(schema, contentVersionOf, answer, { stated })).verdict).toBe('violation');
});

test('what a guessed body is answered with success may say that it is none', async () => {
  const flows = { forms: guessesFor };
  const refusing = await judged({ body: { error: 'no such body' } }, { stated, flows });
  expect(refusing.judgement).toMatchObject({ kind: 'inconclusive', reason: 'needs-body' });
  expect((await judged({ body: { partyId: 'p' } }, { stated, flows })).verdict).toBe('pass');
});

const party = {
  type: 'object',
  required: ['id', 'members'],
  properties: {
    id: { type: 'string', format: 'uuid' },
    members: {
      type: 'array',
      items: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
    },
    mode: { enum: ['open', 'closed'] },
    toString: { type: 'number' },
  },
};
const id = '7d0c6f52-0d3e-4b7c-9a51-1f7a3c2e0001';

test('a value that its schema allows is no finding', () => {
  expect(schemaMismatch({ id, members: [{ name: 'Rowan', more: 1 }] }, party)).toBeUndefined();
});

test.each([
  [{ members: [] }, 'the answer with a member "id"', 'it is missing'],
  [{ id, members: [{ name: 'R' }, {}] }, '/members/1 with a member "name"', 'it is missing'],
  [{ id, members: [{ name: 7 }] }, '/members/0/name must be string', '7'],
  [{ id: 'p1', members: [] }, '/id must match format "uuid"', '"p1"'],
  [
    { id, members: [], mode: 'x' },
    '/mode must be equal to one of the allowed values: ["open","closed"]',
    '"x"',
  ],
  [[], 'the answer must be object', '[]'],
])('%j is reported by its first violation', (value, expected, actual) => {
  expect(schemaMismatch(value, party)).toEqual({ expected, actual });
});

test('what was found is shown short and printable', () => {
  const found = schemaMismatch({ id: `\u001b[31m${'x'.repeat(10_000)}`, members: [] }, party);
  expect(found?.actual.length).toBeLessThan(100);
  expect(found?.actual).not.toMatch(/[\x00-\x1f]/);
});

test('a choice none of whose branches holds is reported as such', () => {
  const choice = { anyOf: [{ type: 'string' }, { type: 'null' }] };
  expect(schemaMismatch(7, choice)).toEqual({
    expected: 'the answer must match a schema in anyOf',
    actual: '7',
  });
});

test('a member that the schema forbids is named', () => {
  const closed = { properties: { id: {} }, additionalProperties: false };
  expect(schemaMismatch({ id, size: 1 }, closed)).toEqual({
    expected: 'the answer without further members',
    actual: 'it has "size"',
  });
});

test('where a condition decides, what does not hold is reported before the condition', () => {
  const conditional = { if: { required: ['id'] }, else: { required: ['message'] } };
  expect(schemaMismatch({ code: 1 }, conditional)).toEqual({
    expected: 'the answer with a member "message"',
    actual: 'it is missing',
  });
  expect(schemaMismatch({ code: 1 }, { if: { required: ['id'] }, else: false })?.actual).toBe('{"code":1}');
});

test('a schema that allows nothing is reported as that', () => {
  expect(schemaMismatch(7, { not: {} })).toEqual({ expected: 'the answer must NOT be valid', actual: '7' });
});

test('an inherited member is none', () => {
  expect(schemaMismatch({}, { required: ['constructor'] })).toMatchObject({ actual: 'it is missing' });
});

test('an answer nested without end is reported as such, where its schema refers to itself', () => {
  const tree = { type: 'array', items: { $ref: '#' } };
  expect(schemaMismatch([[], [[]]], tree)).toBeUndefined();
  const deep = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000));
  expect(schemaMismatch(deep, tree)).toMatchObject({ actual: 'one that is nested too deeply' });
});

test('two schemas of one name are two', () => {
  const named = (type: string) => ({ $id: 'https://api.example/answer', type });
  expect(schemaMismatch('a', named('string'))).toBeUndefined();
  expect(schemaMismatch('a', named('number'))).toMatchObject({ expected: 'the answer must be number' });
});

test('a schema may name its parts by an anchor', () => {
  const schema = { $ref: '#name', $defs: { name: { $anchor: 'name', type: 'string' } } };
  expect(schemaMismatch(7, schema)).toMatchObject({ actual: '7' });
});
