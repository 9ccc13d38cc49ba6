import { describe, expect, test } from 'vitest';
import { exchangeOf } from '../../fixtures/kit/exchanges.ts';
import { entryNameIn, identifierIn, redeemableCodeIn } from './identifiers-in-answers.ts';

describe('an identifier in an answer', () => {
  test.each<readonly [string, unknown, string | number | undefined]>([
    ['at the top', { partyId: 'a' }, 'a'],
    ['deeper', { data: { party: { partyId: 'b' } } }, 'b'],
    ['in a list', [{ x: 1 }, { partyId: 'c' }], 'c'],
    ['as a number, which it stays', { partyId: 7 }, 7],
    ['in another spelling', { party_id: 'f' }, 'f'],
    [
      'by the first of the names, though another stands higher',
      { id: 'player', party: { partyId: 'd' } },
      'd',
    ],
    ['as the id of such a thing, before that of another', { leader: { id: 'g' }, party: { id: 'h' } }, 'h'],
    ['by another name where the first is missing', { made: { id: 'e' } }, 'e'],
    ['the nearest of two', { a: { b: { partyId: 'far' } }, partyId: 'near' }, 'near'],
    ['not where it is empty', { partyId: '' }, undefined],
    ['not where it is no value', { partyId: { of: 'x' } }, undefined],
    ['not in HTML', '<p>partyId</p>', undefined],
  ])('%s', (_, body, found) => {
    expect(identifierIn(exchangeOf({ body }), ['partyId', 'id'])).toBe(found);
  });

  test.each<[string, unknown, string | undefined]>([
    ['the first of a list of values', { nodes: ['n-1', 'n-2'] }, 'n-1'],
    ['not from a count', { nodes: 5 }, undefined],
    ['not from a list of objects', { nodes: [{ title: 'x' }] }, undefined],
    ['by itself before a list', { nodes: ['n-1'], active: { nodeId: 'n-2' } }, 'n-2'],
  ])('is taken as %s', (_, body, found) => {
    expect(identifierIn(exchangeOf({ body }), ['nodeId', 'nodes[]'])).toBe(found);
  });

  test('is looked for within bounds', () => {
    const deep = Array.from({ length: 2_000 }).reduce<unknown>((inner) => ({ inner }), { partyId: 'x' });
    expect(identifierIn(exchangeOf({ body: deep }), ['partyId'])).toBeUndefined();
  });
});

test.each<readonly [string, object, string]>([
  ['that is not open', { open: false }, 'b'],
  ['whose state says that it is over', { status: 'ended' }, 'b'],
  ['that is locked', { isLocked: true }, 'b'],
  ['that says something else', { read: false, status: 'new' }, 'a'],
])('of a list, an entry %s is taken last or first', (_, says, found) => {
  const body = { items: [{ storyId: 'a', ...says }, { storyId: 'b' }] };
  expect(identifierIn(exchangeOf({ body }), ['storyId'])).toBe(found);
  expect(identifierIn(exchangeOf({ body: { items: [{ storyId: 'a', ...says }] } }), ['storyId'])).toBe('a');
});

test.each<readonly [string, unknown, string | undefined]>([
  ['a map of stories', { data: { stories: { S1: { open: true }, S2: { open: false } } } }, 'S1'],
  ['a map of counts', { stories: { open: 1, locked: 2 } }, undefined],
  ['a map of something else', { tracks: { T1: { tier: 1 } } }, undefined],
  ['an empty map', { stories: {} }, undefined],
  ['a list', { stories: [{ title: 'one' }] }, undefined],
])('%s may name a story', (_, body, found) => {
  expect(entryNameIn(exchangeOf({ body }), 'storyId')).toBe(found);
});

test.each<readonly [string, unknown, string | undefined]>([
  [
    'a text that says to redeem it',
    { messages: [{ text: 'Redeem WELCOME2024 for 500 shards.' }] },
    'WELCOME2024',
  ],
  ['a text that calls it a code', { text: 'Le code FOGGY-NIGHT vaut 1 000.' }, 'FOGGY-NIGHT'],
  ['a field for codes', { promoCode: 'SPRING' }, 'SPRING'],
  ['no word in capitals by itself', { text: 'HELLO everybody' }, undefined],
  ['no code of something else', { errorCode: 'BROKEN', code: 'EUR' }, undefined],
  ['no word beyond the sentence', { text: 'A code will come to all who wait for it. PATIENCE' }, undefined],
  [
    'the one for all, where another is for a few',
    {
      news: [
        { body: 'The code FIRST3 works for the first three.' },
        { body: 'Redeem WELCOME for 500 shards.' },
      ],
    },
    'WELCOME',
  ],
  ['one for a few alone', { body: 'The code FIRST3 works for the first three.' }, 'FIRST3'],
])('a code to redeem is found: %s', (_, body, found) => {
  expect(redeemableCodeIn(exchangeOf({ body }))).toBe(found);
});
