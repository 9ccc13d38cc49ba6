import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { rehearse } from '../../fixtures/kit/rule-rehearsal.ts';
import { malformedBody } from './malformed-body.ts';
import { noInternals } from './no-internals.ts';

test('it is exactly the body that no-internals asks with', async () => {
  const { asked } = await rehearse(malformedBody, areas.party.create, () => ({}));
  expect(asked).toEqual([{}, { as: 'fuzzer', body: '{"assay":' }]);
  expect((await rehearse(noInternals, areas.party.create, () => ({}))).asked).toContainEqual(asked[1]);
});
