import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { exchangeOf } from '../../fixtures/kit/exchanges.ts';
import { identify, type Proof } from './identifiers.ts';

const operation = areas.party.create;

const idIn = (body: unknown, proof?: Proof, pointer?: string) =>
  identify(exchangeOf({ status: 200, body }), {
    operation,
    name: 'partyId',
    proof,
    flows: { pointer: () => pointer },
  });

test.each<[string, unknown, string]>([
  ['under its own name, however deep', { data: { at: 1, partyId: 'p-1' } }, 'p-1'],
  ['as a number', { partyId: 17 }, '17'],
  ['as the id there is', { party: { name: 'x', id: 'p-2' } }, 'p-2'],
  ['in another spelling', { party_id: 'p-3', leader: 'l' }, 'p-3'],
])('an identifier is found %s', async (_, body, found) => {
  expect(await idIn(body)).toBe(found);
});

test('a pointer of the profile takes precedence over a member of that name', async () => {
  expect(await idIn({ partyId: 'wrong', group: { ref: 'right' } }, undefined, '/group/ref')).toBe('right');
});

test('where the profile points at nothing, it is not guessed', async () => {
  await expect(idIn({ partyId: 'p' }, undefined, '/gone')).rejects.toMatchObject({
    judgement: { reason: 'unknown-resource' },
  });
});

test('where the profile points at the answer itself, that has to be one', async () => {
  expect(await idIn('"p-4"', undefined, '')).toBe('p-4');
  await expect(idIn({ partyId: 'p' }, undefined, '')).rejects.toMatchObject({
    judgement: { detail: 'the profile looks for partyId at the root, and nothing like it is there' },
  });
});

test('where nothing can be proven, only a name that ends like the sought one will do', async () => {
  expect(await idIn({ leader: 'l-1', groupId: 'g', id: 'p-5' })).toBe('p-5');
  await expect(idIn({ leader: 'l-1', ref: 'p-9' })).rejects.toMatchObject({
    judgement: { reason: 'unknown-resource' },
  });
});

test('an identifier under a strange name is found by proof', async () => {
  expect(await idIn({ leader: 'l-1', ref: 'p-9' }, async (candidate) => candidate === 'p-9')).toBe('p-9');
});

test.each<[string, unknown]>([
  ['nothing proves to be one', { leader: 'l-1', ref: 'p-9' }],
  ['the answer is no JSON', 'made'],
])('%s: the step cannot go on', async (_, body) => {
  await expect(idIn(body, async () => false)).rejects.toMatchObject({
    judgement: { kind: 'inconclusive', reason: 'unknown-resource' },
  });
});

test('proves at most eight values', async () => {
  let asked = 0;
  const many = Object.fromEntries(Array.from({ length: 50 }, (_, nth) => [`k${nth}`, `v${nth}`]));
  await idIn(many, async () => ++asked < 0).catch(() => {});
  expect(asked).toBe(8);
});
