import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { rehearse } from '../../fixtures/kit/rule-rehearsal.ts';
import { emptyBody } from './empty-body.ts';

test('it is sent by a player whom nobody needs', async () => {
  const { asked } = await rehearse(emptyBody, areas.party.create, () => ({}));
  expect(asked).toEqual([{}, { as: 'fuzzer', body: '' }]);
});
