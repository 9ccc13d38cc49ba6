import { expect, test } from 'vitest';
import { isOfSegment, segmentArgs, shareOf } from './plan.ts';

test('segments are equal parts that are named in one sequence', () => {
  expect([0, 1, 2].map((nth) => segmentArgs(nth, 3)[0])).toEqual([
    '--execution-segment=0:1/3',
    '--execution-segment=1/3:2/3',
    '--execution-segment=2/3:1',
  ]);
  expect(segmentArgs(1, 3)[1]).toBe('--execution-segment-sequence=0,1/3,2/3,1');
});

test('one process alone is no segment', () => expect(segmentArgs(0, 1)).toEqual([]));

test('what is bounded for all is bounded for each by its share', () => expect(shareOf(11, 4)).toBe(3));

test('each of what is numbered through is of one segment alone', () => {
  const segments = 3;
  for (let nth = 0; nth < 10; nth += 1)
    expect([0, 1, 2].filter((segment) => isOfSegment(nth, segment, { segments }))).toHaveLength(1);
});
