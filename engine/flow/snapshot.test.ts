import { expect, test } from 'vitest';
import { exchangeOf } from '../../fixtures/kit/exchanges.ts';
import type { Exchange } from '../http/exchange.ts';
import { isReordered, lastingChanges, placesThatDiffer, snapshot } from './snapshot.ts';

const none = new Set<string>();
const of = (body: unknown, status = 200) => exchangeOf({ status, body });

test.each<[string, unknown, unknown]>([
  ['lists', [1, 2, [3, 4]], [[4, 3], 2, 1]],
  ['names', { a: 1, b: { c: 1, d: 2 } }, { b: { d: 2, c: 1 }, a: 1 }],
  ['a list of objects', [{ id: 1 }, { id: 2 }], [{ id: 2 }, { id: 1 }]],
])('%s in another order say the same', (_, a, b) => {
  expect(isReordered(of(a), of(b), none)).toBe(true);
});

test.each<[string, unknown, unknown]>([
  ['another value', { a: 1 }, { a: 2 }],
  ['one more', [1], [1, 1]],
  ['a number and its text', [1], ['1']],
])('%s is another answer', (_, a, b) => {
  expect(isReordered(of(a), of(b), none)).toBe(false);
});

test('places that change by themselves are left out', () => {
  const except = new Set(['/items/-/at']);
  const before = of({ items: [{ id: 1, at: 5 }] });
  expect(isReordered(before, of({ items: [{ id: 1, at: 6 }] }), except)).toBe(true);
  expect(isReordered(before, of({ items: [{ id: 2, at: 5 }] }), except)).toBe(false);
});

test('another status, and what is no JSON, is never taken for another order', () => {
  expect(isReordered(of({}), of({}, 404), none)).toBe(false);
  expect(isReordered(of('made'), of('made'), none)).toBe(false);
  expect(isReordered(of('{'), of({}), none)).toBe(false);
});

test('answers nested too deeply are never a reordering', () => {
  const deep = JSON.parse('['.repeat(200) + ']'.repeat(200));
  expect(isReordered(of(deep), of(deep), none)).toBe(false);
});

test('places that differ are named whichever item of a list holds the value', () => {
  const before = of({
    at: 1,
    items: [
      { id: 1, n: 1 },
      { id: 2, n: null },
    ],
  });
  const after = of({
    at: 2,
    items: [
      { id: 2, n: null },
      { id: 1, n: 5 },
    ],
    more: true,
  });
  expect([...placesThatDiffer(before, after)].sort()).toEqual(['/at', '/items/-/n', '/more']);
  expect([...placesThatDiffer(before, of('no JSON'))].sort()).toEqual(['/at', '/items/-/id', '/items/-/n']);
  expect(placesThatDiffer(before, before).size).toBe(0);
});

const shown = (value: unknown): Exchange => {
  const body = Buffer.from(JSON.stringify(value));
  const request = { method: 'GET' as const, url: 'http://127.0.0.1/things', headers: [] };
  const wire = { bytes: body.length, truncated: false };
  const response = {
    status: 200,
    statusText: 'OK',
    headers: [],
    body,
    wire,
  } as unknown as Exchange['response'];
  return { request, ...(response && { response }), startedAt: 0, durationMs: 1, attempts: 1, waits: 0 };
};

/** Snapshots of a read that shows these one after another, the last for ever. */
function reads(...values: unknown[]) {
  const look = async () => shown(values.length > 1 ? values.shift() : values[0]);
  return () => snapshot({ read: look });
}

async function compared(...values: unknown[]): Promise<boolean> {
  const take = reads(...values);
  return (await lastingChanges(await take(), await take(), { sleep: async () => {} })).length > 0;
}

test('what was added is another state', async () => {
  expect(await compared({ a: 1 }, { a: 1 }, { a: 2 })).toBe(true);
  expect(await compared([1], [1], [1, 2])).toBe(true);
});

