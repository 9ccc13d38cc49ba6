import { expect, test } from 'vitest';
import { rehearseFlow, withoutWaits } from '../fixtures/kit/flow-rehearsal.ts';
import store from './store.ts';

/** The judgement of a code that nobody issued, which is answered so and gives so much. */
async function judged(status: number, gives = 0) {
  let coins = 100;
  const { play } = rehearseFlow(({ operation }) => {
    if (operation === 'general.redeem') {
      coins += gives;
      return { status, body: { status: 'UNKNOWN_CODE' } };
    }
    return { body: operation === 'general.currencies' ? { coins } : {} };
  });
  const [judgement] = await withoutWaits(() => play(store, 'redeem-unknown'));
  return judgement;
}

test.each([
  ['refused', 404, 0, { kind: 'pass' }],
  ['refused by an answer with success', 200, 0, { kind: 'inconclusive', reason: 'needs-state' }],
  ['taken', 200, 50, { kind: 'violation', actual: '150 at /coins' }],
  ['refused, and gives all the same', 404, 50, { kind: 'violation', actual: '150 at /coins' }],
  ['met with a server error', 500, 0, { kind: 'violation', actual: '500' }],
  ['held back', 429, 0, { kind: 'inconclusive', reason: 'rate-limited' }],
])('a code that nobody issued is %s', async (_, status, gives, expected) => {
  expect(await judged(status, gives)).toMatchObject(expected);
});
