import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { type Answer, rehearse, type Script } from '../../fixtures/kit/rule-rehearsal.ts';
import { shapeDifference, stableShape } from './stable-shape.ts';

const { location } = areas.me;
const inTurn =
  (...answers: Answer[]): Script =>
  ({ nth = 1 }) =>
    answers[Math.min(nth, answers.length) - 1] ?? {};
const cut = { headers: { 'content-type': 'application/json' }, body: '{' };
const html = { headers: { 'content-type': 'text/html' }, body: '<p>' };

test.each([
  ['other values', inTurn({ body: { at: 1 } }, { body: { at: 2 } }), 'pass'],
  ['a list that fills', inTurn({ body: [] }, { body: [{ a: 1 }] }), 'pass'],
  [
    'a type that changes to and fro',
    inTurn({ body: { a: 1 } }, { body: { a: '1' } }, { body: { a: 1 } }),
    'violation',
  ],
  [
    'a status that changes to and fro',
    ({ nth = 1 }) => (nth % 2 === 0 ? { status: 404, body: {} } : { body: {} }),
    'violation',
  ],
  ['a copy that lags behind', inTurn({ body: {} }, { status: 404, body: {} }, { body: {} }), 'pass'],
  ['a copy without it', inTurn({ body: {} }, { status: 204 }, { body: {} }), 'pass'],
  ['a session that is known now and then', inTurn({ body: {} }, { status: 401 }, { body: {} }), 'violation'],
  ['a form that changes to and fro', inTurn({ body: {} }, html, { body: {} }), 'violation'],
  ['JSON that is cut now and then', inTurn({ body: {} }, cut, { body: {} }), 'violation'],
  ['one change, as something ends', inTurn({ body: { a: 1 } }, { body: {} }, { body: {} }), 'pass'],
  ['two texts', inTurn(html), 'pass'],
  ['a refused read', inTurn({ status: 403 }), 'auth-wall'],
  ['a rate limit', inTurn({ body: {} }, { status: 429 }), 'rate-limited'],
] as [string, Script, string][])('returns $2 for $0', async (_, script, expected) => {
  expect((await rehearse(stableShape, location, script)).verdict).toBe(expected);
});

test('where accounts are few, flows play the reader too: a player that changes to and fro accuses nobody, a file does', async () => {
  const script = inTurn({ body: {} }, { status: 204 }, { body: {} });
  const crowded = { crowded: () => true };
  expect((await rehearse(stableShape, location, script, crowded)).verdict).toBe('needs-players');
  expect((await rehearse(stableShape, areas.clientData.catalog, script, crowded)).verdict).toBe('violation');
});

test('reads as a player whom nobody changes, and reads files as nobody', async () => {
  const { asked } = await rehearse(stableShape, location, () => ({ body: {} }));
  expect(asked).toEqual([{}, { as: 'reader' }, { as: 'reader', nth: 2 }]);
  const file = await rehearse(stableShape, areas.clientData.catalog, () => ({ body: {} }));
  expect(file.asked).toEqual([{}, { nth: 2 }]);
});

const id = (n: number) => `${n}0000000-0000-4000-8000-000000000000`;

test.each([
  ['other values', { a: 1, b: 'x' }, { b: 'y', a: 2 }],
  ['an empty list', { items: [] }, { items: [{ id: 1 }] }],
  ['null', { at: null }, { at: 'now' }],
  ['a shuffled list of unlike elements', [1, 'a', { x: 1 }], [{ x: 2 }, 'b']],
  ['elements of which some have a name', [{ id: 1 }, { id: 2, note: 'x' }], [{ id: 3 }]],
  ['a map by number', { 1: { x: 1 } }, { 22: { x: 2 } }],
  ['a map by UUID', { [id(1)]: 1 }, { [id(2)]: 1, [id(3)]: 2 }],
  ['a map by date', { '2026-11-01': 1 }, { '2026-11-02': 1 }],
  ['a map by id with a number in it', { 'player-123456': {} }, {}],
])('%s are one shape', (_, a, b) => {
  expect(shapeDifference(a, b)).toBeUndefined();
  expect(shapeDifference(b, a)).toBeUndefined();
});

test.each([
  ['another type', { a: { b: 1 } }, { a: { b: '1' } }, '/a/b is number once, string the other time'],
  ['another kind of body', [], {}, 'the whole body is list once, object the other time'],
  ['a missing name', { a: 1, b: 1 }, { a: 1 }, '/b is there once and missing the other time'],
  [
    'a name that no element has any more',
    [{ id: 1, x: 1 }],
    [{ id: 2 }, { id: 3 }],
    '/*/x is there once and missing the other time',
  ],
  ['a missing list', { items: [] }, {}, '/items is there once and missing the other time'],
  [
    'another type within a map',
    { 1: { x: 1 } },
    { 2: { x: [] } },
    '/{}/x is number once, list the other time',
  ],
])('%s is another shape', (_, a, b, actual) => {
  expect(shapeDifference(a, b)?.actual).toBe(actual);
});

test('neither depth nor size overflows', () => {
  const deep = JSON.parse('['.repeat(5_000) + ']'.repeat(5_000)) as unknown;
  const wide = Object.fromEntries(
    Array.from({ length: 100_000 }, (_, n) => [`k${n % 10}x${'y'.repeat(n % 500)}`, n]),
  );
  expect(shapeDifference(deep, deep)).toBeUndefined();
  expect(shapeDifference(wide, wide)).toBeUndefined();
});
