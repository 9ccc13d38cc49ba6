import { expect, test } from 'vitest';
import type { Exchange } from '../http/exchange.ts';
import { createRefusalWatch, marked } from './refusal-form.ts';

const answer = (status: number, value: unknown, path = `/${status}`): Exchange => ({
  request: { method: 'GET', url: `http://127.0.0.1${path}`, headers: [] },
  response: {
    status,
    headers: [],
    body: new TextEncoder().encode(JSON.stringify(value)),
    wire: { bytes: 0 },
  },
  startedAt: 0,
  durationMs: 1,
  attempts: 1,
  waits: 0,
});

function learnt(done: readonly unknown[], refused: readonly unknown[]) {
  const watch = createRefusalWatch();
  for (const [nth, value] of done.entries()) watch.note(answer(200, value, `/done/${nth}`));
  for (const [nth, value] of refused.entries()) watch.note(answer(401, value, `/refused/${nth}`));
  return watch.form();
}

const refuses = (form: ReturnType<typeof learnt>, value: unknown) =>
  marked(form, answer(200, value)).response?.refuses === true;

const flagged = [
  { ok: true, data: { id: 1 }, error: null },
  { ok: true, data: '3.1.4', error: null },
  { ok: true, data: [], error: null },
];
const coded = [
  { code: 0, msg: 'ok', data: { id: 1 } },
  { code: 0, msg: 'ok', data: 2 },
  { code: 0, msg: 'ok' },
];
const worded = [{ status: 'ok', id: 1 }, { status: 'ok' }, { status: 'ok', name: 'Meg' }];

test.each([
  [
    'a flag',
    flagged,
    [{ ok: false, data: null, error: { code: 'SIGN_IN' } }],
    { ok: false, data: null, error: { code: 'FULL' } },
  ],
  ['a code', coded, [{ code: 1001, msg: 'sign in' }], { code: 2002, msg: 'the party is full' }],
  [
    'a word',
    worded,
    [
      { status: 'error', why: 'a' },
      { status: 'error', why: 'b' },
    ],
    { status: 'error' },
  ],
  [
    'a word for success that refusals replace by a code, beside a message,',
    [{ result: 'OK', id: 1 }, { result: 'OK' }, { result: 'NOT_IN_PARTY', message: 'c', invites: [] }],
    [
      { result: 'UNAUTHORIZED', message: 'a' },
      { result: 'BAD', message: 'b' },
    ],
    { result: 'NAME_TAKEN', message: 'c' },
  ],
  [
    'a word in each success that another replaces beside a message, where no refusal is known,',
    [{ result: 'OK', id: 1 }, { result: 'OK' }],
    [],
    { result: 'NAME_TAKEN', message: 'c' },
  ],
])('%s that every refusal shows, and no success, tells a refusal with 200', (_, done, refused, value) => {
  expect(refuses(learnt(done, refused), value)).toBe(true);
  for (const success of done.slice(0, 2)) expect(refuses(learnt(done, refused), success)).toBe(false);
});

test('a refusal of a path without a route may have another form', () => {
  const form = learnt(flagged, [{ ok: false, data: null, error: { code: 'A' } }, { detail: 'Not Found' }]);
  expect(refuses(form, { ok: false, data: null, error: { code: 'B' } })).toBe(true);
});

test.each([
  { ok: false },
  { success: false, data: null },
  { data: null, error: { code: 'FULL' } },
  { errors: ['the party is full'] },
])('%j refuses, in the words of many APIs', (value) => {
  expect(refuses(undefined, value)).toBe(true);
});

test.each([
  { ok: true, error: null },
  { errors: [] },
  { error: '' },
  { errors: 3 },
  { data: { ok: false } },
  [],
])('%j says no error', (value) => {
  expect(refuses(undefined, value)).toBe(false);
});

test('another word of success, without what refusals have, is no refusal', () => {
  const form = learnt(worded, [
    { status: 'UNAUTHORIZED', message: 'a' },
    { status: 'GONE', message: 'b' },
  ]);
  expect(refuses(form, { status: 'queued', place: 3 })).toBe(false);
  expect(refuses(form, { status: 'ok', message: 'Welcome.' })).toBe(false);
});

test('an empty success of the same form is none', () => {
  const form = learnt(flagged, [{ ok: false, data: null, error: { code: 'A' } }]);
  expect(refuses(form, { ok: true, data: null, error: null })).toBe(false);
  expect(refuses(form, null)).toBe(false);
});

test.each<[string, readonly unknown[], readonly unknown[]]>([
  ['members that only refusals have', [{ id: 1 }, { name: 'a' }, { list: [] }], [{ message: 'Sign in.' }]],
  ['a text alone that differs', coded.map(({ msg }) => ({ msg })), [{ msg: 'sign in' }]],
  [
    'a payload that is missing',
    [{ data: [1] }, { data: { id: 1 } }, { data: 'a' }],
    [{ data: null, message: 'Sign in.' }],
  ],
  [
    'a flag that successes share with refusals',
    flagged.map((each) => ({ ...each, ok: true })),
    [{ ok: true, data: null, error: null }],
  ],
  ['too few successes', flagged.slice(0, 1), [{ ok: false, data: null, error: { code: 'A' } }]],
  ['no refusal', flagged, []],
  ['a word that some successes have, without refusals', [...worded, { id: 1 }], []],
  ['a word for success that refusals replace alone', worded, [{ status: 'a' }, { status: 'b' }]],
  [
    'a word for success, and messages that successes have as well',
    worded.map((each) => ({ ...each, message: 'Hello.' })),
    [
      { status: 'a', message: 'a' },
      { status: 'b', message: 'b' },
    ],
  ],
])('nothing is learnt from %s', (_, done, refused) => {
  expect(learnt(done, refused)).toBeUndefined();
});
