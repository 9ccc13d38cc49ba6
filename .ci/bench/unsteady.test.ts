import { expect, test } from 'vitest';
import { unsteady } from './unsteady.ts';

test('reports nothing where all runs agree', () => {
  expect(unsteady([new Map([['a#b', 'pass']]), new Map([['a#b', 'pass']])])).toEqual([]);
});

test('a check with two verdicts is reported with how often it had each, and so is one that is missing', () => {
  const runs = ['pass', 'fail', 'pass'].map(
    (outcome, nth) =>
      new Map(
        nth < 2
          ? [
              ['a#b', outcome],
              ['c#d', 'pass'],
            ]
          : [['a#b', outcome]],
      ),
  );
  expect(unsteady(runs)).toEqual(['a#b: 2 × pass, 1 × fail', 'c#d: 2 × pass, 1 × absent']);
});
