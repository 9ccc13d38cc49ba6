import { expect, test } from 'vitest';
import type { Told } from '../../run/stream.ts';
import { createBeats } from './beats.ts';

const beat = (lateMs: number, iterations: number, vus: number) => ({ beat: { lateMs, iterations, vus } });

function listen(segments: number) {
  const heard: Told[] = [];
  return { heard, beats: createBeats(segments, (told) => heard.push(told)) };
}

test('one beat is heard when all segments have beaten: what they did together, and the latest of them', () => {
  const { heard, beats } = listen(2);
  beats.hears(0, beat(1, 10, 3));
  expect(heard).toEqual([]);
  beats.hears(1, beat(4, 20, 5));
  expect(heard).toEqual([beat(4, 30, 8)]);
});

test('a segment that ended holds nobody up, and what it did stays counted', () => {
  const { heard, beats } = listen(2);
  beats.hears(0, beat(1, 10, 3));
  beats.hears(1, beat(1, 20, 5));
  beats.ended(0);
  beats.hears(1, beat(2, 40, 5));
  expect(heard.at(-1)).toEqual(beat(2, 50, 8));
});

test('tallies are passed on at once, of whichever segment', () => {
  const { heard, beats } = listen(3);
  const tally = { tally: { wrong: 0, broken: 0, lastNotBroken: 1, answered: 1, latencies: [2], rows: [] } };
  beats.hears(2, tally);
  expect(heard).toEqual([tally]);
});
