import { expect, test } from 'vitest';
import { createPace } from './rate-limits.ts';

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
