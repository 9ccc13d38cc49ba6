import { expect, test } from 'vitest';
import { box, boxAxis, scaleOf } from './box-plot.ts';

const slow = [10, 20, 40, 80, 100, 9] as const;

test('equal factors are equal distances', () => {
  const { x } = scaleOf([[1, 1, 1, 1, 1, 1], slow]);
  const [a, b, c] = [1, 10, 100].map((ms) => Number(x(ms))) as [number, number, number];
  expect(b - a).toBeCloseTo(c - b, 1);
});

test('a call that took no time at all, and calls that all took the same, still lie on the axis', () => {
  for (const ms of [0, 5]) {
    const { x } = scaleOf([[ms, ms, ms, ms, ms, 1]]);
    expect(Number(x(ms))).toBeGreaterThanOrEqual(0);
    expect(Number(x(ms))).toBeLessThanOrEqual(420);
  }
});

test('whiskers reach from the least to the most, the box from quartile to quartile', () => {
  const scale = scaleOf([slow]);
  const [least, q1, median, q3, most] = [10, 20, 40, 80, 100].map(scale.x);
  const { html } = box(scale, slow);
  expect(html).toContain(`M${least} 9H${most}`);
  expect(html).toContain(`<rect x="${q1}" y="3.5" width="${(Number(q3) - Number(q1)).toFixed(1)}"`);
  expect(html).toContain(`M${median} 3v12`);
});

test('the axis has round ticks', () => {
  expect(boxAxis(scaleOf([slow])).html).toContain('axis from 10 ms to 100 ms');
});
