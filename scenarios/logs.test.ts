import { expect, test } from 'vitest';
import { formOf } from '../engine/players/body-template.ts';
import { guessesFor } from '../engine/players/candidate-bodies.ts';
import { mended } from '../engine/players/mended-bodies.ts';
import type { FlowContext } from '../engine/probe/context.ts';
import { type Put, rehearseFlow, withoutWaits } from '../fixtures/kit/flow-rehearsal.ts';
import logs, { batchForms, stretched } from './logs.ts';

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

test('a value that a refusal asked for stands in place of a realistic one, where that is none of its kind', () => {
  const template = {
    logs: [{ level: 'WARN', timestamp: 1, platform: 'PC', sequence: 1, category: '{{unique}}' }],
  };
  const realistic = { level: 'info', timestamp: 'now', platform: 'console', sequence: 7, category: 'audio' };
  expect(bodyOf(stretched(formOf(template, 'guess'), [realistic], values))).toEqual({
    logs: [{ level: 'WARN', timestamp: 1, platform: 'PC', sequence: 7, category: 'audio' }],
  });
});

test('a realistic record has none of the members that a refusal calls unwanted', () => {
  const form = { ...formOf({ logs: [{ message: '{{unique}}' }] }, 'guess'), unwanted: ['sequence'] };
  expect(bodyOf(stretched(form, [{ sequence: 1, message: 'a', level: 'info' }], values))).toEqual({
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

/** The judgement of what an answer to a record and a text counts, where one record is answered so. */
async function judgedCounts(one: object, ofTwo: object) {
  const forms = () => [formOf([{ message: 'x' }], 'guess')];
  const { play } = rehearseFlow(
    ({ ask }) => ({ status: 202, body: String(ask.body).includes('no record') ? ofTwo : one }),
    { flows: { forms } },
  );
  return (await withoutWaits(() => play(logs, 'logs-rejected')))[0];
}

test.each<[string, object, object, object]>([
  [
    'a rejected record counts as accepted',
    { accepted: 1, rejected: 0 },
    { accepted: 2, rejected: 1 },
    { kind: 'violation', actual: '2', expected: 'at most 1 at /accepted, since 1 of 2 were left out' },
  ],
  [
    'the counts share the records',
    { accepted: 1, rejected: 0 },
    { accepted: 1, rejected: 1 },
    { kind: 'pass' },
  ],
  [
    'the rejected record is listed, and counts as accepted',
    { accepted: 1, rejected: [] },
    { accepted: 2, rejected: [{ index: 1, path: '' }] },
    { kind: 'violation', actual: '2', expected: 'at most 1 at /accepted, since 1 of 2 were left out' },
  ],
  [
    'the rejected record is listed',
    { accepted: 1, rejected: [] },
    { accepted: 1, rejected: [{ index: 1, path: '' }] },
    { kind: 'pass' },
  ],
  ['none is rejected', { stored: 1 }, { stored: 2, failedCount: 0 }, { kind: 'pass' }],
  ['what came is counted, too', { received: 1 }, { received: 2, rejected: 1 }, { reason: 'not-triggered' }],
  ['nothing says what is left out', { accepted: 1 }, { accepted: 2 }, { reason: 'not-triggered' }],
  [
    'all batches are counted together',
    { accepted: 2, rejected: 0 },
    { accepted: 2, rejected: 1 },
    { reason: 'not-triggered' },
  ],
])('the counts of a batch with what is no record, where %s', async (_, one, ofTwo, expected) => {
  expect(await judgedCounts(one, ofTwo)).toMatchObject(expected);
});

/** The judgement of what an answer counts, by the number of records that it was sent. */
async function judgedSizes(answerTo: (count: number) => object) {
  const forms = () => [formOf([{ message: 'x' }], 'guess')];
  const { play } = rehearseFlow(
    ({ ask }) => ({ status: 202, body: answerTo((JSON.parse(String(ask.body)) as unknown[]).length) }),
    { flows: { forms } },
  );
  return (await withoutWaits(() => play(logs, 'logs-counted')))[0];
}

const leftOut = (count: number) =>
  Array.from({ length: count > 2 ? count - 2 : 0 }, (_, index) => ({ index }));

test('a batch of which an answer lists the records that it left out is counted', async () => {
  const counts = (count: number) => ({ accepted: Math.min(count, 2), result: { rejected: leftOut(count) } });
  expect(await judgedSizes(counts)).toMatchObject({ kind: 'pass' });
});

test('a batch of which an answer lists other records as left out is not', async () => {
  const counts = (count: number) => ({ accepted: Math.min(count, 2), rejected: leftOut(count).slice(1) });
  expect(await judgedSizes(counts)).toMatchObject({ kind: 'violation', actual: '2' });
});

test.each<[string, (count: number) => object, object]>([
  [
    'do not add up',
    (count) => ({ received: count, accepted: count - 1, rejected: [] }),
    { kind: 'violation', actual: '1 taken and 0 left out' },
  ],
  ['add up', (count) => ({ accepted: count - 1, rejected: [{ index: 7, seq: 90 }] }), { kind: 'pass' }],
  ['are those of batches', () => ({ accepted: 1, rejected: 0 }), { reason: 'not-triggered' }],
  [
    'leave room for a third number',
    (count) => ({ received: count, accepted: 1, rejected: 0, duplicates: count - 1 }),
    { kind: 'pass' },
  ],
])('the numbers of a batch that was taken and left out that %s', async (_, counts, expected) => {
  expect(await judgedSizes(counts)).toMatchObject(expected);
});

test.each<[string, (nth: number, isFirst: boolean) => number, string]>([
  [
    'takes the batch that it took before, and refuses the values of another',
    (_, isFirst) => (isFirst ? 202 : 400),
    'pass',
  ],
  ['takes no batch any more', (nth) => (nth === 1 ? 202 : 400), 'violation'],
  ['fails', (nth) => (nth === 1 ? 202 : 500), 'violation'],
])('a server that, after a malformed batch, %s', async (_, statusOf, expected) => {
  let [sent, first] = [0, ''];
  const forms = () => [formOf([{ message: '{{unique}}' }], 'profile')];
  const { play } = rehearseFlow(
    ({ ask }) => {
      sent += 1;
      if (sent === 1) first = String(ask.body);
      return { status: statusOf(sent, ask.body === first) };
    },
    { flows: { forms } },
  );
  expect((await withoutWaits(() => play(logs, 'logs-after-broken')))[0]?.kind).toBe(expected);
});
