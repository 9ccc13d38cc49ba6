import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import type { Intermittent } from '../../engine/probe/intermittent-errors.ts';
import { exchangeOf } from '../../fixtures/kit/exchanges.ts';
import { rehearse } from '../../fixtures/kit/rule-rehearsal.ts';
import { reliable } from './reliable.ts';

const [broken, right] = [exchangeOf({ status: 500 }), exchangeOf({ status: 200 })];
const judged = (intermittent: Intermittent) =>
  rehearse(reliable, areas.general.currencies, () => ({ body: {} }), {
    intermittent: async () => intermittent,
  });

test('is violated by a server error between successes, with both exchanges', async () => {
  expect((await judged({ times: 2, of: 9, inTurn: 9, broken, right })).judgement).toMatchObject({
    kind: 'violation',
    expected: 'success each time',
    actual: '500 in 2 of 9 answers, with success before and after',
    evidence: broken,
    control: right,
  });
});

test('repeats the read itself, one call after another, only where others have not done so often', async () => {
  const none = { times: 0, broken: undefined, right: undefined };
  const own = [2, 3, 4].map((nth) => ({ nth: `in turn ${nth}` }));
  expect((await judged({ ...none, of: 0, inTurn: 1 })).asked).toEqual(expect.arrayContaining(own));
  // Two answers to each of many requests show nothing between them.
  expect((await judged({ ...none, of: 8, inTurn: 2 })).asked).toContainEqual(own[0]);
  expect((await judged({ ...none, of: 4, inTurn: 4 })).asked).not.toContainEqual(own[0]);
});

test('repeats no read that is refused', async () => {
  expect((await rehearse(reliable, areas.general.currencies, () => ({ status: 404 }))).asked).toEqual([{}]);
});

test('passes where the same request was answered again and again, and is not triggered where none was', async () => {
  const none = { times: 0, broken: undefined, right: undefined };
  const verdicts = await Promise.all([
    judged({ ...none, of: 5, inTurn: 5 }),
    judged({ ...none, of: 0, inTurn: 1 }),
  ]);
  expect(verdicts.map(({ verdict }) => verdict)).toEqual(['pass', 'not-triggered']);
});
