import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { rehearse, type Script } from '../../fixtures/kit/rule-rehearsal.ts';
import { booleans } from './booleans.ts';

const script =
  (plain: number, other: number): Script =>
  (ask) => ({ status: Object.keys(ask).length === 0 ? plain : other });

test.each<[number, number, string]>([
  [200, 200, 'pass'],
  [200, 400, 'violation'],
  [422, 200, 'violation'],
  [200, 404, 'inconclusive'],
  [404, 404, 'inconclusive'],
  [400, 400, 'inconclusive'],
])('true answered %i and false %i', async (plain, other, expected) => {
  const { judgement } = await rehearse(booleans, areas.party.details, script(plain, other));
  expect(judgement.kind).toBe(expected);
});

test('each boolean of a call is turned round, by a player who has a party of his own', async () => {
  const { asked } = await rehearse(booleans, areas.party.removePlayer, () => ({}));
  expect(asked[1]).toEqual({
    as: 'party.removePlayer, turned round',
    params: { ban: 'true', disband: 'true' },
  });
});
