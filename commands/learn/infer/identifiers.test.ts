import { expect, test } from 'vitest';
import { createKnownValues } from '../privacy.ts';
import { addAnswerOf, IdentifierPlaces, placesOf } from './identifiers.ts';

const known = {
  ...createKnownValues(),
  identifies: (value: string) => (/^party-\d$/.test(value) ? 'partyId' : undefined),
} as ReturnType<typeof createKnownValues>;
const isShareable = (key: string) => /^[a-z]+$/i.test(key);

function read(answers: readonly unknown[]) {
  const places = new IdentifierPlaces();
  for (const value of answers)
    addAnswerOf(places, { body: { kind: 'json', value } }, known, new Set(['party-9']));
  return places;
}
const placesIn = (...answers: readonly unknown[]) =>
  Object.fromEntries(placesOf(read(answers), read([]), isShareable));

test('an id that calls are made with is found where answers hold it', () => {
  expect(placesIn({ a: { room: 'party-1' } }, { a: { room: 'party-2' } })).toEqual({
    partyId: { pointer: '/a/room', answers: 2 },
  });
});

test('of several places the one of its own name counts, then the shallowest', () => {
  expect(placesIn({ id: 'party-1', deep: { partyId: 'party-1' } })).toMatchObject({
    partyId: { pointer: '/deep/partyId' },
  });
  expect(placesIn({ deep: { id: 'party-1' }, ref: 'party-1' })).toMatchObject({
    partyId: { pointer: '/ref' },
  });
});

test('a place that half of the answers do not have, an element of a list, and an echo of the request are none', () => {
  expect(placesIn({ a: 'party-1' }, {}, {})).toEqual({});
  expect(placesIn({ list: ['party-1'] })).toEqual({});
  expect(placesIn({ a: 'party-9' })).toEqual({});
});

test('a pointer through a key that cannot be shared is left out', () => {
  expect(placesIn({ 'player-1': { partyId: 'party-1' } })).toEqual({});
});

test('where answers hold it now here, now there, no place is written, however often one was met', () => {
  const [flat, deep] = [{ partyId: 'party-1' }, { data: { partyId: 'party-1' } }];
  expect(placesIn(flat, flat, deep)).toEqual({});
  expect(placesIn(deep, flat)).toEqual({});
  expect(placesIn(flat, { ...flat, ...deep }, {})).toMatchObject({ partyId: { pointer: '/partyId' } });
});

test('a place that flows find the identifier elsewhere than is none; what they do not hold says nothing', () => {
  const flat = { partyId: 'party-1' };
  const beside = (...inFlows: readonly unknown[]) => placesOf(read([flat]), read(inFlows), isShareable).size;
  expect([beside(flat), beside({}, flat), beside({ data: flat }), beside(flat, { data: flat })]).toEqual([
    1, 1, 0, 0,
  ]);
});
