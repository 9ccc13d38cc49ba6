import { expect, test } from 'vitest';
import { type Put, rehearseFlow, withoutWaits } from '../fixtures/kit/flow-rehearsal.ts';
import progression from './progression.ts';

/** How a second claim is judged, where the gift is a thing of which the player owns so many. */
async function secondClaim(given: (claims: number) => number) {
  let claims = 0;
  const script = ({ operation, player }: Put) => {
    if (operation === 'mysteryBox.claim') claims += 1;
    const quantity = player === 1 ? given(claims) : 0;
    if (operation === 'general.inventories') return { body: { items: [{ item: 'lantern', quantity }] } };
    return { body: operation === 'mysteryBox.status' ? { claimed: player === 1 && claims > 0 } : {} };
  };
  const { play } = rehearseFlow(script);
  const [judgement] = await withoutWaits(() => play(progression, 'gift-once'));
  return judgement;
}

test('a gift that is a thing and comes again with a second claim is given twice', async () => {
  expect(await secondClaim((claims) => claims)).toMatchObject({
    kind: 'violation',
    actual: 'general.inventories in pieces grew by 1 again',
  });
  expect(await secondClaim((claims) => Math.min(claims, 1))).toMatchObject({ kind: 'pass' });
});

test('where nothing shows the gift, nothing is said of a second one', async () => {
  expect(await secondClaim(() => 0)).toMatchObject({ kind: 'inconclusive', reason: 'needs-state' });
});
