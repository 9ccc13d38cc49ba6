import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { areas, catalog } from '../../catalog/catalog.ts';
import type { TransportKind } from '../../engine/http/exchange.ts';
import { type Answer, rehearse, type Script } from '../../fixtures/kit/rule-rehearsal.ts';
import { badBodies, emptyBody, gzipped, malformedBody, wrongMediaBody } from './bad-bodies.ts';

const row = areas.party.create;
/** The plain call answered one way, bad input another. */
const script =
  (bad: Answer, plain: Answer = { body: {} }): Script =>
  ({ body }) =>
    body === undefined ? plain : bad;

test('the compressed body is {}', () => {
  expect(gunzipSync(gzipped).toString()).toBe('{}');
});

test('every POST and PUT is asked, and nothing else', () => {
  expect(
    catalog.filter(malformedBody.applies).every(({ method }) => method === 'POST' || method === 'PUT'),
  ).toBe(true);
  expect(catalog.filter(malformedBody.applies)).toHaveLength(67);
});

test.each(badBodies)('$name passes where it is refused or taken, and a 500 violates it', async (rule) => {
  expect((await rehearse(rule, row, script({ status: 400 }))).judgement.kind).toBe('pass');
  expect((await rehearse(rule, row, script({ status: 200 }))).judgement.kind).toBe('pass');
  expect((await rehearse(rule, row, script({ status: 500 }))).judgement).toMatchObject({
    kind: 'violation',
    actual: 'answered 500',
  });
});

test.each(badBodies)('$name costs one request besides the plain call', async (rule) => {
  expect((await rehearse(rule, row, script({ status: 400 }))).asked).toHaveLength(2);
});

test('the malformed body is exactly the one that no-internals asks with', async () => {
  const { asked } = await rehearse(malformedBody, row, script({ status: 400 }));
  expect(asked[1]).toEqual({ as: 'vandal', body: '{"assay":' });
});

test.each<[string, Answer]>([
  ['501', { status: 501 }],
  ['503 with Retry-After', { status: 503, headers: { 'retry-after': '1' } }],
  [
    '413 and a close',
    { error: { kind: 'reset', reusedConnection: false, partial: { status: 413, headers: [], bytes: 0 } } },
  ],
])('%s is no server error', async (_, answer) => {
  expect((await rehearse(emptyBody, row, script(answer))).judgement.kind).not.toBe('violation');
});

test.each<[string, Answer]>([
  ['a connection broken off', { error: 'reset' }],
  ['502', { status: 502 }],
])('%s is looked at twice before anybody is accused', async (_, answer) => {
  const once: Script = ({ body, nth }) =>
    body === undefined ? {} : nth === undefined ? answer : { status: 400 };
  expect((await rehearse(emptyBody, row, once)).judgement.kind).toBe('pass');
  expect((await rehearse(emptyBody, row, script(answer))).judgement.kind).toBe('violation');
});

test('a call that fails without bad input too says nothing about it', async () => {
  const { judgement } = await rehearse(emptyBody, row, script({ status: 500 }, { status: 500 }));
  expect(judgement).toMatchObject({ kind: 'inconclusive', reason: 'prerequisite-failed' });
});

test.each<TransportKind>(['timeout', 'refused'])('%s accuses nobody', async (error) => {
  expect((await rehearse(wrongMediaBody, row, script({ error }))).judgement.kind).toBe('inconclusive');
});

test('a 401 before the input was looked at is no pass', async () => {
  expect((await rehearse(emptyBody, row, script({ status: 401 }))).judgement).toMatchObject({
    reason: 'needs-players',
  });
  const wall = await rehearse(emptyBody, row, script({ status: 401 }, { status: 401 }), {
    noSession: () => 'nobody',
  });
  expect(wall.judgement).toMatchObject({ reason: 'no-session' });
});

test('a row that is not served is not asked', async () => {
  const { judgement, asked } = await rehearse(emptyBody, row, script({ status: 500 }), {
    routed: async () => ({ served: false, kind: 'unrouted', why: '404' }),
  });
  expect(judgement).toMatchObject({ reason: 'not-served' });
  expect(asked).toEqual([]);
});

test('logout is asked with a session that nobody else needs', async () => {
  const { asked } = await rehearse(emptyBody, areas.me.logout, script({ status: 200 }));
  expect(asked[1]?.as).toBe('session-ender');
});
