import { expect, test } from 'vitest';
import { createTimes } from '../k6/histogram.ts';
import type { Answers, Cohort, Part } from '../k6/tally.ts';
import { answerOf, createFigures, wrongAnswers, wrongText } from './figures.ts';

function times(...all: number[]) {
  const counted = createTimes();
  for (const ms of all) counted.add(ms);
  return counted.take();
}

const answers = (wrong: Readonly<Record<string, number>>, ...all: number[]): Answers => {
  const counted = times(...all);
  return { count: all.length, ...(counted && { times: counted }), wrong };
};

const cohort = (operations: Cohort['operations'], more: Partial<Cohort> = {}): Cohort => ({
  begun: 0,
  done: 0,
  unbegun: 0,
  connections: 0,
  operations,
  ...more,
});

const part = (measured: Cohort, more: Partial<Part> = {}): Part => ({
  second: 1,
  inFlight: 0,
  at: 1_000,
  measured,
  ...more,
});

test('lines of several processes add up; errors are reported by kind, and by operation', () => {
  const late = times(1, 1, 7);
  const figures = createFigures();
  figures.add(0, part(cohort({ a: answers({ 'status 404': 4 }, 1, 2, 3, 4) }, { begun: 30, done: 28 })));
  figures.add(
    1,
    part(
      cohort(
        { a: answers({}, 5, 6), b: answers({ timeout: 1 }, 10_000) },
        { begun: 25, done: 20, unbegun: 3, connections: 4, ...(late && { late }) },
      ),
    ),
  );
  const { latency, ...rest } = figures.figures(['a', 'b', 'c'], false);
  expect(rest).toMatchObject({
    begun: 55,
    journeys: 48,
    dropped: 3,
    sent: 7,
    connections: 4,
    errors: { wrong: 4, transport: 1, kinds: { 'status 404': 4, timeout: 1 } },
    lagMs: { max: 7 },
    operations: {
      a: { count: 6, max: 6, errors: { 'status 404': 4 } },
      b: { count: 1, errors: { timeout: 1 } },
      c: { count: 0, max: 0, errors: {} },
    },
  });
  expect(latency.max).toBe(10_000);
  expect(latency.mean).toBeCloseTo(10_021 / 7, 6);
});

test('the warm-up counts where nothing else may have come', () => {
  const figures = createFigures();
  const warmup = cohort({ a: answers({ 'status 500': 2 }, 1, 2) }, { begun: 2, done: 2, connections: 1 });
  figures.add(0, part(cohort({}), { warmup }));
  expect(figures.figures(['a'], false)).toMatchObject({ sent: 0, journeys: 0, connections: 1 });
  expect(figures.figures(['a'], true)).toMatchObject({ sent: 2, journeys: 2, errors: { wrong: 2 } });
});

test('statuses are reported apart by operation, and by their class among the kinds', () => {
  const wrong = { 'status 409': 5, 'status 500': 3, 'status 5xx': 1, 'status 503': 2 };
  const figures = createFigures();
  figures.add(0, part(cohort({ a: answers(wrong) })));
  expect(figures.figures(['a'], false).errors).toEqual({
    wrong: 11,
    transport: 0,
    kinds: { 'status 4xx': 5, 'status 5xx': 4, 'status 503': 2 },
    byOperation: [
      { operation: 'a', answer: '409', count: 5 },
      { operation: 'a', answer: '500', count: 3 },
      { operation: 'a', answer: '503', count: 2 },
      { operation: 'a', answer: '5xx', count: 1 },
    ],
  });
});

test('a target is away where all processes say so, since the last of them', () => {
  const figures = createFigures();
  const says = (nth: number, since?: number) =>
    figures.add(nth, part(cohort({}), since === undefined ? {} : { away: { how: 'broken', since } }));
  says(0, 12_440);
  says(1);
  expect(figures.away()).toBeUndefined();
  says(1, 9_000);
  expect(figures.away()).toEqual({ how: 'broken', since: 12.4 });
});

test('a process that printed no last line has not come to its end', () => {
  const figures = createFigures();
  figures.add(0, part(cohort({}), { last: true, at: 2_000 }));
  figures.add(1, part(cohort({}), { at: 3_000, inFlight: 2 }));
  expect([figures.finished(), figures.ranMs(), figures.account().inFlight]).toEqual([1, 3_000, 2]);
});

test('rows of one operation and answer are one, the most frequent first', () => {
  const rows = wrongAnswers([
    { operation: 'party.create', answer: '500', count: 4 },
    { operation: 'queue.cancel', answer: '404', count: 79 },
    { operation: 'queue.cancel', answer: '404', count: 1 },
    { operation: 'queue.cancel', answer: '500', count: 0 },
  ]);
  expect(wrongText(rows)).toBe('queue.cancel 404 x 80, party.create 500 x 4');
});

test('many different ones are bounded, and none is lost from the sum', () => {
  const rows = wrongAnswers(
    Array.from({ length: 500 }, (_, nth) => ({ operation: `row.${nth}`, answer: '404', count: 2 })),
  );
  expect(rows).toHaveLength(40);
  expect(rows.at(-1)).toEqual({ operation: 'others', answer: 'others', count: 922 });
  expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(1_000);
  expect(wrongText(rows)).toBe('row.0 404 x 2, row.1 404 x 2, row.10 404 x 2, row.100 404 x 2, and 992 more');
});

test('a kind is reported as the status that it is, or in words', () => {
  expect(['status 409', 'status 5xx', 'timeout', 'body'].map(answerOf)).toEqual([
    '409',
    '5xx',
    'timeout',
    'wrong body',
  ]);
});
