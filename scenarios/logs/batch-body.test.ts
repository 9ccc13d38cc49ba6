import { expect, test } from 'vitest';
import { formOf } from '../../engine/players/body-template.ts';
import { guessesFor } from '../../engine/players/candidate-bodies.ts';
import { mended } from '../../engine/players/mended-bodies.ts';
import type { FlowContext } from '../../engine/probe/context.ts';
import { type Put, rehearseFlow, withoutWaits } from '../../fixtures/kit/flow-rehearsal.ts';
import logs from '../logs.ts';
import { batchForms, bodyWithRecords } from './batch-body.ts';

const values = (index: number) => ({ unique: `word-${index}`, app: 'assay' });
const bodyOf = (writing: ReturnType<typeof bodyWithRecords>) =>
  writing.ok && writing.written.body !== null ? JSON.parse(writing.written.body) : writing;

test('a guess is filled with realistic records in place of its own', () => {
  const form = formOf({ logs: [{ message: 'x' }] }, 'guess');
  expect(bodyOf(bodyWithRecords(form, [{ sequence: 1 }, { sequence: 2 }], values))).toEqual({
    logs: [{ sequence: 1 }, { sequence: 2 }],
  });
});

test('a guess keeps what a refusal asked for in its record', () => {
  const form = formOf({ logs: [{ message: 'x', event_type: '{{unique}}' }] }, 'guess');
  expect(bodyOf(bodyWithRecords(form, [{ sequence: 1 }], values))).toEqual({
    logs: [{ event_type: 'word-0', sequence: 1 }],
  });
});

test('a value that a refusal asked for stands in place of a realistic one, where that is none of its kind', () => {
  const template = {
    logs: [{ level: 'WARN', timestamp: 1, platform: 'PC', sequence: 1, category: '{{unique}}' }],
  };
  const realistic = { level: 'info', timestamp: 'now', platform: 'console', sequence: 7, category: 'audio' };
  expect(bodyOf(bodyWithRecords(formOf(template, 'guess'), [realistic], values))).toEqual({
    logs: [{ level: 'WARN', timestamp: 1, platform: 'PC', sequence: 7, category: 'audio' }],
  });
});

test('a realistic record has none of the members that a refusal calls unwanted', () => {
  const form = { ...formOf({ logs: [{ message: '{{unique}}' }] }, 'guess'), unwanted: ['sequence'] };
  expect(bodyOf(bodyWithRecords(form, [{ sequence: 1, message: 'a', level: 'info' }], values))).toEqual({
    logs: [{ message: 'a', level: 'info' }],
  });
});

test('a target that takes no member but its own is sent those, since it names the others', async () => {
  const names = new Set(['message', 'level']);
  const strange = (record: object) => Object.keys(record).filter((name) => !names.has(name));
  const mend: FlowContext['mend'] = (operation, form, refusal) =>
    mended(operation, form, refusal, async () => undefined);
  const answer = ({ ask }: Put) => {
    const sent = JSON.parse(`${ask.body ?? '{}'}`) as Record<string, readonly object[]>;
    const complaints = Array.isArray(sent.logs)
      ? sent.logs.flatMap((record, at) =>
          strange(record).map((name) => `logs.${at}.property ${name} should not exist`),
        )
      : ['logs must be an array'];
    return complaints.length === 0
      ? { status: 202, body: '{}' }
      : { status: 400, body: JSON.stringify({ message: complaints, error: 'Bad Request', statusCode: 400 }) };
  };
  const { play } = rehearseFlow(answer, { flows: { forms: guessesFor, mend } });
  expect(await withoutWaits(() => play(logs, 'logs-one'))).toMatchObject([{ kind: 'pass' }]);
});

test('a list at the root is a batch', () => {
  expect(bodyOf(bodyWithRecords(formOf([{ message: 'x' }], 'guess'), [{ a: 1 }], values))).toEqual([
    { a: 1 },
  ]);
});

test('the record that a profile states is repeated, each with values of its own', () => {
  const form = formOf({ app: '{{app}}', rows: [{ line: '{{unique}}' }] }, 'profile');
  expect(bodyOf(bodyWithRecords(form, [{}, {}], values))).toEqual({
    app: 'assay',
    rows: [{ line: 'word-0' }, { line: 'word-1' }],
  });
});

test('no records leave an empty list', () => {
  expect(bodyOf(bodyWithRecords(formOf({ logs: [{ message: 'x' }] }, 'guess'), [], values))).toEqual({
    logs: [],
  });
});

test('a batch whose values nobody knows is not written', () => {
  const form = formOf({ rows: [{ line: '{{nobodyKnows}}' }] }, 'profile');
  expect(bodyWithRecords(form, [{}], values)).toEqual({ ok: false, missing: ['nobodyKnows'] });
});

test('forms without a list, and guesses with several, are no batches', () => {
  const [none, several, one] = [{}, { logs: [{ a: 1 }], events: [{ a: 1 }] }, { logs: [{ a: 1 }] }].map(
    (template) => formOf(template, 'guess'),
  );
  expect(batchForms([none, several, one].filter((form) => form !== undefined))).toEqual([one]);
});

test('the content type of a profile stays', () => {
  const writing = bodyWithRecords(formOf([{ a: 1 }], 'profile', 'application/vnd.logs+json'), [{}], values);
  expect(writing.ok && writing.written.contentType).toBe('application/vnd.logs+json');
});

test('what is no record stays a text among records', () => {
  const form = formOf({ logs: [{ message: 'x', tenant: '{{unique}}' }] }, 'guess');
  expect(bodyOf(bodyWithRecords(form, [{ sequence: 1 }, 'no record'], values))).toEqual({
    logs: [{ sequence: 1, tenant: 'word-0' }, 'no record'],
  });
});
