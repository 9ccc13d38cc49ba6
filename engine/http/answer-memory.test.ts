import { expect, test } from 'vitest';
import { createHoldings } from './answer-memory.ts';

const KiB = 1024;
const filled = (bytes: number, value: number) => new Uint8Array(bytes).fill(value);

test('what is small is always kept', () => {
  const holdings = createHoldings(0);
  expect(holdings.keep(filled(16 * KiB, 1), [])).toEqual(filled(16 * KiB, 1));
});

test('a large body is kept while there is room, and reported where there is none', () => {
  const holdings = createHoldings(50 * KiB);
  expect(holdings.keep(filled(40 * KiB, 1), [])).toHaveLength(40 * KiB);
  expect(holdings.keep(filled(40 * KiB, 2), [])).toBeUndefined();
});

test('equal large bodies are one, and take room once', () => {
  const holdings = createHoldings(50 * KiB);
  const first = holdings.keep(filled(40 * KiB, 1), []);
  expect([filled(40 * KiB, 1), filled(40 * KiB, 2)].map(holdings.knows)).toEqual([true, false]);
  expect(holdings.keep(filled(40 * KiB, 1), [])).toBe(first);
});

test('equal small bodies are one, also where they are parts of larger reads', () => {
  const holdings = createHoldings(0);
  const first = holdings.keep(filled(10, 255), []);
  expect(holdings.keep(filled(64 * KiB, 255).subarray(7, 17), [])).toBe(first);
  expect(holdings.keep(filled(10, 254), [])).not.toBe(first);
  expect(holdings.keep(filled(9, 255), [])).not.toBe(first);
});

test('headers take room as well', () => {
  const headers = Array.from({ length: 1_000 }, (_, nth) => [`x-${nth}`, 'v'.repeat(50)] as const);
  const holdings = createHoldings(200 * KiB);
  expect(holdings.keep(filled(1, 1), headers)).toBeDefined();
  expect(holdings.keep(filled(1, 1), headers)).toBeUndefined();
});

test('a few bytes of a large buffer do not keep it alive', () => {
  const read = new Uint8Array(64 * KiB);
  expect(createHoldings(0).keep(read.subarray(0, 10), [])?.buffer.byteLength).toBe(10);
});
