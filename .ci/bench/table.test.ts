import { expect, test } from 'vitest';
import { withRows } from './table.ts';

const page = 'a\n\n| server | found |\n|---|---|\n| mmc: 2 of 6 ms | 1 |\n| other | 2 |\n\nb\n';

test('a table holds the rows of one run, and none of an earlier one', () => {
  const rows = [
    ['mmc: 3 of 7 ms', '1'],
    ['new', '5'],
  ];
  expect(withRows(page, ['server', 'found'], rows)).toBe(
    'a\n\n| server | found |\n|---|---|\n| mmc: 3 of 7 ms | 1 |\n| new | 5 |\n\nb\n',
  );
});

test('a page without the table is refused', () => {
  expect(() => withRows(page, ['server', 'error'], [])).toThrow('no table "| server | error |"');
});
