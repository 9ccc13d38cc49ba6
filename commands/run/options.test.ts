import { describe, expect, test } from 'vitest';
import { ConfigurationError } from '../../engine/values/configuration-error.ts';
import { checkedOptions, type RawOptions } from './options.ts';

const typed: RawOptions = { out: 'reports/out', minJudged: '80', budget: '300', timeout: '10' };

function mistakesIn(raw: Partial<RawOptions>): readonly string[] {
  try {
    checkedOptions({ ...typed, ...raw });
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message.split('\n');
    throw error;
  }
}

test('times are typed in seconds and kept in milliseconds; what is not typed is left open', () => {
  expect(checkedOptions({ ...typed, timeout: '0.5' })).toEqual({
    minJudged: 80,
    bail: undefined,
    budgetMs: 300_000,
    timeoutMs: 500,
    concurrency: undefined,
    rate: undefined,
  });
});

test.each([
  ['60s', 60_000],
  ['2m', 120_000],
  ['1.5', 1_500],
])('--wait-for %s is %d ms', (waitFor, ms) => {
  expect(checkedOptions({ ...typed, waitFor }).waitForMs).toBe(ms);
});

test('all of them are taken', () => {
  expect(
    checkedOptions({ ...typed, bail: '3', concurrency: '8', rate: '2.5', minJudged: '0' }),
  ).toMatchObject({
    bail: 3,
    concurrency: 8,
    rate: 2.5,
    minJudged: 0,
  });
});

describe('a mistake is one line that names the option, what it held and what was expected', () => {
  test.each<readonly [Partial<RawOptions>, string]>([
    [{ minJudged: '101' }, '--min-judged: "101"; expected a number from 0 to 100'],
    [{ minJudged: '-1' }, '--min-judged: "-1"; expected a number from 0 to 100'],
    [{ minJudged: '' }, '--min-judged: ""; expected a number from 0 to 100'],
    [{ bail: '0' }, '--bail: "0"; expected a whole number from 1 to 100000'],
    [{ bail: '1.5' }, '--bail: "1.5"; expected a whole number from 1 to 100000'],
    [{ budget: '' }, '--budget: ""; expected a number from 1 to 86400'],
    [{ budget: 'Infinity' }, '--budget: "Infinity"; expected a number from 1 to 86400'],
    [{ timeout: '10s' }, '--timeout: "10s"; expected a number from 0.1 to 600'],
    [{ concurrency: 'NaN' }, '--concurrency: "NaN"; expected a whole number from 1 to 1000'],
    [{ waitFor: '1h' }, '--wait-for: "1h"; expected a time up to an hour, such as 60s or 2m'],
    [{ waitFor: '0' }, '--wait-for: "0"; expected a time up to an hour, such as 60s or 2m'],
    [{ waitFor: '61m' }, '--wait-for: "61m"; expected a time up to an hour, such as 60s or 2m'],
    [{ rate: ' ' }, '--rate: " "; expected a number from 0.1 to 100000'],
  ])('%j', (raw, line) => {
    expect(mistakesIn(raw)).toEqual([line]);
  });

  test('and all are told at once', () => {
    expect(mistakesIn({ bail: 'x', rate: 'y', budget: 'z' })).toHaveLength(3);
  });

  test('a long one is cut', () => {
    expect(mistakesIn({ rate: 'x'.repeat(500) })[0]?.length).toBeLessThan(150);
  });
});
