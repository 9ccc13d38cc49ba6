import { expect, test } from 'vitest';
import { neverFlipped } from '../../engine/values/switch-points.ts';
import { attackGuards } from './attack-guards.ts';
import { endingAtFirst } from './attacks.ts';
import { guards } from './guards.ts';
import { mutants } from './judge-mutants/judge-mutants.ts';

test('every switch point is flipped by a guard, by a mutant of the judge, or by the proof of attacks', () => {
  for (const { apply } of mutants) apply()();
  for (const { remove } of guards) remove()();
  for (const back of attackGuards.flatMap(({ remove }) => remove())) back();
  endingAtFirst()();
  expect(neverFlipped()).toEqual([]);
});
