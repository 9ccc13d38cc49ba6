// Writes the parts of report.md: escaped text, code, tables and lists, each within a size limit.
import { counted } from '../../engine/values/text.ts';
import { terminalText } from '../console/layout.ts';

export const bytesOf = (text: string) => Buffer.byteLength(text);

/**
 * As many blocks as fit, in their order, each after an empty line. A host drops a job summary that is too long.
 * @param most bytes of UTF-8
 * @param left what to say of those that were left out, given how many
 */
export function bounded(blocks: readonly string[], most: number, left: (count: number) => string): string[] {
  const taken: string[] = [];
  let room = most;
  for (const [index, block] of blocks.entries()) {
    const rest = blocks.length - index;
    const ending = rest > 1 ? bytesOf(left(rest)) + 2 : 0;
    if (bytesOf(block) + 2 + ending > room) return [...taken, left(rest)];
    taken.push(block);
    room -= bytesOf(block) + 2;
  }
  return taken;
}

// Escaping: text of a target must show as it is, without markup, HTML, links or mentions.

/** What CommonMark or GFM reads as markup in the middle of a line, links without brackets included. */
const markup = /[\\`*_[\]<>#|~&$]|(?<=:)\/\/|(?<=www)\./gi;

/** Text between words of ours, at most `most` characters of it; on one line, also in a table. */
export function markdownText(text: string, most = 300): string {
  // An HTML comment after the @ keeps the host from notifying the user of that name.
  return oneLine(text, most).replace(markup, '\\$&').replaceAll('@', '@<!-- -->');
}

/** A code span: nothing in it is markup. In a table the bar still ends the cell, so it is escaped there. */
export function codeSpan(text: string, { most = 300, inTable = false } = {}): string {
  const shown = oneLine(text, most);
  if (shown === '') return '';
  const fence = '`'.repeat(longestRun(shown) + 1);
  // Spaces keep the text's own backticks apart from the fence; a renderer takes one off each end.
  const inner = /^[` ]|[` ]$/.test(shown) ? ` ${shown} ` : shown;
  return `${fence}${inTable ? inner.replaceAll('|', '\\|') : inner}${fence}`;
}

/** Text in an HTML element of ours, on one line. */
export function htmlText(text: string): string {
  return oneLine(text, 300)
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
    .replaceAll('@', '@<!-- -->');
}

/** A fenced block of code to be copied: one line, never cut. */
export function codeBlock(text: string | readonly string[], language: string): string {
  const lines = [text].flat();
  const fence = '`'.repeat(Math.max(3, longestRun(lines.join('\n')) + 1));
  return `${fence}${language}\n${lines.map(terminalText).join('\n')}\n${fence}`;
}

/** Makes steering characters visible and white space one space, and cuts text that is too long. */
function oneLine(text: string, most: number): string {
  const shown = terminalText(text.slice(0, 2 * most).toWellFormed())
    .replace(/\s+/g, ' ')
    .trim();
  return shown.length <= most ? shown : `${shown.slice(0, most - 1).toWellFormed()}…`;
}

function longestRun(text: string): number {
  return Math.max(0, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
}

// Tables and lists, within their share of the file.

/** Most bytes of a table or list: escapes can make a cell many times as long as what it shows. */
const mostListBytes = 5 * 1024;

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
  let room = mostListBytes;
  const shown = lines.filter((line) => {
    room -= bytesOf(line) + 1;
    return room >= 0;
  });
  return { shown, left: all - shown.length };
}
