import { expect, test } from 'vitest';
import { generatorsFor, sizeOf } from './generators.ts';

test('a rate needs so many generators that each gives at most 70 % of what it can', () => {
  expect([100, 700, 701, 7_000].map((rate) => generatorsFor(rate, 1_000))).toEqual([1, 1, 2, 10]);
});

test('a pod is sized by its VUs, its calls and its requests, with room above what was measured', () => {
  const small = sizeOf({ vus: 20, calls: 4, requestsPerSecond: 80 });
  expect(small).toEqual({ requests: { cpu: '250m', memory: '256Mi' }, limits: { memory: '256Mi' } });
  const measured = sizeOf({ vus: 1_500, calls: 4, requestsPerSecond: 1_200 });
  expect(Number.parseInt(measured.limits.memory, 10)).toBeGreaterThan(1_303);
  expect(Number.parseInt(measured.requests.cpu, 10)).toBeGreaterThan(660);
});
