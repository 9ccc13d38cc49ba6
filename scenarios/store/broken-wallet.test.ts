import { expect, test } from 'vitest';
import { type Facts, rehearseFlow } from '../../fixtures/kit/flow-rehearsal.ts';
import store from '../store.ts';

const words = { unique: (word: string) => word } satisfies Facts['flows'];

/** The judgement of a step where the buyer's wallet can be read so many times, and is answered 500 from then on. */
async function judged(step: string, reads: number) {
  let read = 0;
  let done = 0;
  const { play } = rehearseFlow(
    ({ operation, player }) => {
      if (operation === 'general.purchase' || operation === 'general.redeem') done += 1;
      const ofBuyer = player === 1 ? Math.min(done, 1) : 0;
      if (operation !== 'general.currencies') return { body: { owned: ofBuyer } };
      if (player === 1) read += 1;
      return read > reads ? { status: 500 } : { body: { coins: 100 - 10 * ofBuyer } };
    },
    { flows: words },
  );
  return (await play(store, step))[0];
}

test.each(['purchase-once', 'redeem-once'])(
  'a wallet that cannot be read leaves %s to its prerequisites',
  async (step) => {
    expect(await judged(step, 0)).toMatchObject({ kind: 'inconclusive', reason: 'prerequisite-failed' });
  },
);

test.each([
  ['before the second purchase', 3],
  ['after it', 5],
])(
  'a wallet that breaks %s is reported by the step that reads it, and purchase-once blames nobody',
  async (_, reads) => {
    expect(await judged('purchase-once', reads)).toMatchObject({
      kind: 'inconclusive',
      reason: 'prerequisite-failed',
    });
  },
);

test('with a wallet that can be read, what is not paid twice passes', async () => {
  expect(await judged('purchase-once', 1_000)).toMatchObject({ kind: 'pass' });
});
