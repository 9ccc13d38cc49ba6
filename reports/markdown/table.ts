// Tables and lists of report.md, as long as a reader still reads them, and never longer than their share of the file.
import { counted } from '../headline.ts';
import { bytesOf } from './bounded.ts';

/** Of each table and list; escapes can make a cell many times as long as what it shows. */
const mostBytes = 5 * 1024;

/**
 * A GFM table of cells that are escaped already.
 * @param most rows; what is left out is counted beneath
 */
export function table(heads: readonly string[], rows: readonly (readonly string[])[], most: number): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const { shown, left } = fitting(rows.slice(0, most).map(line), rows.length);
  const more = left > 0 ? ['', `… and ${counted(left, 'more row')} in result.json`] : [];
  return [line(heads), line(heads.map(() => '---')), ...shown, ...more].join('\n');
}

/** A list of texts that are escaped already; what is left out is counted in a last item. */
export function list(items: readonly string[], most: number): string {
  const { shown, left } = fitting(
    items.slice(0, most).map((item) => `- ${item}`),
    items.length,
  );
  return [...shown, ...(left > 0 ? [`- … and ${left} more in result.json`] : [])].join('\n');
}

function fitting(lines: readonly string[], all: number) {
  let room = mostBytes;
  const shown = lines.filter((line) => {
    room -= bytesOf(line) + 1;
    return room >= 0;
  });
  return { shown, left: all - shown.length };
}
