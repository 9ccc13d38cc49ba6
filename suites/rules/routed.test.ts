import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import type { Ask } from '../../engine/http/ask.ts';
import type { Context } from '../../engine/probe/context.ts';
import { exchangeOf } from '../../fixtures/kit/exchanges.ts';
import { fakeContext } from '../../fixtures/kit/fake-context.ts';
import { rehearse } from '../../fixtures/kit/rule-rehearsal.ts';
import { routed } from './routed.ts';
import { clauseOf } from './rules.ts';

const { config } = areas.general;
type Found = Awaited<ReturnType<Context['routed']>>;
const judged = (found: Found) => rehearse(routed, config, () => ({}), { routed: async () => found });

test.each<[string, Found, string]>([
  ['what is served', { served: true, why: 'unlike all' }, 'pass'],
  ['what nobody can tell', { served: undefined, reason: 'catch-all', why: 'like all' }, 'catch-all'],
  ['what is not served', { served: false, kind: 'unrouted', why: '404' }, 'violation'],
  [
    'what is not served, as may be right',
    { served: false, kind: 'unrouted', why: '404', warn: 'the other version is' },
    'warning',
  ],
])('returns $2 for $0', async (_, found, expected) => {
  expect((await judged(found)).verdict).toBe(expected);
});

test('what a step was answered with success is served, unless that is what any path is answered', async () => {
  const unknown: Found = { served: undefined, reason: 'unknown-resource', why: 'like all' };
  const seen = async (plain: number) => {
    const context = {
      routed: async () => unknown,
      flows: {
        ...fakeContext().flows,
        seenInSteps: async () => ({
          served: exchangeOf({ status: 200 }),
          unserved: undefined,
          looksUnserved: undefined,
        }),
      },
    };
    return (await rehearse(routed, config, () => ({ status: plain }), context)).verdict;
  };
  expect([await seen(404), await seen(200)]).toEqual(['pass', 'unknown-resource']);
});

test('what a step saw is seen again only where that step is run as well', async () => {
  const unknown: Found = { served: undefined, reason: 'unknown-resource', why: 'like all' };
  const unserved = { exchange: exchangeOf({ status: 404 }), steps: ['party/remove'] };
  const seenInSteps = async () => ({ served: undefined, unserved, looksUnserved: undefined });
  const context = { routed: async () => unknown, flows: { ...fakeContext().flows, seenInSteps } };
  const { judgement } = await rehearse(routed, config, () => ({ status: 404 }), context);
  expect(judgement).toMatchObject({ kind: 'violation', seenIn: ['party/remove'] });
});

test.each([
  ['warns', undefined, 'warning'],
  ['is served after all, where another step was answered', exchangeOf({ status: 200 }), 'pass'],
])('a read of what a step made that is answered as any path %s', async (_, served, expected) => {
  const unknown: Found = { served: undefined, reason: 'unknown-resource', why: 'like all' };
  const looksUnserved = { exchange: exchangeOf({ status: 404 }), steps: ['names/search'] };
  const seenInSteps = async () => ({ served, unserved: undefined, looksUnserved });
  const context = { routed: async () => unknown, flows: { ...fakeContext().flows, seenInSteps } };
  const { verdict, judgement } = await rehearse(routed, config, () => ({ status: 404 }), context);
  expect(verdict).toBe(expected);
  if (served === undefined) expect(judgement).toMatchObject({ seenIn: ['names/search'] });
});

test.each([
  ['five others say what they did not find', { unlike: 5, alike: 1 }, 404, 'warning'],
  ['four do', { unlike: 4, alike: 1 }, 404, 'unknown-resource'],
  ['another one is answered alike', { unlike: 9, alike: 2 }, 404, 'unknown-resource'],
  ['it is no 404', { unlike: 9, alike: 1 }, 403, 'unknown-resource'],
])('a 404 as of paths without a route, where %s', async (_, notFounds, status, expected) => {
  const unknown: Found = { served: undefined, reason: 'unknown-resource', why: 'like all' };
  const context = { routed: async () => unknown, notFounds: async () => notFounds };
  expect((await rehearse(routed, config, () => ({ status }), context)).verdict).toBe(expected);
});

test.each([
  ['No such route', 2, 'warning'],
  ['No handler found for GET /api/v1/config', 2, 'warning'],
  ['Cannot GET /api/v1/config', 2, 'unknown-resource'],
  ['No such route', 1, 'unknown-resource'],
  ['the config was not found', 4, 'unknown-resource'],
])('a 404 that says "%s", where %i others say something else: %s', async (message, unlike, expected) => {
  const unknown: Found = { served: undefined, reason: 'unknown-resource', why: 'like all' };
  const context = { routed: async () => unknown, notFounds: async () => ({ unlike, alike: 9 }) };
  const answer = () => ({ status: 404, body: { message } });
  expect((await rehearse(routed, config, answer, context)).verdict).toBe(expected);
});

test('operations that are missing for one reason have one cause, and cite the heading they stand under', async () => {
  const { judgement } = await judged({ served: false, kind: 'unrouted', why: '404' });
  expect(judgement).toMatchObject({
    cause: 'routed: unrouted',
    actual: 'just the answer that paths that do not exist get',
  });
  expect(clauseOf(routed, config).id).toBe('endpoints.general');
});

test.each<[string, { get?: number; others?: number; served?: boolean }, string]>([
  ['the paths of all other writes answer GET with 405', {}, 'warning'],
  ['its own path does, too', { get: 405 }, 'unknown-resource'],
  ['another one answers it otherwise', { others: 404 }, 'unknown-resource'],
  ['no other write is served', { served: false }, 'unknown-resource'],
])('a write whose 404 is that of paths without a route, where %s', async (_, server, expected) => {
  const { get = 404, others = 405, served = true } = server;
  const { set } = areas.playerName;
  const found = (operation: unknown): Found =>
    operation === set || !served
      ? { served: undefined, reason: 'unknown-resource', why: 'like all' }
      : { served: true, why: 'unlike all' };
  let nth = 0;
  const context = {
    routed: async (operation: unknown) => found(operation),
  };
  const answer = (ask: Pick<Ask, 'method'>, operation: Operation) => {
    if (operation === set) return { status: ask.method === 'GET' ? get : 404 };
    nth += 1;
    return { status: nth === 3 ? others : 405 };
  };
  expect((await rehearse(routed, set, answer, context)).verdict).toBe(expected);
});