test('one state in another order is the same', async () => {
  expect(await compared([{ a: 1, b: [1, 2] }, 3], [{ a: 1, b: [1, 2] }, 3], [3, { b: [2, 1], a: 1 }])).toBe(
    false,
  );
});

test('a value that comes back is no other state, though it was steady for two looks', async () => {
  expect(await compared({ by: 1 }, { by: 1 }, { by: 2 }, { by: 2 }, { by: 1 }, { by: 3 })).toBe(false);
});

test('a value that goes on changing is no other state', async () => {
  expect(await compared({ at: 1 }, { at: 1 }, { at: 2 }, { at: 2 }, { at: 3 })).toBe(false);
});

test('a clock that counts whole seconds is no other state at a host of which no repeat showed a change', async () => {
  let now = 900;
  const take = () => snapshot({ read: async () => shown({ at: Math.floor(now / 1_000), coins: 7 }) });
  const before = await take();
  now = 1_050;
  const sleep = async (ms: number) => {
    now += ms;
  };
  const noise = { repeats: 100, reads: 100, machines: 1, copiesLiveMs: 0, lagMs: 0, wanders: [] };
  expect(await lastingChanges(before, await take(), { sleep, noise })).toEqual([]);
});

test('lists in another order are the same where a value beside them changes by itself', async () => {
  const by = (node: number, ...items: unknown[]) => ({ node, items: items.map((name) => ({ name })) });
  const samples = [by(1, 'a', 'b', 'c'), by(1, 'a', 'b', 'c'), by(2, 'b', 'a', 'c'), by(2, 'b', 'a', 'c')];
  expect(await compared(...samples, by(3, 'b', 'a', 'c'))).toBe(false);
});

test('what was added to a list is another state, though a value beside it changes by itself', async () => {
  const by = (node: number, ...items: unknown[]) => ({ node, items: items.map((name) => ({ name })) });
  const samples = [by(1, 'a', 'b'), by(1, 'a', 'b'), by(2, 'b', 'a', 'c'), by(2, 'b', 'a', 'c')];
  expect(await compared(...samples, by(3, 'b', 'a', 'c'))).toBe(true);
});

test('a value that is one of three by chance, and shown for a while, is no other state', async () => {
  const shown = [1, 1, 2, 2, 2, 2, 2, 2, 3].map((by) => ({ by }));
  expect(await compared(...shown)).toBe(false);
});

test('a value that also changes in answers about other things is no other state', async () => {
  const answers = [1, 2, 1].map((by) => shown({ by, coins: 7 }));
  const at = (value: unknown) =>
    snapshot({
      read: async () => shown(value),
      readElsewhere: async () => answers.shift() ?? shown({ by: 1 }),
    });
  const still = async (before: unknown, after: unknown) =>
    (await lastingChanges(await at(before), await at(after), { sleep: async () => {} })).length === 0;
  expect(await still({ by: 1, coins: 7 }, { by: 2, coins: 7 })).toBe(true);
  answers.push(...[1, 2, 1].map((by) => shown({ by, coins: 7 })));
  expect(await still({ by: 1, coins: 7 }, { by: 2, coins: 8 })).toBe(false);
  expect(await still({ by: 1, coins: 7 }, { by: 3, coins: 7 })).toBe(false);
});

test('answers nested too deeply are never the same state', async () => {
  const deep = (leaf: number) => {
    let value: unknown = leaf;
    for (let nth = 0; nth < 300; nth++) value = [value];
    return value;
  };
  expect(await compared(deep(1), deep(1), deep(2))).toBe(true);
});

test('what is read again is read once where it shows the same, and twice where it shows something else', async () => {
  let samples = 0;
  let value = 1;
  const before = await snapshot({
    read: async () => {
      samples += 1;
      return shown({ value });
    },
  });
  expect(samples).toBe(2);
  expect((await before.again()).samples).toHaveLength(1);
  value = 2;
  expect((await before.again()).samples).toHaveLength(2);
  expect(samples).toBe(5);
});
