import { expect, test } from 'vitest';
import { rehearseFlow } from '../fixtures/kit/flow-rehearsal.ts';
import races from './races.ts';
import retry from './retry.ts';

test('a code that nobody gave, and nothing to buy, are values to give, and the key is named', async () => {
  const { play } = rehearseFlow(
    ({ operation }) => ({ status: /redeem|purchase/.test(operation) ? 404 : 200, body: '{}' }),
    {
      flows: { invented: () => true, stated: () => false },
      routed: async () => ({ served: true, why: 'here' }),
    },
  );
  expect(await play(races, 'code', 'purchase')).toMatchObject([
    {
      kind: 'inconclusive',
      reason: 'needs-value',
      detail: expect.stringMatching(/^not exercised: .*; give parameters\.redeemableCode in the profile$/),
    },
    {
      reason: 'needs-value',
      detail: expect.stringMatching(/give parameters\.characterName in the profile$/),
    },
  ]);
});

test('the control of a race serves the lost answer of the same operation', async () => {
  let redeemed = 0;
  const { play } = rehearseFlow(
    ({ operation }) => {
      if (operation === 'general.redeem') redeemed += 1;
      return { body: '{}' };
    },
    { flows: { invented: () => false } },
  );
  const detail = 'not exercised: nothing shows what general.redeem does';
  expect(await play(races, 'code')).toMatchObject([{ reason: 'needs-state', detail }]);
  expect(await play(retry, 'code')).toMatchObject([{ reason: 'needs-state', detail }]);
  expect(redeemed).toBe(1);
});
