import { expect, test } from 'vitest';
import { changedSince, type Identity } from './identity.ts';

const looks = (...answers: Identity[]) => {
  let nth = 0;
  return async () => answers[Math.min(nth++, answers.length - 1)] as Identity;
};

test('the same traits are the same target', async () => {
  expect(await changedSince({ server: 'a' }, looks({ server: 'a' }))).toBeUndefined();
});

test('a trait that cannot be asked for at the end says nothing', async () => {
  expect(await changedSince({ server: 'a' }, looks({}))).toBeUndefined();
});

test('another trait that stays is another target; one that changes by itself is not', async () => {
  expect(await changedSince({ server: 'a' }, looks({ server: 'b' }))).toBe('server was a, now it is b');
  expect(await changedSince({ body: '1' }, looks({ body: '2' }, { body: '3' }))).toBeUndefined();
});
