import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { type Answer, rehearse, type Script } from '../../fixtures/kit/rule-rehearsal.ts';
import { brackets } from './brackets.ts';

const items = { body: { items: [1] } };

test.each<[string, Answer, string]>([
  ['the same', { body: { items: [] } }, 'pass'],
  ['another form', { body: { error: 'x' } }, 'violation'],
  ['a refusal by the application', { status: 400, body: { error: 'x' } }, 'violation'],
  [
    'a refusal by a firewall',
    { status: 403, body: '<h1>Forbidden', headers: { 'content-type': 'text/html' } },
    'not-applicable',
  ],
  ['a 400 without a word', { status: 400 }, 'not-applicable'],
  ['a rate limit', { status: 429 }, 'inconclusive'],
])('raw brackets answered with %s', async (_, raw, expected) => {
  const answers: Script = ({ rawBrackets }) => (rawBrackets ? raw : items);
  expect((await rehearse(brackets, areas.messages.listInbox, answers)).judgement.kind).toBe(expected);
});

test('an answer whose shape changes from call to call shows nothing about brackets', async () => {
  let nth = 0;
  const answers: Script = () => ({ body: { [`member${nth++}`]: 1 } });
  expect((await rehearse(brackets, areas.messages.listInbox, answers)).verdict).toBe('unstable-answers');
});
