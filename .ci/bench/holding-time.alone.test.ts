import { expect, onTestFinished, test } from 'vitest';
import { startOracle } from '../../fixtures/analytic-targets/start.ts';

test('an analytic server takes as long as its model, to a millisecond', async () => {
  const pool = await startOracle('errors-first', 1);
  onTestFinished(pool.close);
  await pool.arm();
  const times: number[] = [];
  for (let nth = 0; nth < 60; nth += 1) {
    const before = performance.now();
    await (await fetch(`${pool.url}/api/v1/config`)).arrayBuffer();
    times.push(performance.now() - before);
  }
  const mean = Number(/held for ([\d.]+) ms/.exec(pool.oracle.drawn)?.[1]);
  const measured = times.reduce((sum, each) => sum + each, 0) / times.length;
  // An exponential time's mean of 60 has a standard error of 13 %.
  expect(Math.abs(measured / mean - 1)).toBeLessThan(0.6);
});
