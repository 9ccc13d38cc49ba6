import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { rehearse, type Script } from '../../fixtures/kit/rule-rehearsal.ts';
import { shape } from './shape.ts';

const behaviour = async (
  script: Script,
  operation = areas.me.location as (typeof areas.me)[keyof typeof areas.me],
) => {
  const { judgement } = await rehearse(shape, operation, script);
  return judgement.kind === 'observed' ? judgement.behaviour : judgement;
};

test.each([
  ['JSON', { body: { b: [1], a: 'x' } }, '200 {"a":"string","b":["number"]}'],
  ['an empty answer', { status: 204 }, '204 empty'],
  [
    'anything else',
    { body: '<p>', headers: { 'content-type': 'text/html; charset=utf-8' } },
    '200 text/html',
  ],
  ['JSON without its label', { body: '{"a":1}' }, '200 {"a":"number"}'],
  [
    'JSON under another label',
    { body: { a: 1 }, headers: { 'content-type': 'text/html' } },
    '200 {"a":"number"} as text/html',
  ],
  ['bytes without a type', { body: new Uint8Array([1, 255]) }, '200 no type'],
])('%s is recorded by status and skeleton', async (_, answer, expected) => {
  expect(await behaviour(() => answer)).toBe(expected);
});

test('a read is that of a player on whom nobody writes, so that order does not count', async () => {
  const described = await behaviour(({ as }) => ({ body: as === 'reader' ? { mine: [] } : { mine: [1] } }));
  expect(described).toBe('200 {"mine":[]}');
});

test('a read by POST is that of the same player', async () => {
  const script: Script = ({ as }) => ({ body: as === 'reader' ? { mine: [] } : { mine: [1] } });
  const { judgement } = await rehearse(shape, areas.players.recentlyPlayed, script);
  expect(judgement).toMatchObject({ behaviour: '200 {"mine":[]}' });
});

test('records a call that changes something from the plain call, which is made once', async () => {
  const { asked } = await rehearse(shape, areas.players.addFriend, () => ({ body: {} }));
  expect(asked).toHaveLength(1);
});

test('a refusal has a shape too: clients branch on it', async () => {
  expect(await behaviour(() => ({ status: 409, body: { error: 'x' } }))).toBe('409 {"error":"string"}');
});

test.each([401, 403, 500])('%i hides the shape of the answer', async (status) => {
  expect(await behaviour(() => ({ status, body: { error: 'x' } }))).toMatchObject({
    kind: 'inconclusive',
    detail: `its plain call is answered ${status}`,
  });
});

test('a call that is not answered says why', async () => {
  expect(await behaviour(() => ({ error: 'timeout' }))).toMatchObject({ reason: 'timeout' });
});
