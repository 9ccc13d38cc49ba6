// What a target says must show in Markdown as it was said: no markup, no HTML, no link, no mention of anybody.
import { terminalText } from '../console/terminal-text.ts';

/** What CommonMark or GFM reads as markup in the middle of a line, links without brackets included. */
const markup = /[\\`*_[\]<>#|~&$]|(?<=:)\/\/|(?<=www)\./gi;

/** Text between words of ours, at most `most` characters of it; on one line, also in a table. */
export function markdownText(text: string, most = 300): string {
  // A comment parts the name from the sign that would notify its owner.
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
export function htmlText(text: string, most = 300): string {
  return oneLine(text, most)
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
    .replaceAll('@', '@<!-- -->');
}

/** A fenced block of code to be copied: one line, never cut. */
export function codeBlock(line: string, language: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(line) + 1));
  return `${fence}${language}\n${terminalText(line)}\n${fence}`;
}

/** Steering characters are made visible, white space is one space, what is too long is cut. */
function oneLine(text: string, most: number): string {
  const shown = terminalText(text.slice(0, 2 * most).toWellFormed())
    .replace(/\s+/g, ' ')
    .trim();
  return shown.length <= most ? shown : `${shown.slice(0, most - 1).toWellFormed()}…`;
}

function longestRun(text: string): number {
  return Math.max(0, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
}
