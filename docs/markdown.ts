// Reads the pages as their tests need them: fenced blocks, inline code and table rows.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../engine/files.ts';

interface Fence {
  /** `sh`, `json` …; empty for the output of a command. */
  readonly language: string;
  /** Without the indentation of the fence itself. */
  readonly lines: readonly string[];
}

/** README and the pages in docs, as paths from the root. */
export const pages: readonly string[] = [
  'README.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

export const pageText = (page: string): string => readFileSync(join(root, page), 'utf8');

/** The fenced blocks of a page, in order; those inside lists too. */
export function fencesIn(page: string): Fence[] {
  const fences = pageText(page).matchAll(/^( *)```(\w*)\n(.*?)\n\1```$/gms);
  return Array.from(fences, ([, indent = '', language = '', text = '']) => ({
    language,
    lines: text.split('\n').map((line) => line.slice(indent.length)),
  }));
}

/** The code between single backticks, outside of fenced blocks. */
export const inlineCodeIn = (page: string): string[] =>
  Array.from(
    pageText(page)
      .replace(/^( *)```.*?^\1```$/gms, '')
      .matchAll(/`([^`\n]+)`/g),
    ([, code = '']) => code,
  );

/** The cells of every table row below a heading and before the next one, without the head of the table. */
export function rowsBelow(page: string, heading: string): string[][] {
  const section = `\n${pageText(page)}`.split(`\n${heading}\n`)[1]?.split(/^#/m)[0] ?? '';
  return section
    .split(/\n\n+/)
    .map((block) => block.trim())
    .filter((block) => block.startsWith('|'))
    .flatMap((table) => table.split('\n').slice(2))
    .map((row) => row.slice(2, -2).split(' | '));
}

/** The inline code of a cell. */
export const codeOf = (cell = ''): string[] =>
  Array.from(cell.matchAll(/`([^`]+)`/g), ([, code = '']) => code);
