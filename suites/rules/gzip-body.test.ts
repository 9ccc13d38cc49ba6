import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { rehearse } from '../../fixtures/kit/rule-rehearsal.ts';
import { gzipBody, gzipped } from './gzip-body.ts';

test('is sent by a player whom no other check uses', async () => {
  const { asked } = await rehearse(gzipBody, areas.party.create, () => ({}));
  expect(asked).toEqual([{}, { as: 'fuzzer', body: gzipped, headers: [['content-encoding', 'gzip']] }]);
});

test('the compressed body is {}', () => {
  expect(gunzipSync(gzipped).toString()).toBe('{}');
});
