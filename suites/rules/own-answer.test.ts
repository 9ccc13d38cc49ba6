import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import type { Named } from '../../engine/probe/named-players.ts';
import { exchangeOf } from '../../fixtures/kit/exchanges.ts';
import { rehearse } from '../../fixtures/kit/rule-rehearsal.ts';
import { ownAnswer } from './own-answer.ts';

const { extensions, general } = areas;
const [wrong, right] = [exchangeOf({ status: 200 }), exchangeOf({ status: 200 })];
const misnamed: Named = {
  callers: ['/playerId'],
  ids: [],
  otherPlayer: { place: '/playerId', times: 2, of: 34, wrong, right },
};
const judged = (named: Named, facts = {}) =>
  rehearse(ownAnswer, general.inventories, () => ({ body: {} }), { named: async () => named, ...facts });

test('is violated where another player stands in the place of the caller, with both exchanges', async () => {
  const { judgement } = await judged(misnamed);
  expect(judgement).toMatchObject({
    kind: 'violation',
    expected: 'the caller at /playerId',
    actual: 'another player, in 2 of 34 answers',
    evidence: wrong,
    control: right,
  });
  expect(judgement).not.toHaveProperty('level');
});

test('passes where a place names the caller, and is not triggered where none does', async () => {
  const verdicts = await Promise.all([
    judged({ callers: ['/playerId'], ids: [] }),
    judged({ callers: [], ids: [] }),
  ]);
  expect(verdicts.map(({ verdict }) => verdict)).toEqual(['pass', 'not-triggered']);
});

test('shares its calls with other rules, and sends none where the operation is not served', async () => {
  const served = await judged(misnamed);
  expect(served.asked).toEqual([{}, ...[1, 2, 3].map((nth) => ({ as: 'crowd', nth }))]);
  const routed = async () => ({ served: undefined, reason: 'catch-all', why: '' }) as const;
  expect((await judged(misnamed, { routed })).asked).toEqual([]);
});

test.each([
  [general.inventories, true],
  [extensions.recommendations, false],
])('knows that %o is about its caller alone: %s', async (operation, expected) => {
  let own: boolean | undefined;
  const named = async (_: unknown, isOwn: boolean) => {
    own = isOwn;
    return misnamed;
  };
  await rehearse(ownAnswer, operation, () => ({ body: {} }), { named });
  expect(own).toBe(expected);
});
