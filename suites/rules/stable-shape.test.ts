import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { type Answer, rehearse, type Script } from '../../fixtures/kit/rule-rehearsal.ts';
import { stableShape } from './stable-shape.ts';

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
    inTurn({ body: {} }, { status: 404, body: {} }, { body: {} }),
    'violation',
  ],
  ['a form that changes to and fro', inTurn({ body: {} }, html, { body: {} }), 'violation'],
  ['JSON that is cut now and then', inTurn({ body: {} }, cut, { body: {} }), 'violation'],
  ['one change, as something ends', inTurn({ body: { a: 1 } }, { body: {} }, { body: {} }), 'pass'],
  ['two texts', inTurn(html), 'pass'],
  ['a refused read', inTurn({ status: 403 }), 'auth-wall'],
  ['a rate limit', inTurn({ body: {} }, { status: 429 }), 'rate-limited'],
] as [string, Script, string][])('%s', async (_, script, expected) => {
  expect((await rehearse(stableShape, location, script)).verdict).toBe(expected);
});

test('where accounts are few, flows play the reader too: a player that changes to and fro accuses nobody, a file does', async () => {
  const script = inTurn({ body: {} }, { status: 204 }, { body: {} });
  const crowded = { crowded: () => true };
  expect((await rehearse(stableShape, location, script, crowded)).verdict).toBe('needs-players');
  expect((await rehearse(stableShape, areas.clientData.catalog, script, crowded)).verdict).toBe('violation');
});

test('it reads as a player on whom nobody writes; files know no players', async () => {
  const { asked } = await rehearse(stableShape, location, () => ({ body: {} }));
  expect(asked).toEqual([{}, { as: 'reader' }, { as: 'reader', nth: 2 }]);
  const file = await rehearse(stableShape, areas.clientData.catalog, () => ({ body: {} }));
  expect(file.asked).toEqual([{}, { nth: 2 }]);
});
