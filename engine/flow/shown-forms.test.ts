import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { exchangeOf } from '../../fixtures/kit/rule-rehearsal.ts';
import { formsAsShown } from './shown-forms.ts';

const bodiesFor = (body: unknown, status = 200) =>
  formsAsShown(exchangeOf(areas.game.voiceOver, {}, { status, body })).map(({ template }) => template);

test('the value stands in the place of a text, of null, or alone in an empty map', () => {
  expect(bodiesFor({ voiceOvers: {} })).toEqual([{ voiceOvers: { assay: '{{value}}' } }]);
  expect(bodiesFor({ settings: { voice: null, volume: 3 } })).toEqual([
    { settings: { voice: '{{value}}', volume: 3 } },
  ]);
  expect(bodiesFor({ data: { voice: 'low' } })).toEqual([{ voice: '{{value}}' }]);
});

test('a member is sent alone first, then with all that the read shows', () => {
  expect(bodiesFor({ playerId: 'p-1', updatedAt: 'today', voice: 'low' })).toEqual([
    { voice: '{{value}}' },
    { playerId: 'p-1', updatedAt: 'today', voice: '{{value}}' },
  ]);
});

test('the name of the player is not what the player wrote', () => {
  const presence = { player_name: 'Ada', status: 'online', details: null };
  expect(bodiesFor(presence)).toEqual([
    { status: '{{value}}' },
    { ...presence, status: '{{value}}' },
    { details: '{{value}}' },
    { ...presence, details: '{{value}}' },
  ]);
});

test.each<[string, unknown, number?]>([
  ['shows numbers, lists and ids alone', { volume: 3, of: ['a'], playerId: 'p-1' }],
  ['is a list', [{ voice: 'low' }]],
  ['is refused', { error: 'no' }, 403],
  ['holds placeholders of its own', { voice: 'low', notes: ['{{secret}}'] }],
  ['is larger than a body of its own should be', { voice: 'x'.repeat(9_000) }],
])('a read that %s gives no body but those that hold the value alone', (_, body, status) => {
  for (const template of bodiesFor(body, status)) expect(template).toEqual({ voice: '{{value}}' });
});

test('a body that a read gave says so', () => {
  const read = exchangeOf(areas.game.voiceOver, {}, { body: { voice: 'low' } });
  expect(formsAsShown(read).map(({ from }) => from)).toEqual(['read']);
});

test('a read of many texts gives four bodies at most', () => {
  const body = Object.fromEntries(Array.from({ length: 50 }, (_, nth) => [`text${nth}`, 'x']));
  expect(bodiesFor(body)).toHaveLength(4);
});
