import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { type Answer, rehearse } from '../../fixtures/kit/rule-rehearsal.ts';
import { modified } from './modified.ts';

const { catalog } = areas.clientData;
const tagged: Answer = { headers: { etag: '"a"' }, body: 'x' };

test.each([
  ['the content', tagged, 'pass'],
  ['304', { status: 304 }, 'violation'],
  ['something else', { status: 403 }, 'unstable-answers'],
] as [string, Answer, string][])('%s', async (_, conditional, expected) => {
  expect((await rehearse(modified, catalog, ({ headers }) => (headers ? conditional : tagged))).verdict).toBe(
    expected,
  );
});

test('without an ETag there is nothing to ask', async () => {
  const { verdict, asked } = await rehearse(modified, catalog, () => ({ body: 'x' }));
  expect([verdict, asked.length]).toEqual(['not-triggered', 1]);
});
