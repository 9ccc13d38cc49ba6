import { expect, test } from 'vitest';
import { neverFlipped } from '../../../fixtures/check/switch-points.ts';
import { mutants } from '../../../fixtures/liars/mutants/mutants.ts';
import { guards } from './guards.ts';

test('every switch point is flipped by a guard or by a mutant of the judge', () => {
  for (const { apply } of mutants) apply()();
  for (const { remove } of guards) remove()();
  expect(neverFlipped()).toEqual([]);
});
