import { expect, test } from 'vitest';
import { createBrokenWatch, readLine, type Tally } from './stream.ts';

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
  expect(readLine('left 7')).toEqual({ left: { place: 7, isOut: false } });
  expect(readLine('out 7')).toEqual({ left: { place: 7, isOut: true } });
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
