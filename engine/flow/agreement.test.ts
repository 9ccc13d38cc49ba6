import { expect, test } from 'vitest';
import { exchangeOf } from '../../fixtures/kit/exchanges.ts';
import type { Exchange } from '../http/exchange.ts';
import { denials, isDenied, statements } from './agreement.ts';

const answerTo = (sent: unknown, body: unknown): Exchange => {
  const { request, ...rest } = exchangeOf({ status: 200, body });
  return { ...rest, request: { ...request, body: JSON.stringify(sent) } };
};
const read = (body: unknown) => exchangeOf({ status: 200, body });
const steps = (isDone: boolean, doneAt: string | null = null) => ({
  steps: [
    { id: 'welcome', isDone, doneAt },
    { id: 'tutorial', isDone: false, doneAt: null },
  ],
});

test.each<[string, unknown, unknown, unknown, unknown, string[]]>([
  [
    'a step is done',
    { id: 'welcome' },
    { id: 'welcome', isDone: true },
    steps(false),
    steps(false),
    ['isDone'],
  ],
  [
    'a step is done at a time',
    { id: 'welcome' },
    steps(true, 'now'),
    steps(false),
    steps(false),
    ['isDone', 'doneAt'],
  ],
  [
    'a step by its number',
    { step: 1 },
    { step: 1, ok: true },
    [{ step: 1, ok: false }],
    [{ step: 1, ok: false }],
    ['ok'],
  ],
  [
    'it is in another state',
    { id: 'a' },
    { id: 'a', state: 'left' },
    { id: 'a', state: 'in' },
    { id: 'a', state: 'in' },
    ['state'],
  ],
])('the read denies what the answer says: %s', (_, sent, answer, before, after, names) => {
  const told = { answer: answerTo(sent, answer), before: read(before) };
  expect(denials(told, read(after)).map(({ name }) => name)).toEqual(names);
  expect(statements(told).map(({ name }) => name)).toEqual(names);
});

test.each<[string, unknown, unknown, unknown, unknown]>([
  ['the read shows it now', { id: 'welcome' }, { id: 'welcome', isDone: true }, steps(false), steps(true)],
  ['it is of another step', { id: 'welcome' }, { id: 'tutorial', isDone: true }, steps(false), steps(false)],
  ['the call named nothing', {}, { id: 'welcome', isDone: true }, steps(false), steps(false)],
  [
    'it is what came of the call',
    { id: 'a' },
    { id: 'a', state: 'accepted' },
    { id: 'a', state: 'in', at: 1 },
    {
      id: 'a',
      state: 'in',
      at: 1,
    },
  ],
  ['it is an amount', { id: 'a' }, { id: 'a', amount: 5 }, { id: 'a', amount: 9 }, { id: 'a', amount: 9 }],
  [
    'the read shows two that differ',
    { id: 'a' },
    { id: 'a', ok: true },
    [{ id: 'a', ok: false }],
    [
      { id: 'a', ok: false },
      { id: 'a', ok: true },
    ],
  ],
  ['the read is gone', { id: 'welcome' }, { id: 'welcome', isDone: true }, steps(false), {}],
])('the read denies nothing where %s', (_, sent, answer, before, after) => {
  expect(denials({ answer: answerTo(sent, answer), before: read(before) }, read(after))).toEqual([]);
});

const mine = '3e7f5504-a29b-49a6-838a-d63aad1a242f';
const members = (state: unknown, playerId = mine) => ({ members: [{ playerId, state }] });
test.each<[string, boolean, unknown, unknown, unknown]>([
  [
    'the read shows what was before',
    true,
    { a: 'new' },
    { playerId: mine, state: { a: 'new' } },
    members({}),
  ],
  ['the read shows it', false, { a: 'new' }, { playerId: mine, state: { a: 'new' } }, members({ a: 'new' })],
  ['it is of another thing', false, { a: 'new' }, { playerId: mine, state: 'new' }, members({}, `${mine}-2`)],
  ['the read has no such member', false, { a: 'new' }, { playerId: mine, said: 'new' }, members({})],
  ['it has a member as it was sent', false, { state: 'new' }, { playerId: mine, state: 'new' }, members({})],
  [
    'the answer repeats the body',
    false,
    { playerId: mine, state: 'new' },
    { playerId: mine, state: 'new' },
    members({}),
  ],
])('what an answer shows of a thing, where %s: denied is %s', (_, denied, sent, answer, shown) => {
  expect(isDenied(answerTo(sent, answer), read(shown), 'new')).toBe(denied);
});
