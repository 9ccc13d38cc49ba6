import { expect, test } from 'vitest';
import { catalog } from '../catalog/catalog.ts';
import { reasonsLeftOut } from './isolation/left-out.ts';
import isolation from './isolation.ts';

test('every operation of the main API is attacked, or said to be left out with a reason', () => {
  const steps = isolation.checks.filter(({ id }) => id !== 'isolation/left-out');
  const attacked = new Set(steps.flatMap(({ operations }) => operations.map(({ id }) => id)));
  const left = reasonsLeftOut.flatMap(([, operations]) => operations.map(({ id }) => id));
  const all = catalog.filter(({ host }) => host === 'base').map(({ id }) => id);
  expect([...attacked, ...left].toSorted()).toEqual(all.toSorted());
});
