import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { type Answer, rehearse } from '../../fixtures/kit/rule-rehearsal.ts';
import { interoperable } from './interoperable.ts';

const { catalog } = areas.clientData;
const json = { 'content-type': 'application/json' };

test.each([
  ['a name that stands twice', { headers: json, body: '{"a":1,"a":2}' }, 'warning'],
  ['a number that is rounded', { body: '[12345678901234567890]' }, 'warning'],
  ['neither', { headers: json, body: '{"a":1}' }, 'pass'],
  ['no JSON text, which has a rule of its own', { headers: json, body: '{"a":1,"a":' }, 'pass'],
  [
    'a number in a text',
    { headers: { 'content-type': 'text/plain' }, body: 'no 12345678901234567890' },
    'not-triggered',
  ],
  ['nothing', { headers: json, body: '' }, 'not-triggered'],
] as [string, Answer, string][])('returns $2 for $0', async (_, answer, expected) => {
  expect((await rehearse(interoperable, catalog, () => answer)).verdict).toBe(expected);
});
