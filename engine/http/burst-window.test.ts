import { expect, test } from 'vitest';
import { shortestWindowMs } from './burst-window.ts';

test('this machine meets a window that is shorter than the one that mutants have at most', async () => {
  const window = await shortestWindowMs(3);
  expect(window).toBeGreaterThan(0);
  expect(window).toBeLessThan(20);
});

test('without a burst nothing is known', async () => {
  expect(await shortestWindowMs(0)).toBeUndefined();
});
