import { expect, test } from 'vitest';
import { formOf } from '../players/body-template.ts';
import type { Context } from '../probe/context.ts';
import { takenIn } from './attack-context.ts';

test('an attack keeps the body that it saw taken, whatever another one learns, and begins with what others learnt', () => {
  const flows = {} as Context['flows'];
  const [narrow, wide, later] = ['a', 'b', 'c'].map((name) => formOf({ [name]: 1 }, 'guess'));
  if (!narrow || !wide || !later) throw new Error('three forms');
  const mine = takenIn(flows);
  const others = takenIn(flows);
  expect(mine.has('me.read')).toBe(false);
  others.set('me.read', narrow);
  expect(mine.get('me.read')).toBe(narrow);
  mine.set('me.read', wide);
  others.set('me.read', later);
  expect([mine.get('me.read'), others.get('me.read')]).toEqual([wide, later]);
  expect([...mine.values()]).toEqual([wide]);
  expect(takenIn({} as Context['flows']).get('me.read')).toBeUndefined();
});
