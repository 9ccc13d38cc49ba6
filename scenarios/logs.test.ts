import { expect, test } from 'vitest';
import { formOf } from '../engine/players/body-template.ts';
import { rehearseFlow, withoutWaits } from '../fixtures/kit/flow-rehearsal.ts';
import logs from './logs.ts';

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
