import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { type Answer, rehearse } from '../../fixtures/kit/rule-rehearsal.ts';
import { bom, interoperable } from './json-dialect.ts';

const { catalog } = areas.clientData;
const json = { 'content-type': 'application/json' };

test.each([
  [bom, 'a byte order mark', { headers: json, body: '\uFEFF{}' }, 'warning'],
  [bom, 'a byte order mark, without a label', { body: '\uFEFF{}' }, 'warning'],
  [bom, 'none', { headers: json, body: '{}' }, 'pass'],
  [bom, 'one before a text', { headers: { 'content-type': 'text/csv' }, body: '\uFEFFa;b' }, 'not-triggered'],
  [interoperable, 'a name that stands twice', { headers: json, body: '{"a":1,"a":2}' }, 'warning'],
  [interoperable, 'a number that is rounded', { body: '[12345678901234567890]' }, 'warning'],
  [interoperable, 'neither', { headers: json, body: '{"a":1}' }, 'pass'],
  [
    interoperable,
    'no JSON text, which has a rule of its own',
    { headers: json, body: '{"a":1,"a":' },
    'pass',
  ],
  [
    interoperable,
    'a number in a text',
    { headers: { 'content-type': 'text/plain' }, body: 'no 12345678901234567890' },
    'not-triggered',
  ],
  [interoperable, 'nothing', { headers: json, body: '' }, 'not-triggered'],
] as const)('%o: %s', async (rule, _, answer: Answer, told) => {
  expect((await rehearse(rule, catalog, () => answer)).told).toBe(told);
});
