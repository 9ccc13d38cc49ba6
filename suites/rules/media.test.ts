import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { type Answer, rehearse } from '../../fixtures/kit/rule-rehearsal.ts';
import { media } from './media.ts';

const { config } = areas.general;
const json = { 'content-type': 'application/json' };

test.each([
  ['JSON labelled JSON', { headers: json, body: '{}' }, 'pass'],
  ['a refusal that is JSON', { status: 404, headers: json, body: '{}' }, 'pass'],
  ['JSON without a label', { body: '{}' }, 'pass'],
  ['JSON after a byte order mark, which has a rule of its own', { headers: json, body: '\uFEFF{}' }, 'pass'],
  ['HTML labelled JSON', { headers: json, body: '<html>' }, 'violation'],
  ['two texts', { headers: json, body: '{}{}' }, 'violation'],
  ['a refusal that is HTML and says JSON', { status: 500, headers: json, body: '<html>' }, 'violation'],
  ['nothing labelled JSON', { headers: json, body: '' }, 'violation'],
  ['nothing without a label', { body: '' }, 'not-triggered'],
  ['204 that keeps a label', { status: 204, headers: json, body: '' }, 'not-triggered'],
  ['a redirect that keeps a label', { status: 302, headers: json, body: '' }, 'not-triggered'],
  [
    'a refusal in plain text',
    { status: 400, headers: { 'content-type': 'text/plain' }, body: 'no' },
    'not-triggered',
  ],
] as [string, Answer, string][])('returns $2 for $0', async (_, answer, expected) => {
  expect((await rehearse(media, config, () => answer)).verdict).toBe(expected);
});
