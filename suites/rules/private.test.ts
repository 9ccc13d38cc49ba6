import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { nobody } from '../../engine/http/ask.ts';
import type { Context } from '../../engine/probe/context.ts';
import { exchangeOf, rehearse, type Script } from '../../fixtures/kit/rule-rehearsal.ts';
import { privateRule, sharedCaching } from './private.ts';

const { location } = areas.me;
const shared = { 'cache-control': 'public, max-age=60' };

/** Who may read, and what each gets. */
const reading =
  (headers: Record<string, string>, bodyFor: (who: string) => unknown): Script =>
  ({ as = 'main' }) =>
    as === nobody ? { status: 401 } : { headers, body: bodyFor(as) };

test.each([
  ["a player's own data, unmarked", reading({}, (who) => ({ who })), 'pass'],
  [
    "a player's own data, marked private",
    reading({ 'cache-control': 'private' }, (who) => ({ who })),
    'pass',
  ],
  ["a player's own data, marked public", reading(shared, (who) => ({ who })), 'violation'],
  ['one answer for all who sign in', reading(shared, () => ({ a: 1 })), 'not-triggered'],
  ['one answer for anybody', () => ({ headers: shared, body: { a: 1 } }), 'not-triggered'],
  ['a refused read', () => ({ status: 403 }), 'auth-wall'],
] as [string, Script, string][])('returns $2 for $0', async (_, script, expected) => {
  expect((await rehearse(privateRule, location, script)).verdict).toBe(expected);
});

test("a public answer with a clock in it is nobody's own", async () => {
  let now = 0;
  expect(
    (await rehearse(privateRule, location, () => ({ headers: shared, body: { at: now++ } }))).verdict,
  ).toBe('not-triggered');
});

test("a public answer that names its members anew each time is nobody's own", async () => {
  let nth = 0;
  const script: Script = ({ as = 'main' }) => {
    nth += 1;
    return { headers: shared, body: { [`${as === nobody ? 'anybody' : 'member'}${nth}`]: 1 } };
  };
  expect((await rehearse(privateRule, location, script)).verdict).toBe('not-triggered');
});

test("a public answer that names one of three machines is nobody's own", async () => {
  const machines = [1, 1, 2, 1, 2, 2, 3, 1, 3, 2, 1, 3];
  const script: Script = ({ as = 'main' }) =>
    as === nobody ? { status: 401 } : { headers: shared, body: { servedBy: machines.shift() } };
  expect((await rehearse(privateRule, location, script)).verdict).toBe('not-triggered');
});

test("a public answer that names one of two machines, copied for half a second, is nobody's own", async () => {
  const copies = new Map<string, { until: number; servedBy: number }>();
  let now = 0;
  const pause = async (ms: number) => {
    now += ms;
  };
  // A machine of their own for each player, drawn again and again, and for one of them the other at the very end.
  const drawn: Record<string, number[]> = { main: [...Array<number>(8).fill(1), 2], another: [2] };
  const script: Script = ({ as = 'main' }) => {
    if (as === nobody) return { status: 401 };
    const copy = copies.get(String(as));
    if (copy && copy.until > now) return { headers: shared, body: { servedBy: copy.servedBy } };
    const servedBy = drawn[String(as)]?.shift() ?? 2;
    copies.set(String(as), { until: now + 500, servedBy });
    return { headers: shared, body: { servedBy } };
  };
  expect((await rehearse(privateRule, location, script, { pause })).verdict).toBe('not-triggered');
});

test("one body with two statuses is nobody's own", async () => {
  const script: Script = ({ as = 'main' }) => ({
    headers: shared,
    status: as === 'main' ? 203 : 200,
    body: as === nobody ? { b: 1 } : { a: 1 },
  });
  expect((await rehearse(privateRule, location, script)).verdict).toBe('not-triggered');
});

test('what else changes does not hide whose the answer is, nor does one change of what is a player’s own', async () => {
  let now = 0;
  const script = reading(shared, (who) => ({ who, at: now++, coins: who === 'main' ? Math.min(now, 4) : 0 }));
  expect((await rehearse(privateRule, location, script)).verdict).toBe('violation');
  const coins = reading(shared, (who) => ({ coins: who === 'main' && now++ > 30 ? 5 : who.length }));
  expect((await rehearse(privateRule, location, coins)).verdict).toBe('violation');
});

test('a status that changes between two looks accuses nobody', async () => {
  let asked = 0;
  const script: Script = ({ as = 'main' }) => {
    if (as === nobody) return { status: 401 };
    asked += 1;
    return asked > 6 ? { status: 500, body: { who: as } } : { headers: shared, body: { who: as } };
  };
  expect((await rehearse(privateRule, location, script)).verdict).toBe('unstable-answers');
});

test('without a session nothing is private', async () => {
  const noSession = () => 'no token';
  expect((await rehearse(privateRule, location, reading(shared, String), { noSession })).verdict).toBe(
    'no-session',
  );
});

test('one player alone cannot show what another would get', async () => {
  const script = reading(shared, String);
  const ask: Context['ask'] = async (operation, put = {}) => {
    const as = put.as === nobody ? nobody : 'main';
    return exchangeOf(operation, { ...put, as }, script({ as }, operation));
  };
  expect((await rehearse(privateRule, location, script, { ask })).verdict).toBe('needs-players');
});

const answer = (...headers: [string, string][]) => ({
  status: 200,
  headers,
  body: new Uint8Array(),
  wire: { bytes: 0 },
});

test.each(['public', 'Public, max-age=60', 'max-age=0, s-maxage=60', 's-maxage="5"'])(
  '%s lets a shared cache keep it',
  (value) => {
    expect(sharedCaching(answer(['cache-control', value]))).toBeDefined();
  },
);

test('two fields count as one', () => {
  expect(sharedCaching(answer(['cache-control', 'max-age=60'], ['cache-control', 'public']))).toBeDefined();
});

test.each([
  [],
  [['cache-control', 'private, max-age=60']],
  [['cache-control', 'no-store, public']],
  [['cache-control', 'max-age=60, s-maxage=0']],
  [['cache-control', 'x-public, republic']],
  [
    ['cache-control', 'public'],
    ['vary', 'accept-encoding, Authorization'],
  ],
  [
    ['cache-control', 'public'],
    ['vary', 'Cookie'],
  ],
  [
    ['cache-control', 'public'],
    ['vary', '*'],
  ],
] as [string, string][][])('%j %j does not', (...headers) => {
  expect(sharedCaching(answer(...headers))).toBeUndefined();
});

test('what each player has of their own is nothing to share, though two new players have the same', async () => {
  const script = reading(shared, () => ({ coins: 500 }));
  expect((await rehearse(privateRule, areas.general.currencies, script)).judgement).toMatchObject({
    kind: 'violation',
    level: 'inferred',
  });
  const kept = reading({ 'cache-control': 'private' }, () => ({ coins: 500 }));
  expect((await rehearse(privateRule, areas.general.currencies, kept)).verdict).toBe('pass');
});
