import { expect, test } from 'vitest';
import { formOf } from '../engine/players/body-template.ts';
import { batchForms, stretched } from './logs.ts';

const values = (index: number) => ({ unique: `word-${index}`, app: 'assay' });
const bodyOf = (writing: ReturnType<typeof stretched>) =>
  writing.ok && writing.written.body !== null ? JSON.parse(writing.written.body) : writing;

test('a guess is filled with realistic records in place of its own', () => {
  const form = formOf({ logs: [{ message: 'x' }] }, 'guess');
  expect(bodyOf(stretched(form, [{ sequence: 1 }, { sequence: 2 }], values))).toEqual({
    logs: [{ sequence: 1 }, { sequence: 2 }],
  });
});

test('a guess keeps what a refusal asked for in its record', () => {
  const form = formOf({ logs: [{ message: 'x', event_type: '{{unique}}' }] }, 'guess');
  expect(bodyOf(stretched(form, [{ sequence: 1 }], values))).toEqual({
    logs: [{ event_type: 'word-0', sequence: 1 }],
  });
});

test('a list at the root is a batch', () => {
  expect(bodyOf(stretched(formOf([{ message: 'x' }], 'guess'), [{ a: 1 }], values))).toEqual([{ a: 1 }]);
});

test('the record that a profile states is repeated, each with values of its own', () => {
  const form = formOf({ app: '{{app}}', rows: [{ line: '{{unique}}' }] }, 'profile');
  expect(bodyOf(stretched(form, [{}, {}], values))).toEqual({
    app: 'assay',
    rows: [{ line: 'word-0' }, { line: 'word-1' }],
  });
});

test('no records leave an empty list', () => {
  expect(bodyOf(stretched(formOf({ logs: [{ message: 'x' }] }, 'guess'), [], values))).toEqual({ logs: [] });
});

test('a batch whose values nobody knows is not written', () => {
  const form = formOf({ rows: [{ line: '{{nobodyKnows}}' }] }, 'profile');
  expect(stretched(form, [{}], values)).toEqual({ ok: false, missing: ['nobodyKnows'] });
});

test('forms without a list, and guesses with several, are no batches', () => {
  const [none, several, one] = [{}, { logs: [{ a: 1 }], events: [{ a: 1 }] }, { logs: [{ a: 1 }] }].map(
    (template) => formOf(template, 'guess'),
  );
  expect(batchForms([none, several, one].filter((form) => form !== undefined))).toEqual([one]);
});

test('the content type of a profile stays', () => {
  const writing = stretched(formOf([{ a: 1 }], 'profile', 'application/vnd.logs+json'), [{}], values);
  expect(writing.ok && writing.written.contentType).toBe('application/vnd.logs+json');
});

test('what is no record stays a text among records', () => {
  const form = formOf({ logs: [{ message: 'x', tenant: '{{unique}}' }] }, 'guess');
  expect(bodyOf(stretched(form, [{ sequence: 1 }, 'no record'], values))).toEqual({
    logs: [{ sequence: 1, tenant: 'word-0' }, 'no record'],
  });
});
