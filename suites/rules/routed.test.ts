import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import type { Context } from '../../engine/probe/context.ts';
import { rehearse } from '../../fixtures/kit/rule-rehearsal.ts';
import { routed } from './routed.ts';

const { config } = areas.general;
type Found = Awaited<ReturnType<Context['routed']>>;
const judged = (found: Found) => rehearse(routed, config, () => ({}), { routed: async () => found });

test.each<[string, Found, string]>([
  ['what is served', { served: true, why: 'unlike all' }, 'pass'],
  ['what nobody can tell', { served: undefined, reason: 'catch-all', why: 'like all' }, 'catch-all'],
  ['what is not served', { served: false, kind: 'unrouted', why: '404' }, 'violation'],
  [
    'what is not served, as may be right',
    { served: false, kind: 'unrouted', why: '404', warn: 'the other version is' },
    'warning',
  ],
])('%s', async (_, found, expected) => {
  expect((await judged(found)).verdict).toBe(expected);
});

test('operations that are missing for one reason have one cause, and cite the heading they stand under', async () => {
  const { judgement } = await judged({ served: false, kind: 'unrouted', why: '404' });
  expect(judgement).toMatchObject({
    cause: 'routed: unrouted',
    actual: 'just the answer that paths that do not exist get',
  });
  expect(routed.clause(config).id).toBe('endpoints.general');
});
