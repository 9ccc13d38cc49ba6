import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import type { JsonLabels } from '../../engine/probe/json-labels.ts';
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

const text: Answer = { headers: { 'content-type': 'text/plain' }, body: '{"a":1}' };
const labels = (asJson: number, otherwise: number) => ({
  jsonLabels: async () => ({ asJson, otherwise, right: undefined }),
});

test('an object that is labelled as text is wrong where the host labels nearly all others as JSON', async () => {
  const { judgement } = await rehearse(media, config, () => text, labels(60, 1));
  expect(judgement).toMatchObject({ kind: 'violation', level: 'inferred', clause: 'sense.json-label' });
});

test.each<[string, Answer, { readonly jsonLabels: () => Promise<JsonLabels> }]>([
  ['nearly all others are labelled as text', text, labels(1, 60)],
  ['a third of the others is labelled otherwise', text, labels(60, 31)],
  ['too few others are known', text, labels(7, 1)],
  ['it has no label', { body: '{"a":1}' }, labels(60, 1)],
  ['it is a single value', { ...text, body: 'true' }, labels(60, 1)],
  ['it refuses', { ...text, status: 404 }, labels(60, 1)],
])('the label is not judged where %s', async (_, answer, context) => {
  expect((await rehearse(media, config, () => answer, context)).verdict).toBe('pass');
});

test('files of which the interface says that they need not be JSON may have any label', async () => {
  expect((await rehearse(media, areas.clientData.news, () => text, labels(40, 1))).verdict).toBe('pass');
});

test('an object that is called a page is wrong, whatever the host says elsewhere', async () => {
  const page: Answer = { headers: { 'content-type': 'text/html' }, body: '{"a":1}' };
  expect((await rehearse(media, config, () => page)).judgement).toMatchObject({
    kind: 'violation',
    level: 'inferred',
    clause: 'sense.json-label',
  });
});
