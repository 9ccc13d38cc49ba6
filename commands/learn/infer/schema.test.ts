import { expect, test } from 'vitest';
import { addAnswer, eitherSchema, ObservedPlace, schemaOf } from './schema.ts';

function schemaFrom(...answers: readonly unknown[]) {
  const place = new ObservedPlace();
  const room = { left: 1_000 };
  const isShareable = (key: string) => /^[a-z]+$/i.test(key) && key !== 'Rowan';
  for (const [index, answer] of answers.entries())
    addAnswer(place, answer, { nth: index + 1, isShareable, room });
  return schemaOf(place);
}

test('one answer is no shape', () => {
  expect(schemaFrom({ a: 1 })).toBeUndefined();
});

test('what all answers hold is required, what several hold is a property, what one alone held is left out', () => {
  expect(schemaFrom({ a: 1, b: 'x', once: 1 }, { a: 2, b: 'y' }, { a: 3 })).toEqual({
    type: 'object',
    required: ['a'],
    properties: { a: { type: 'number' }, b: { type: 'string' } },
  });
});

test('types that differ are a union', () => {
  expect(schemaFrom({ a: null }, { a: 'x' }, { a: 1.5 })).toMatchObject({
    properties: { a: { type: ['null', 'number', 'string'] } },
  });
});

test('what was only ever null may be anything when it is there', () => {
  expect(schemaFrom({ a: null }, { a: null })).toEqual({
    type: 'object',
    required: ['a'],
    properties: { a: {} },
  });
});

test('a list has the shape of all its elements; an empty one says nothing of them', () => {
  expect(schemaFrom([{ a: 1, b: 1 }], [{ a: 2 }, { a: 3 }])).toEqual({
    type: 'array',
    items: { type: 'object', required: ['a'], properties: { a: { type: 'number' } } },
  });
  expect(schemaFrom([], [])).toEqual({ type: 'array' });
});

test('no value enters it', () => {
  expect(JSON.stringify(schemaFrom({ a: 'secret', b: [7] }, { a: 'secret', b: [7] }))).not.toMatch(
    /secret|7/,
  );
});

const many = {
  of: Object.fromEntries(Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnop', (c) => [`north${c}`, 1])),
};

test('a number in the name of a field among others makes no map, nor do values of several types', () => {
  const place = new ObservedPlace();
  const fields = { a: { line1: 'x', line: 'y' }, b: { x1: 1, x2: 'two' } };
  for (const nth of [1, 2]) addAnswer(place, fields, { nth, isShareable: () => true, room: { left: 100 } });
  expect(JSON.stringify(schemaOf(place))).not.toContain('additionalProperties');
  expect(JSON.stringify(schemaOf(place))).toContain('line1');
});

test.each([
  ['keys that cannot be shared', { players: { Rowan: 1 } }, { players: { Rowan: 2 } }],
  [
    'objects of one form',
    { regions: { north: { n: 1 }, south: { n: 2 } } },
    { regions: { east: { n: 1 }, west: { n: 2 } } },
  ],
  ['numbered or dotted keys', { of: { 'a.ann1': 1, 'a.north7': 2 } }, { of: { 'a.ann1': 1, 'a.north7': 2 } }],
  ['very many members of one type', many, many],
  ['objects below a word for people', { friends: { ann: { n: 1 } } }, { friends: { ann: { n: 2 } } }],
])('an object with %s is a map, and its keys are left out', (_, first, second) => {
  const text = JSON.stringify(schemaFrom(first, second));
  expect(text).toContain('additionalProperties');
  expect(text).not.toMatch(/Rowan|north|ann/);
});

test('a list of people holds people, not maps', () => {
  const members = [[{ state: { ready: true } }, { id: 1 }]];
  expect(JSON.stringify(schemaFrom({ members }, { members }))).not.toContain('additionalProperties');
});

test('what was taken for fields before a map was seen is left out too', () => {
  const schema = schemaFrom({ n: { first: 1 } }, { n: { first: 1 } }, { n: { 'x y': 1 } });
  expect(schema).toMatchObject({ properties: { n: { type: 'object' } } });
  expect(JSON.stringify(schema)).not.toMatch(/first|additional/);
});

test('however many places an answer has, the schema stays bounded', () => {
  const place = new ObservedPlace();
  const room = { left: 10 };
  const wide = Object.fromEntries(
    Array.from({ length: 90 }, (_, index) => ['k'.repeat(index + 1), index % 2 === 0 ? index : 'k']),
  );
  for (const nth of [1, 2]) addAnswer(place, wide, { nth, isShareable: () => true, room });
  expect(Object.keys((schemaOf(place) as { properties: object }).properties)).toHaveLength(10);
});

test('of two learnt schemas, what both require is required, and what either allows is allowed', () => {
  const one = schemaFrom(
    { a: 1, b: 'x', in: { c: 1, d: 1 } },
    { a: 1, b: 'x', in: { c: 1, d: 1 } },
  ) as object;
  const other = schemaFrom({ a: null, in: { c: 1 }, e: [1] }, { a: 'x', in: { c: 1 }, e: [1] }) as object;
  expect(eitherSchema(one, other)).toEqual({
    type: 'object',
    required: ['a', 'in'],
    properties: {
      a: { type: ['null', 'number', 'string'] },
      b: { type: 'string' },
      e: { type: 'array', items: { type: 'number' } },
      in: { type: 'object', required: ['c'], properties: { c: { type: 'number' }, d: { type: 'number' } } },
    },
  });
  expect(eitherSchema(one, one)).toEqual(one);
});

test('what one capture holds for a map and another for fields is an object of any members', () => {
  const map = schemaFrom({ x: { 'a.1': 1, 'a.2': 1 } }, { x: { 'a.1': 1, 'a.2': 1 } }) as object;
  const fields = schemaFrom({ x: { n: 1, m: 'x' } }, { x: { n: 1, m: 'x' } }) as object;
  expect(eitherSchema(map, fields)).toEqual({
    type: 'object',
    required: ['x'],
    properties: { x: { type: 'object' } },
  });
});
