import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import type { Ask } from '../../engine/http/ask.ts';
import type { TransportKind } from '../../engine/http/exchange.ts';
import { type Answer, rehearse, type Script } from '../../fixtures/kit/rule-rehearsal.ts';
import { emptyBody } from '../rules/empty-body.ts';
import { queryEncoded } from '../rules/query-encoded.ts';
import { queryLong } from '../rules/query-long.ts';
import { rules } from '../rules/rules.ts';
import { wrongMediaBody } from '../rules/wrong-media-body.ts';
import { oddNames } from './bad-input.ts';

const operation = areas.party.create;
/** The plain call answered one way, bad input another. */
const script =
  (bad: Answer, plain: Answer = { body: {} }): Script =>
  ({ body }) =>
    body === undefined ? plain : bad;
/** The plain call, whoever makes it: the one that shows whether the player may call at all is plain too. */
const isPlain = ({ as: _, nth: __, ...rest }: Ask) => Object.keys(rest).length === 0;

/** Beside `unknown-id-body`, which asks as much as the plain body names ids: it has tests of its own. */
const aboutInput = rules.filter(
  ({ name }) => /-body$|^path-|^query-/.test(name) && name !== 'unknown-id-body',
);
const operationOf = ({ name }: { readonly name: string }): Operation =>
  name.startsWith('path') ? areas.match.get : name.startsWith('query') ? areas.archives.journal : operation;

test.each(aboutInput)('$name passes where it is refused or taken, and a 500 violates it', async (rule) => {
  const answered = (status: number) =>
    rehearse(rule, operationOf(rule), (ask) => (isPlain(ask) ? { body: {} } : { status }));
  for (const status of [200, 400, 414]) expect((await answered(status)).judgement.kind).toBe('pass');
  expect((await answered(500)).judgement).toMatchObject({ kind: 'violation', actual: 'answered 500' });
});

test.each(aboutInput)('$name costs one request besides the plain call', async (rule) => {
  expect((await rehearse(rule, operationOf(rule), script({ status: 400 }))).asked).toHaveLength(2);
});

test.each<[string, Answer]>([
  ['501', { status: 501 }],
  ['503 with Retry-After', { status: 503, headers: { 'retry-after': '1' } }],
  [
    '413 and a close',
    { error: { kind: 'reset', reusedConnection: false, partial: { status: 413, headers: [], bytes: 0 } } },
  ],
])('%s is no server error', async (_, answer) => {
  expect((await rehearse(emptyBody, operation, script(answer))).judgement.kind).not.toBe('violation');
});

test.each<[string, Answer]>([
  ['a connection broken off', { error: 'reset' }],
  ['502', { status: 502 }],
])('%s is looked at twice before anybody is accused', async (_, answer) => {
  const once: Script = ({ body, nth }) =>
    body === undefined ? {} : nth === undefined ? answer : { status: 400 };
  expect((await rehearse(emptyBody, operation, once)).judgement.kind).toBe('pass');
  expect((await rehearse(emptyBody, operation, script(answer))).judgement.kind).toBe('violation');
});

test('a call that fails without bad input too says nothing about it', async () => {
  const { judgement } = await rehearse(emptyBody, operation, script({ status: 500 }, { status: 500 }));
  expect(judgement).toMatchObject({ kind: 'inconclusive', reason: 'prerequisite-failed' });
});

test.each<TransportKind>(['timeout', 'refused'])('%s accuses nobody', async (error) => {
  expect((await rehearse(wrongMediaBody, operation, script({ error }))).judgement.kind).toBe('inconclusive');
});

test('a 401 before the input was looked at is no pass', async () => {
  expect((await rehearse(emptyBody, operation, script({ status: 401 }))).judgement).toMatchObject({
    reason: 'needs-players',
  });
  const wall = await rehearse(emptyBody, operation, script({ status: 401 }, { status: 401 }), {
    noSession: () => 'nobody',
  });
  expect(wall.judgement).toMatchObject({ reason: 'no-session' });
});

test('an operation that is not served is not asked', async () => {
  const { judgement, asked } = await rehearse(emptyBody, operation, script({ status: 500 }), {
    routed: async () => ({ served: false, kind: 'unrouted', why: '404' }),
  });
  expect(judgement).toMatchObject({ reason: 'not-served' });
  expect(asked).toEqual([]);
});

test('logout is asked with a session that nobody else needs', async () => {
  const { asked } = await rehearse(emptyBody, areas.me.logout, script({ status: 200 }));
  expect(asked[1]?.as).toBe('session-ender');
});

test.each<[Operation, string[]]>([
  [areas.messages.listInbox, ['language', 'limit']],
  [areas.party.leave, ['disband']],
  [areas.auth.login, ['token']],
  [areas.general.config, []],
])('of $id these query names are made odd: %j', (operation, expected) => {
  expect(oddNames(operation)).toEqual(expected);
});

test('logins are tried by nobody, and leaving a party by a player of its own', async () => {
  expect((await rehearse(queryLong, areas.auth.login, () => ({}))).asked[1]?.as).toBe('(nobody)');
  expect((await rehearse(queryLong, areas.party.leave, () => ({}))).asked[1]?.as).toBe('leaver');
});

test('a refused login is a pass, though it is a 401', async () => {
  const { judgement } = await rehearse(queryLong, areas.auth.login, (ask) => ({
    status: isPlain(ask) ? 200 : 401,
  }));
  expect(judgement.kind).toBe('pass');
});

test('a player whose own plain call is broken too says nothing about the input', async () => {
  const spoilt: Script = (ask) => ({ status: ask.as === undefined ? 200 : 500 });
  expect((await rehearse(queryLong, areas.archives.journal, spoilt)).judgement).toMatchObject({
    reason: 'prerequisite-failed',
    detail: expect.stringContaining('the plain call of the player who sends it is answered 500 too'),
  });
});

test('a firewall that breaks off the connection on any path is not the operation', async () => {
  const everywhere: Script = (ask) => (isPlain(ask) ? {} : { error: 'reset' });
  expect((await rehearse(queryEncoded, areas.archives.journal, everywhere)).judgement).toMatchObject({
    kind: 'inconclusive',
    reason: 'reset',
  });
  const here: Script = (ask) =>
    isPlain(ask) ? {} : ask.path?.startsWith('/assayUnrouted') ? { status: 404 } : { error: 'reset' };
  expect((await rehearse(queryEncoded, areas.archives.journal, here)).judgement.kind).toBe('violation');
});
