import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { guessesFor } from '../../engine/players/candidate-bodies.ts';
import type { ContextFacts } from '../../fixtures/kit/fake-context.ts';
import { type Answer, rehearse } from '../../fixtures/kit/rule-rehearsal.ts';
import { schema } from './schema.ts';

const { create } = areas.party;
const form = { type: 'object', required: ['partyId'], properties: { partyId: { type: 'string' } } };
const stated = () => ({ schema: form });
const judged = (answer: Answer, facts: ContextFacts = { stated }) =>
  rehearse(schema, create, () => answer, facts);

test('an answer of the form that the profile gives passes', async () => {
  expect((await judged({ status: 201, body: { partyId: 'p', more: [] } })).verdict).toBe('pass');
});

test('another form is a violation that names the place, what was expected and what was found', async () => {
  const { judgement } = await judged({ body: { partyId: 7 } });
  expect(judgement).toMatchObject({
    kind: 'violation',
    expected: '/partyId must be string',
    actual: '7',
  });
});

test('an answer that is not JSON is another form', async () => {
  expect((await judged({ body: 'ok' })).verdict).toBe('violation');
});

test.each([
  ['the profile gives no schema', { body: {} }, { stated: () => ({ accepts: [200] }) }],
  ['the call is refused', { status: 409, body: { error: 'no' } }, { stated }],
  ['there is no content', { status: 204 }, { stated }],
] as const)('nothing is held against it where %s', async (_, answer, facts) => {
  expect((await judged(answer, facts)).verdict).toBe('not-triggered');
});

test('another form is no violation where it answers a version pattern that nobody gave', async () => {
  const { contentVersionOf } = areas.utils;
  const answer = () => ({ body: { error: 'no such pattern' } });
  const facts = { stated, ambientGiven: new Set(['gameVersion']) };
  expect((await rehearse(schema, contentVersionOf, answer, facts)).verdict).toBe('unknown-resource');
  expect((await rehearse(schema, contentVersionOf, answer, { stated })).verdict).toBe('violation');
});

test('what a guessed body is answered with success may say that it is none', async () => {
  const flows = { forms: guessesFor };
  const refusing = await judged({ body: { error: 'no such body' } }, { stated, flows });
  expect(refusing.judgement).toMatchObject({ kind: 'inconclusive', reason: 'needs-body' });
  expect((await judged({ body: { partyId: 'p' } }, { stated, flows })).verdict).toBe('pass');
});
