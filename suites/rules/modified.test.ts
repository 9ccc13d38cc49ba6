import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { type Answer, rehearse } from '../../fixtures/kit/rule-rehearsal.ts';
import { modified } from './modified.ts';

const { catalog } = areas.clientData;
const tagged: Answer = { headers: { etag: '"a"' }, body: 'x' };

test.each([
  ['with the content', tagged, 'pass'],
  ['with 304', { status: 304 }, 'violation'],
  ['with another status', { status: 403 }, 'unstable-answers'],
] as [string, Answer, string][])(
  'an outdated If-None-Match that is answered %s',
  async (_, conditional, expected) => {
    expect(
      (await rehearse(modified, catalog, ({ headers }) => (headers ? conditional : tagged))).verdict,
    ).toBe(expected);
  },
);

test('without an ETag one call is made, and the rule is not triggered', async () => {
  const { verdict, asked } = await rehearse(modified, catalog, () => ({ body: 'x' }));
  expect([verdict, asked.length]).toEqual(['not-triggered', 1]);
});
