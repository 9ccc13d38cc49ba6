import { expect, test } from 'vitest';
import { readTarget } from '../../engine/target/target.ts';
import { serve } from '../../fixtures/kit/loopback.ts';
import type { Actors } from '../k6/plan.ts';
import { changedSince, type Identity, sessionsAreOver } from './players.ts';

/** A target that knows these bearers and no others. */
async function knowing(...tokens: string[]) {
  const url = await serve((request, response) => {
    const known = tokens.some((token) => request.headers.authorization === `Bearer ${token}`);
    response.statusCode = known && request.url === '/api/v1/me/location' ? 200 : 401;
    response.end('{}');
  });
  return readTarget({ BASE_URL: url }, { cwd: '/nowhere' });
}

const actors = (token: string): Actors => [
  { headers: { authorization: `Bearer ${token}` }, query: '', values: {} },
];
const groups = ['a', 'b', 'c', 'd'].map(actors);
const evidence = { operation: 'me.location' };

test('sessions are over when each of the first three players gets 401', async () => {
  expect(await sessionsAreOver(await knowing('d'), evidence, groups)).toBe(true);
});

test('they are not where one of the three is still known', async () => {
  expect(await sessionsAreOver(await knowing('c'), evidence, groups)).toBe(false);
});

test('a target that does not answer, and a journey without players, say nothing of sessions', async () => {
  const gone = readTarget({ BASE_URL: 'http://127.0.0.1:9' }, { cwd: '/nowhere' });
  expect(await sessionsAreOver(gone, evidence, groups)).toBe(false);
  expect(await sessionsAreOver(await knowing(), evidence, [])).toBe(false);
});

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
