import { expect, test } from 'vitest';
import type { LatencyFigures } from '../../fixtures/check/latency.ts';
import { latencyBoxes } from './latency-boxes.ts';

const drawn = (...figures: LatencyFigures[]) => latencyBoxes(figures).html;
const boxesIn = (html: string) => Array.from(html.matchAll(/<path d="([^"]*)" fill="var\(--chart-tint\)"/g));
const ticksIn = (html: string) => Array.from(html.matchAll(/>([^<]*)<\/text>/g), ([, told]) => told);
/** x of each corner of a box and each end of its whiskers. */
const placesIn = (path = '') => Array.from(path.matchAll(/[ML]([\d.]+) /g), ([, x]) => Number(x));

test('every operation has a box, and the axis has round ticks', () => {
  const html = drawn([10, 20, 40, 80, 100, 9], [20, 30, 40, 50, 60, 3]);
  expect(boxesIn(html)).toHaveLength(2);
  expect(ticksIn(html)).toEqual(['10 ms', '20 ms', '50 ms', '100 ms']);
});

test('equal factors are equal distances, and whiskers reach from the least to the most', () => {
  const [[, path] = []] = boxesIn(drawn([1, 10, 100, 1_000, 10_000, 9]));
  const [least = 0, q1 = 0, median = 0, q3 = 0, most = 0] = [...new Set(placesIn(path))].sort(
    (a, b) => a - b,
  );
  for (const distance of [q1 - least, median - q1, q3 - median, most - q3])
    expect(distance).toBeCloseTo((most - least) / 4, 0);
  expect(most - least).toBeGreaterThan(400);
});

test('a long axis tells powers of ten alone', () => {
  expect(ticksIn(drawn([1, 10, 100, 1_000, 10_000, 9]))).toEqual(['1 ms', '10 ms', '100 ms', '1 s', '10 s']);
});

test.each([0, 5])('calls that all took %i ms lie on the axis', (ms) => {
  const [[, path] = []] = boxesIn(drawn([ms, ms, ms, ms, ms, 1]));
  expect(placesIn(path).every((x) => x >= 0 && x <= 460)).toBe(true);
});
