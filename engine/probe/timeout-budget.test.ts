import { expect, test } from 'vitest';
import { createTimeoutBudgets, type TimeoutBudget } from './timeout-budget.ts';

const wasted = (timeoutBudget: TimeoutBudget, times: number, ms = 10_000) => {
  for (let nth = 0; nth < times; nth++) timeoutBudget.timedOut(timeoutBudget.begin(), ms);
  return timeoutBudget;
};
const options = { timeoutMs: 10_000, concurrency: 32, now: () => 0 };
const fresh = () => createTimeoutBudgets(options)();

/** What the next call may take. */
const next = (timeoutBudget: TimeoutBudget) => {
  const wait = timeoutBudget.begin();
  timeoutBudget.ended(wait);
  return wait.deadlineMs;
};

test('a call has its whole deadline until eight were wasted', () => {
  expect(next(wasted(fresh(), 7))).toBe(10_000);
});

test('gives calls a deadline of one second once the shared time is spent', () => {
  expect(next(wasted(fresh(), 8))).toBe(1_000);
});

test('where few calls are sent at a time, six of eight connections are enough', () => {
  const timeoutBudget = createTimeoutBudgets({ ...options, concurrency: 8 })();
  expect(next(wasted(timeoutBudget, 5))).toBe(10_000);
  expect(next(wasted(timeoutBudget, 1))).toBe(1_000);
});

test('from then on it has twenty times as long as answers took on average, and never more than the user said', () => {
  const timeoutBudget = wasted(fresh(), 32);
  timeoutBudget.answered(timeoutBudget.begin(), 100);
  timeoutBudget.answered(timeoutBudget.begin(), 500);
  expect(next(timeoutBudget)).toBe(6_000);
  timeoutBudget.answered(timeoutBudget.begin(), 9_000);
  expect(next(timeoutBudget)).toBe(10_000);
});

test('the first timeout of calls that are due together shortens the next deadlines', () => {
  let at = 0;
  const timeoutBudget = createTimeoutBudgets({ ...options, now: () => at })();
  const [first] = Array.from({ length: 9 }, () => timeoutBudget.begin());
  at = 10_000;
  // As long as none has run out of time they may all be answered yet.
  expect(next(timeoutBudget)).toBe(10_000);
  if (first) timeoutBudget.timedOut(first, 10_000);
  expect(next(timeoutBudget)).toBe(1_000);
});

test('a call that was answered, or given up, no longer counts as waiting', () => {
  let at = 0;
  const timeoutBudget = createTimeoutBudgets({ ...options, now: () => at })();
  const [first, second, ...others] = Array.from({ length: 9 }, () => timeoutBudget.begin());
  at = 10_000;
  if (first) timeoutBudget.answered(first, 1);
  for (const each of others) timeoutBudget.ended(each);
  if (second) timeoutBudget.timedOut(second, 10_000);
  expect(next(timeoutBudget)).toBe(10_000);
});

test('the budget is spent after two timeouts on every connection', () => {
  expect(wasted(fresh(), 63).spent()).toBeUndefined();
  expect(wasted(fresh(), 64).spent()).toBe('64 calls were not answered in time');
});

test('the budget is spent after ten calls per connection, however short', () => {
  expect(wasted(fresh(), 319, 1_000).spent()).toBeUndefined();
  expect(wasted(fresh(), 320, 1_000).spent()).toBeDefined();
});

test('timeouts on one host shorten the deadlines on the others, and do not spend their budgets', () => {
  const timeoutBudgetWith = createTimeoutBudgets(options);
  wasted(timeoutBudgetWith(), 64);
  const other = timeoutBudgetWith();
  expect([next(other), other.spent()]).toEqual([1_000, undefined]);
});
