import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { type Answer, rehearse } from '../../fixtures/kit/rule-rehearsal.ts';
import { bom } from './bom.ts';

const { catalog } = areas.clientData;
const json = { 'content-type': 'application/json' };

test.each([
  ['a byte order mark', { headers: json, body: '\uFEFF{}' }, 'warning'],
  ['a byte order mark, without a label', { body: '\uFEFF{}' }, 'warning'],
  ['none', { headers: json, body: '{}' }, 'pass'],
  ['one before a text', { headers: { 'content-type': 'text/csv' }, body: '\uFEFFa;b' }, 'not-triggered'],
] as [string, Answer, string][])('returns $2 for $0', async (_, answer, expected) => {
  expect((await rehearse(bom, catalog, () => answer)).verdict).toBe(expected);
});
