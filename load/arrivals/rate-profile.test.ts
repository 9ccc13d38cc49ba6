import { expect, test } from 'vitest';
import { lengthOf } from './rate-profile.ts';
import { peakOf, type Shape, type ShapeName, shapes, stagesOf } from './shapes.ts';

test.each(Object.keys(shapes) as ShapeName[])('%s lasts as long as asked for, behind its warm-up', (name) => {
  expect(lengthOf(stagesOf(shapes[name], 40, 10_000, 1_000))).toBeCloseTo(11_000, 6);
});

test('a warm-up is at the rate that the shape begins with', () => {
  expect(stagesOf(shapes.steady, 40, 10_000, 1_000)).toEqual([{ from: 40, to: 40, durationMs: 11_000 }]);
  expect(stagesOf(shapes.ramp, 40, 10_000, 1_000)[0]).toEqual({ from: 4, to: 4, durationMs: 1_000 });
});

test('a spike goes up to five times the rate', () => {
  expect(peakOf(shapes.spike as Shape, 40)).toBe(200);
});
