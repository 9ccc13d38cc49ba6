// Prints measurements as rows of a table of `docs/load.md`, and writes them into it.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../engine/files.ts';

type Row = readonly string[];

const page = join(root, 'docs/load.md');
const lineOf = (cells: Row) => `| ${cells.join(' | ')} |`;

/**
 * @param heads of the table
 * @returns the text with these rows as the only ones of its table, since a table is of one run
 */
export function withRows(text: string, heads: Row, rows: readonly Row[]): string {
  const lines = text.split('\n');
  const head = lines.indexOf(lineOf(heads));
  if (head < 0) throw new Error(`docs/load.md has no table "${lineOf(heads)}"`);
  const first = head + 2;
  const length = lines.slice(first).findIndex((line) => !line.startsWith('|'));
  return lines.toSpliced(first, length, ...rows.map(lineOf)).join('\n');
}

/**
 * Prints rows as they come.
 * @param isKept whether each row goes into the page at once, so that an interrupted measurement keeps its rows
 */
export function openTable(heads: Row, isKept: boolean): (row: Row) => void {
  console.log(`${lineOf(heads)}\n|${heads.map(() => '---|').join('')}`);
  const rows: Row[] = [];
  return (row) => {
    console.log(lineOf(row));
    rows.push(row);
    if (isKept) writeFileSync(page, withRows(readFileSync(page, 'utf8'), heads, rows));
  };
}
