import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { rehearse } from '../../fixtures/kit/rule-rehearsal.ts';
import { wrongMediaBody } from './wrong-media-body.ts';

test('is sent by a player whom no other check uses', async () => {
  const { asked } = await rehearse(wrongMediaBody, areas.party.create, () => ({}));
  expect(asked).toEqual([
    {},
    { as: 'fuzzer', body: 'assay=1', contentType: 'application/x-www-form-urlencoded' },
  ]);
});
