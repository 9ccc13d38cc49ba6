import { expect, test } from 'vitest';
import { type Answer, rehearseCheck, type Script } from '../fixtures/kit/rule-rehearsal.ts';
import messages from './messages.ts';

test.each<[string, Answer, string]>([
  ['success', { body: { items: [] } }, 'pass'],
  ['a refusal', { status: 400 }, 'violation'],
  ['silence', { error: 'timeout' }, 'timeout'],
])('the inbox with another limit, answered with %s', async (_, answer, expected) => {
  const script: Script = ({ params }) => (params ? answer : { body: { items: [1] } });
  const { asked, ...judged } = await rehearseCheck(messages.checks, 'inbox-filter', script);
  expect(judged.verdict).toBe(expected);
  expect(asked).toEqual([{}, { params: { limit: '1' } }]);
});

test.each<[string, Answer, string]>([
  ['success', { body: { items: [] } }, 'pass'],
  ['a refusal', { status: 400 }, 'pass'],
  ['a server error', { status: 500 }, 'violation'],
])('the inbox in another language, answered with %s', async (_, answer, expected) => {
  const script: Script = ({ params }) => (params ? answer : { body: { items: [1] } });
  const { verdict, asked } = await rehearseCheck(messages.checks, 'other-language', script);
  expect(verdict).toBe(expected);
  expect(asked[1]).toEqual({ params: { language: 'de' } });
});
