import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { type Answer, rehearse } from '../../fixtures/kit/rule-rehearsal.ts';
import { concurrent } from './concurrent.ts';

const { create } = areas.party;

test.each([
  ['all answered', {}, 'pass'],
  ['a conflict reported as one', { status: 409 }, 'pass'],
  ['a server error', { status: 500 }, 'violation'],
  ['not implemented', { status: 501 }, 'pass'],
  ['a limit reported as one', { status: 503, headers: { 'retry-after': '1' } }, 'rate-limited'],
  ['a rate limit', { status: 429 }, 'rate-limited'],
  ['a connection limit', { error: 'reset' }, 'reset'],
] as [string, Answer, string][])('one of three: %s', async (_, answer, expected) => {
  expect((await rehearse(concurrent, create, ({ nth }) => (nth === 3 ? answer : {}))).verdict).toBe(expected);
});

test('a server error outweighs a rate limit', async () => {
  const { judgement } = await rehearse(concurrent, create, ({ nth }) => ({
    status: nth === undefined ? 200 : nth > 1 ? 500 : 429,
  }));
  expect(judgement).toMatchObject({ kind: 'violation', actual: '500, 2 of 3' });
});

test('a call that fails alone says nothing about three', async () => {
  expect((await rehearse(concurrent, create, () => ({ status: 500 }))).verdict).toBe('prerequisite-failed');
});

test('needs more players when all three calls are answered 401', async () => {
  expect(
    (await rehearse(concurrent, create, ({ as }) => ({ status: as === 'crowd' ? 401 : 200 }))).verdict,
  ).toBe('needs-players');
});

test('a call that ends a session has one of its own each time', async () => {
  const { asked } = await rehearse(concurrent, areas.me.logout, () => ({}));
  expect(asked.slice(1).map(({ as }) => as)).toEqual(Array(3).fill('session-ender'));
});

test('a file, which has no state, is asked for twice at once', async () => {
  const { asked } = await rehearse(concurrent, areas.clientData.catalog, () => ({}));
  expect(asked.filter(({ as }) => as === 'crowd')).toHaveLength(2);
});
