import { expect, test } from 'vitest';
import { exchangeOf } from '../../fixtures/kit/exchanges.ts';
import type { Profile } from '../target/profile.ts';
import { createPointerWatch } from './pointers.ts';

const profile = (ids: Record<string, string>, operation = 'party.create') =>
  ({ operations: { [operation]: { ids } } }) as Pick<Profile, 'operations'>;
const created = (body: unknown, status = 200) => exchangeOf({ method: 'POST', status, body });

test('a pointer that matches nothing in any answer is reported with how many there were', () => {
  const { note, unmatched } = createPointerWatch(profile({ partyId: '/partyId' }));
  for (const id of [1, 2, 3]) note('party.create', created({ id }));
  expect(unmatched()).toEqual(['ids: /partyId of party.create matched nothing in 3 answers']);
});

test('one that matches once is well spelt', () => {
  const { note, unmatched } = createPointerWatch(profile({ partyId: '/party/id', autoJoinKey: '/key' }));
  note('party.create', created({}));
  note('party.create', created({ party: { id: 7 } }));
  note('party.create', created({}));
  expect(unmatched()).toEqual(['ids: /key of party.create matched nothing in 3 answers']);
});

test('an object is no identifier', () => {
  const { note, unmatched } = createPointerWatch(profile({ partyId: '/party' }));
  note('party.create', created({ party: {} }));
  expect(unmatched()).toEqual(['ids: /party of party.create matched nothing in 1 answer']);
});

test.each([
  ['a refusal', created({ error: 'no' }, 409)],
  [
    'an empty answer',
    { ...created('', 204), response: { ...created('', 204).response, body: new Uint8Array() } },
  ],
  ['another operation', undefined],
])('%s says nothing of it', (_, exchange) => {
  const { note, unmatched } = createPointerWatch(profile({ partyId: '/partyId' }));
  if (exchange) note('party.create', exchange as never);
  else note('party.details', created({}));
  expect(unmatched()).toEqual([]);
});

test('an answer that is no JSON has none of its places', () => {
  const { note, unmatched } = createPointerWatch(profile({ partyId: '' }));
  note('party.create', created('text'));
  expect(unmatched()).toEqual(['ids: the root of party.create matched nothing in 1 answer']);
});

test('without a profile there is nothing to miss', () => {
  const { note, unmatched } = createPointerWatch(undefined);
  note('party.create', created({}));
  expect(unmatched()).toEqual([]);
});

test.each([
  ['an empty list', '/items/0/id', { items: [] }],
  ['nothing in its place', '/party/id', { party: null }],
])('%s on the way there says nothing of a pointer', (_, pointer, body) => {
  const { note, unmatched } = createPointerWatch(profile({ partyId: pointer }));
  note('party.create', created(body));
  expect(unmatched()).toEqual([]);
  note('party.create', created({ items: [{}], party: {} }));
  expect(unmatched()).toHaveLength(1);
});

test('who wants to be sure waits for more answers', () => {
  const { note, unmatched } = createPointerWatch(profile({ partyId: '/partyId' }), 2);
  note('party.create', created({}));
  expect(unmatched()).toEqual([]);
  note('party.create', created({}));
  expect(unmatched()).toHaveLength(1);
});
