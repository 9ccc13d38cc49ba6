import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { type Answer, rehearse } from '../../fixtures/kit/rule-rehearsal.ts';
import { utf8 } from './utf8.ts';

const { config } = areas.general;
const json = { 'content-type': 'application/json' };
const latin1 = Uint8Array.from([0x22, 0xfc, 0x22]);

test.each([
  ['JSON in UTF-8', { headers: json, body: '"ü"' }, 'pass'],
  [
    'text that says UTF-8 and is',
    { headers: { 'content-type': 'text/plain; charset="UTF-8"' }, body: 'ü' },
    'pass',
  ],
  ['JSON in another encoding', { headers: json, body: latin1 }, 'violation'],
  ['JSON in another encoding, without a label', { body: latin1 }, 'violation'],
  [
    'text that says UTF-8 and is not',
    { headers: { 'content-type': 'text/plain;charset=utf-8' }, body: latin1.subarray(1, 2) },
    'violation',
  ],
  [
    'text that says nothing',
    { headers: { 'content-type': 'text/plain' }, body: latin1.subarray(1, 2) },
    'not-triggered',
  ],
  ['nothing', { headers: json, body: '' }, 'not-triggered'],
] as [string, Answer, string][])('returns $2 for $0', async (_, answer, expected) => {
  expect((await rehearse(utf8, config, () => answer)).verdict).toBe(expected);
});

test('asks for another language too, where a call names one', async () => {
  const { verdict } = await rehearse(utf8, areas.extensions.news, ({ params }) =>
    params?.locale === 'fr' ? { headers: json, body: latin1 } : { body: { messages: [] } },
  );
  expect(verdict).toBe('violation');
});
