import { expect, test } from 'vitest';
import {
  answerOf,
  createAwayWatch,
  createBrokenWatch,
  createSeconds,
  readLine,
  type Second,
  type Tally,
  wrongAnswers,
  wrongText,
} from './beats.ts';

test('a beat closes a second with all that was reported since the last one', () => {
  const seconds: Second[] = [];
  const row = (count: number) => ({ operation: 'queue.cancel', answer: '404', count });
  const tick = createSeconds([{ from: 10, to: 10, durationMs: 5_000 }], (second) => seconds.push(second));
  tick({ tally: { wrong: 1, broken: 0, lastNotBroken: 0, answered: 2, latencies: [3, 1], rows: [row(1)] } });
  tick({ cast: { place: 3, isOut: false } });
  tick({ tally: { wrong: 0, broken: 0, lastNotBroken: 0, answered: 4, latencies: [2], rows: [row(2)] } });
  tick({ beat: { lateMs: 4, iterations: 9, vus: 3 } });
  tick({ beat: { lateMs: 0, iterations: 20, vus: 2 } });
  expect(seconds).toEqual([
    {
      at: 1,
      offered: 10,
      achieved: 9,
      p50: 2,
      p95: 3,
      requests: 6,
      errors: 1,
      wrong: [row(3)],
      vus: 3,
      lagMs: 4,
    },
    { at: 2, offered: 10, achieved: 11, p50: 0, p95: 0, requests: 0, errors: 0, vus: 2, lagMs: 0 },
  ]);
});

test('a line of the script is read as what it tells', () => {
  expect(readLine('tally 1 2 1700000000000 9 1.5,20')).toEqual({
    tally: {
      wrong: 1,
      broken: 2,
      lastNotBroken: 1_700_000_000_000,
      answered: 9,
      latencies: [1.5, 20],
      rows: [],
    },
  });
  expect(readLine('tally 3 1 0 4  queue.cancel=status_404=2,party.create=status_500=1')).toMatchObject({
    tally: {
      latencies: [],
      rows: [
        { operation: 'queue.cancel', answer: '404', count: 2 },
        { operation: 'party.create', answer: '500', count: 1 },
      ],
    },
  });
  expect(readLine('left 7')).toEqual({ cast: { place: 7, isOut: false } });
  expect(readLine('out 7')).toEqual({ cast: { place: 7, isOut: true } });
  expect(readLine('canary 3 120 7')).toEqual({ beat: { lateMs: 3, iterations: 120, vus: 7 } });
});

test.each(['', 'tally', 'tally a b c d', 'tally 1 2 3', 'canary 1 2', 'other 1 2 3', 'left', 'out x'])(
  '%j is no line of the script',
  (line) => {
    expect(readLine(line)).toBeUndefined();
  },
);

const tally = (broken: number, lastNotBroken: number): Tally => ({
  wrong: broken,
  broken,
  lastNotBroken,
  answered: broken,
  latencies: [],
  rows: [],
});

test('server errors alone for more than a second are enough', () => {
  const watch = createBrokenWatch();
  expect([0, 500, 1_000, 1_300].map((at) => watch.sees(tally(5, 0), 10_000 + at))).toEqual([
    false,
    false,
    false,
    true,
  ]);
});

test('any other answer in between, of whichever VU, begins it anew', () => {
  const watch = createBrokenWatch();
  watch.sees(tally(5, 0), 10_000);
  watch.sees(tally(0, 10_900), 10_950);
  expect(watch.sees(tally(5, 0), 11_500)).toBe(false);
});

test('a single server error is not', () => {
  const watch = createBrokenWatch();
  watch.sees(tally(0, 9_000), 9_000);
  expect(watch.sees(tally(1, 9_000), 12_000)).toBe(false);
});

const answers = (answered: number, ...rows: readonly (readonly [answer: string, count: number])[]) => ({
  tally: {
    ...{ wrong: 0, broken: 0, lastNotBroken: 0, answered, latencies: [] },
    rows: rows.map(([answer, count]) => ({ operation: 'queue.enter', answer, count })),
  },
});

test('a target that answers nothing any more is away since then, and is left alone after ten seconds', () => {
  const watch = createAwayWatch();
  const lines = [answers(5), answers(3, ['404', 3]), answers(2, ['refused', 2]), answers(4, ['timeout', 4])];
  expect(lines.map((line, at) => watch.sees(line, 1_000 + at * 1_200))).toEqual([false, false, false, false]);
  expect(watch.ended()).toEqual({ how: 'silent', since: 2.4 });
  expect(watch.sees(answers(1, ['refused', 1]), 13_500)).toBe(true);
});

test('one that asks everybody to wait is away too', () => {
  const watch = createAwayWatch();
  watch.sees(answers(2, ['429', 2]), 500);
  expect(watch.sees(answers(2, ['429', 2]), 10_500)).toBe(true);
  expect(watch.ended()).toEqual({ how: 'waiting', since: 0 });
});

test('one that is back was never away', () => {
  const watch = createAwayWatch();
  watch.sees(answers(2, ['refused', 2]), 500);
  watch.sees(answers(2, ['refused', 1]), 5_000);
  expect(watch.sees({ beat: { lateMs: 0, iterations: 1, vus: 1 } }, 20_000)).toBe(false);
  expect(watch.sees(undefined, 20_000)).toBe(false);
  expect(watch.ended()).toBeUndefined();
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
