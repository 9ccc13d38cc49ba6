import { expect, test } from 'vitest';
import { createPace, createQueue } from './rate-limits.ts';

function clock(options: { rate?: number; waitBudgetMs?: number } = {}) {
  const time = { now: Date.parse('2026-11-20T12:00:00Z') };
  return { time, pace: createPace({ waitBudgetMs: 30_000, ...options, now: () => time.now }) };
}

const limited = (status: number, retryAfter?: string, tries = 0) => ({
  status,
  retryAfter,
  date: undefined,
  tries,
});

test('without a rate nothing waits', () => {
  const { pace } = clock();

  expect([pace.turn(), pace.turn(), pace.turn()]).toEqual([0, 0, 0]);
});

test('a rate spaces requests evenly, without a burst at the start', () => {
  const { pace, time } = clock({ rate: 10 });

  expect(pace.turn()).toBe(0);
  expect(pace.turn()).toBe(100);
  time.now += 100;
  expect(pace.turn()).toBe(0);
  expect(pace.turn()).toBe(100);
});

test('a pause does not save up a burst', () => {
  const { pace, time } = clock({ rate: 10 });
  pace.turn();
  time.now += 60_000;

  const turns = Array.from({ length: 5 }, () => pace.turn());

  expect(turns.filter((wait) => wait === 0)).toHaveLength(2);
});

test('a hold stops everything for its time', () => {
  const { pace, time } = clock();
  pace.hold(500);

  expect(pace.turn()).toBe(500);
  time.now += 500;
  expect(pace.turn()).toBe(0);
});

test('429 without Retry-After backs off 250, 500 and 1,000 ms, then is an answer', () => {
  const { pace } = clock();

  expect([0, 1, 2, 3].map((tries) => pace.chargeWait(limited(429, undefined, tries)))).toEqual([
    250,
    500,
    1000,
    undefined,
  ]);
});

test('Retry-After is taken as seconds', () => {
  const { pace } = clock();

  expect(pace.chargeWait(limited(429, '2'))).toBe(2000);
  expect(pace.chargeWait(limited(503, ' 3 '))).toBe(3000);
});

test('Retry-After is taken as a date, by the clock of the target where it tells one', () => {
  const { pace } = clock();
  const retryAfter = 'Fri, 20 Nov 2026 12:00:04 GMT';

  expect(pace.chargeWait({ ...limited(429, retryAfter), date: 'Fri, 20 Nov 2026 12:00:03 GMT' })).toBe(1000);
  expect(pace.chargeWait(limited(429, retryAfter))).toBe(4000);
  expect(pace.chargeWait(limited(429, 'Fri, 20 Nov 2020 12:00:04 GMT'))).toBe(0);
});

test('a Retry-After that is sent again and again and never suffices is stretched', () => {
  const pace = createPace({ waitBudgetMs: 60_000, now: () => 0 });
  expect([0, 1, 2, 3].map((tries) => pace.chargeWait(limited(429, '0', tries)))).toEqual([
    0,
    250,
    500,
    undefined,
  ]);
  expect([0, 1, 2].map((tries) => pace.chargeWait(limited(503, '1', tries)))).toEqual([1_000, 1_000, 1_000]);
});

test('503 is waited for only when it says until when', () => {
  const { pace } = clock();

  expect(pace.chargeWait(limited(503))).toBeUndefined();
  expect(pace.chargeWait(limited(503, 'soon'))).toBeUndefined();
  expect(pace.chargeWait(limited(200, '1'))).toBeUndefined();
});

test('a year is not waited for, whatever way it is written', () => {
  const { pace } = clock();

  for (const year of ['31536000', 'Sat, 20 Nov 2027 12:00:00 GMT', '11', '9'.repeat(400)]) {
    expect(pace.chargeWait(limited(429, year))).toBeUndefined();
  }
});

test('nonsense in Retry-After counts as none', () => {
  const { pace } = clock();

  for (const nonsense of ['-1', 'soon', '', '1e3', '0x10', 'Fri, 99 Foo 2026 12:00:04 GMT']) {
    expect(pace.chargeWait(limited(429, nonsense))).toBe(250);
  }
});

test('waits of the whole run are limited, and those that overlap are charged once', () => {
  const { pace, time } = clock({ waitBudgetMs: 5000 });

  expect(Array.from({ length: 10 }, () => pace.chargeWait(limited(429, '3')))).toEqual(Array(10).fill(3000));
  time.now += 3000;
  expect(pace.chargeWait(limited(429, '3'))).toBeUndefined();
  expect(pace.chargeWait(limited(429, '2'))).toBe(2000);
  time.now += 2000;
  expect(pace.chargeWait(limited(429, '1'))).toBeUndefined();
});

