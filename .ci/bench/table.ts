// Prints what was measured as rows of a table of `docs/load.md`, and puts them there.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../engine/files.ts';

type Row = readonly string[];

const page = join(root, 'docs/load.md');
const lineOf = (cells: Row) => `| ${cells.join(' | ')} |`;

/** By its first two cells; what follows a colon describes. */
const keyOf = (line: string) =>
  line
    .split('|')
    .slice(1, 3)
    .map((cell) => cell.replace(/:.*/, '').trim())
    .join('|');

/**
 * @param heads of the table
 * @returns the text with these rows in its table: in the place of those of the same name, or behind all others
 */
export function withRows(text: string, heads: Row, rows: readonly Row[]): string {
  const lines = text.split('\n');
  const head = lines.indexOf(lineOf(heads));
  if (head < 0) throw new Error(`docs/load.md has no table "${lineOf(heads)}"`);
  const first = head + 2;
  const length = lines.slice(first).findIndex((line) => !line.startsWith('|'));
  const table = new Map(lines.slice(first, first + length).map((line) => [keyOf(line), line]));
  for (const line of rows.map(lineOf)) table.set(keyOf(line), line);
  return lines.toSpliced(first, length, ...table.values()).join('\n');
}

/**
 * Prints rows as they come.
 * @param isKept puts each into the page at once: a measurement that is cut off keeps what it has
 */
export function openTable(heads: Row, isKept: boolean): (row: Row) => void {
  console.log(`${lineOf(heads)}\n|${heads.map(() => '---|').join('')}`);
  return (row) => {
    console.log(lineOf(row));
    if (isKept) writeFileSync(page, withRows(readFileSync(page, 'utf8'), heads, [row]));
  };
}
