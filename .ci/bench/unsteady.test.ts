import { expect, test } from 'vitest';
import { unsteady } from './unsteady.ts';

test('runs that say the same have nothing to tell', () => {
  expect(unsteady([new Map([['a#b', 'pass']]), new Map([['a#b', 'pass']])])).toEqual([]);
});

test('a check with two verdicts is reported with how often it had each, and so is one that is missing', () => {
  const runs = ['pass', 'fail', 'pass'].map(
    (said, nth) =>
      new Map(
        nth < 2
          ? [
              ['a#b', said],
              ['c#d', 'pass'],
            ]
          : [['a#b', said]],
      ),
  );
  expect(unsteady(runs)).toEqual(['a#b: 2 × pass, 1 × fail', 'c#d: 2 × pass, 1 × absent']);
});
