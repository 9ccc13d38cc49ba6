import { expect, test } from 'vitest';
import { bounded } from './bounded.ts';
import { list, table } from './table.ts';

const rows = (count: number, cell = 'x') => Array.from({ length: count }, () => [cell, 'y']);

test('a table tells how many rows it leaves out', () => {
  expect(table(['a', 'b'], rows(3), 2)).toBe(
    '| a | b |\n| --- | --- |\n| x | y |\n| x | y |\n\n… and 1 more row in result.json',
  );
  expect(table(['a', 'b'], rows(2), 2)).not.toContain('more');
});

test('rows that are too long for the share of a table are left out too', () => {
  const text = table(['a', 'b'], rows(20, '語'.repeat(700)), 20);
  expect(Buffer.byteLength(text)).toBeLessThan(5.2 * 1024);
  expect(text).toContain('… and 18 more rows in result.json');
});

test('a list tells how many items it leaves out', () => {
  expect(list(['a', 'b', 'c'], 2)).toBe('- a\n- b\n- … and 1 more in result.json');
  expect(list(['a'], 2)).toBe('- a');
});

test('blocks are taken while they fit, in their order, and what says how many are left fits too', () => {
  const left = (count: number) => `${count} more`;
  expect(bounded(['aa', 'bb', 'cc'], 12, left)).toEqual(['aa', '2 more']);
  expect(bounded(['aa', 'bb', 'cc'], 11, left)).toEqual(['3 more']);
  expect(bounded(['aa', 'bb', 'cc'], 16, left)).toEqual(['aa', 'bb', 'cc']);
  expect(bounded([], 0, left)).toEqual([]);
});
