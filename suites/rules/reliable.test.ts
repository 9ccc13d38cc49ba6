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
  expect((await judged({ times: 2, of: 9, broken, right })).judgement).toMatchObject({
    kind: 'violation',
    expected: 'success each time',
    actual: '500 in 2 of 9 answers, with success before and after',
    evidence: broken,
    control: right,
  });
});

test('repeats the read itself, one call after another, only where others have not done so often', async () => {
  const none = { times: 0, broken: undefined, right: undefined };
  const own = [4, 5, 6, 7].map((nth) => ({ as: 'crowd', nth }));
  expect((await judged({ ...none, of: 0 })).asked).toEqual(expect.arrayContaining(own));
  expect((await judged({ ...none, of: 6 })).asked).not.toContainEqual(own[0]);
});

test('passes where the same request was answered again and again, and is not triggered where none was', async () => {
  const none = { times: 0, broken: undefined, right: undefined };
  const verdicts = await Promise.all([judged({ ...none, of: 5 }), judged({ ...none, of: 0 })]);
  expect(verdicts.map(({ verdict }) => verdict)).toEqual(['pass', 'not-triggered']);
});
