import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { rehearse, type Script } from '../../fixtures/kit/rule-rehearsal.ts';
import { booleans } from './booleans.ts';

const isUnread = ({ params }: Parameters<Script>[0]) => Object.values(params ?? {}).includes('assay');

/** What is no boolean is answered 400, or 422 where the server answers that. */
const script =
  (plain: number, other: number): Script =>
  (ask) => ({
    status: isUnread(ask) ? Math.max(400, plain, other) : Object.keys(ask).length === 0 ? plain : other,
  });

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

test('a value that is refused for another reason than what is no boolean decides nothing', async () => {
  const { judgement } = await rehearse(booleans, areas.party.removePlayer, (ask) => {
    if (Object.keys(ask).length === 0) return {};
    return {
      status: 400,
      body: { ban: [isUnread(ask) ? 'Must be a boolean.' : 'You cannot ban yourself.'] },
    };
  });
  expect(judgement).toMatchObject({ kind: 'inconclusive', reason: 'needs-state' });
});

test('each boolean of a call is turned round, by a player who has a party of his own', async () => {
  const { asked } = await rehearse(booleans, areas.party.removePlayer, () => ({}));
  expect(asked[1]).toEqual({
    as: 'party.removePlayer, turned round',
    params: { ban: 'true', disband: 'true' },
  });
});