function recorded(limit: number, turn: () => number = () => 0) {
  const started: string[] = [];
  const sleeps: number[] = [];
  let wake = () => {};
  const queue = createQueue<string>({
    limit,
    turn,
    start: (item) => started.push(item),
    sleep: (ms) => {
      sleeps.push(ms);
      return new Promise((resolve) => {
        wake = resolve;
      });
    },
  });
  return { queue, started, sleeps, wake: () => wake() };
}

test('items start at once up to the limit, and one for each release', () => {
  const { queue, started } = recorded(2);

  for (const item of ['a', 'b', 'c', 'd']) queue.push(item, 1);
  expect(started).toEqual(['a', 'b']);
  queue.release();
  expect(started).toEqual(['a', 'b', 'c']);
});

test('lower numbers first, the front before its own level', () => {
  const { queue, started } = recorded(1);

  queue.push('running', 3);
  queue.push('last', 3);
  queue.push('middle', 1);
  queue.push('again', 1, true);
  queue.push('first', 0);
  for (let i = 0; i < 4; i++) queue.release();

  expect(started).toEqual(['running', 'first', 'again', 'middle', 'last']);
});

test('order holds over thousands', () => {
  const { queue, started } = recorded(1);
  const items = Array.from({ length: 5000 }, (_, index) => `${index}`);

  for (const item of items) queue.push(item, 2);
  for (const _ of items) queue.release();

  expect(started).toEqual(items);
});

test('when it is nobody’s turn one sleep is begun, for all', async () => {
  let wait = 40;
  const { queue, started, sleeps, wake } = recorded(5, () => wait);

  queue.push('a', 1);
  queue.push('b', 1);
  expect(started).toEqual([]);
  expect(sleeps).toEqual([40]);
  wait = 0;
  wake();
  await Promise.resolve();

  await expect.poll(() => started).toEqual(['a', 'b']);
});

test('narrowed, fewer are in flight, and releases widen it again', () => {
  const { queue, started } = recorded(8);
  const inFlight = () => started.length - released;
  let released = 0;
  const release = () => {
    released += 1;
    queue.release();
  };
  for (let i = 0; i < 100; i++) queue.push(`${i}`, 1);

  queue.narrow();
  for (let i = 0; i < 4; i++) release();
  expect(inFlight()).toBe(4);
  for (let i = 0; i < 40; i++) release();
  expect(inFlight()).toBe(8);
});

test('clearing gives back what has not started', () => {
  const { queue, started } = recorded(1);
  for (const item of ['a', 'b', 'c']) queue.push(item, 1);

  expect(queue.clear()).toEqual(['b', 'c']);
  queue.release();
  expect(started).toEqual(['a']);
});

test('what goes past the queue waits for its places, and nothing starts in them', async () => {
  const { queue, started } = recorded(3);
  const ends = new Map<string, () => void>();
  const beside = (name: string, places: number) =>
    queue.beside(places, () => {
      started.push(name);
      return new Promise<void>((resolve) => ends.set(name, resolve));
    });
  const tick = () => new Promise(setImmediate);

  for (const item of ['a', 'b']) queue.push(item, 1);
  const two = beside('two beside', 2);
  const one = beside('one beside', 1);
  queue.push('c', 1);
  await tick();
  expect(started).toEqual(['a', 'b']);
  queue.release();
  await tick();
  expect(started).toEqual(['a', 'b', 'two beside']);
  queue.release();
  await tick();
  expect(started).toEqual(['a', 'b', 'two beside', 'one beside']);
  ends.get('two beside')?.();
  await two;
  expect(started.at(-1)).toBe('c');
  ends.get('one beside')?.();
  await one;
});

test('places that are bounded later hold for both, and the limit is never widened', async () => {
  const { queue, started } = recorded(4);
  queue.atMost(2);
  for (const item of ['a', 'b', 'c']) queue.push(item, 1);
  expect(started).toEqual(['a', 'b']);
  // More than there are places for takes all of them.
  const all = queue.beside(9, async () => void started.push('beside'));
  queue.release();
  queue.release();
  await all;
  expect(started).toEqual(['a', 'b', 'beside', 'c']);
  queue.atMost(9);
  for (const item of ['d', 'e', 'f', 'g']) queue.push(item, 1);
  expect(started.length).toBe(7);
});
