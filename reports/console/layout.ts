// Lays out console text: fits it into columns, makes a target's text safe for a terminal, and paints lines.
import { styleText } from 'node:util';
import { steering } from '../../engine/values/text.ts';

/** What a stream supports; a file, a pipe and a terminal with TERM=dumb take only plain lines. */
export interface Terminal {
  /** A line can be drawn over. */
  readonly redraws: boolean;
  /** False under NO_COLOR, which turns colour off, but not redrawing (no-color.org). */
  readonly colour: boolean;
}

/** @param stream takes control codes only where it is a terminal */
export function terminalOf(
  { isTTY }: { readonly isTTY?: boolean | undefined },
  { TERM, NO_COLOR }: Readonly<Record<string, string | undefined>>,
): Terminal {
  const redraws = isTTY === true && TERM !== 'dumb';
  return { redraws, colour: redraws && !NO_COLOR };
}

/** A narrower terminal does not know its width: one that was opened without a size says 0. */
const leastColumns = 20;

/**
 * Columns of a stream. A pipe has none: it gets as many as the longest line of Assay's own text needs, so that only
 * text from a target is cut.
 * @param unknown how many there are where the stream does not know
 */
export const columnsOf = (
  { columns = 0 }: { readonly columns?: number | undefined },
  unknown = 1_000,
): number => (columns < leastColumns ? unknown : columns);

/** East Asian wide characters and emoji take two columns; marks count as one, so that a heap of them is cut too. */
const wide =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]|\p{Emoji_Presentation}|[\u{20000}-\u{3FFFD}]/u;

/** Columns a text takes on a terminal. */
export function columns(text: string): number {
  let sum = 0;
  for (const character of text) sum += wide.test(character) ? 2 : 1;
  return sum;
}

/** The text, or as much of it as fits into `width` columns with an ellipsis as the last. */
export function cutToWidth(text: string, width: number): string {
  const fits = head(text, width);
  return fits.length === text.length ? text : `${head(text, width - 1).trimEnd()}…`;
}

/** The text on at most `lines` lines of `width` columns, broken at spaces where there are any; the rest is cut. */
export function wrap(text: string, width: number, lines: number): string[] {
  const fits = head(text, width);
  if (lines <= 1 || fits.length === text.length) return [cutToWidth(text, width)];
  const space = text.lastIndexOf(' ', fits.length);
  const end = space > fits.length / 2 ? space : fits.length;
  return [text.slice(0, end), ...wrap(text.slice(end).trimStart(), width, lines - 1)];
}

function head(text: string, width: number): string {
  let taken = 0;
  let end = 0;
  for (const character of text) {
    taken += wide.test(character) ? 2 : 1;
    if (taken > width) break;
    end += character.length;
  }
  return text.slice(0, end);
}

// Safety: text of a target must not steer the terminal.

/** Characters that steer text, and control characters: ESC, line ends, C1. */
const unsafe = new RegExp(`[\\p{Cc}${steering}]`, 'gu');

const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\x1b': '\\e' };

/** One line of text that a terminal only prints: every steering character is shown as `\n`, `\e` or `\u{202e}`. */
export function terminalText(text: string): string {
  return text.replace(
    unsafe,
    (character) => short[character] ?? `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}

// Lines of console output before they have a width or a colour.
const styles = { bad: ['red', 'bold'], good: ['green', 'bold'], doubt: 'yellow', weak: 'dim' } as const;
export type Style = keyof typeof styles;

interface Span {
  readonly text: string;
  readonly style?: Style;
}

export interface Line {
  readonly spans: readonly Span[];
  /** The line is for copying, so it is never cut. */
  readonly copied?: boolean;
}

export const blank: Line = { spans: [] };

/** Width of the column in which the labels of a block stand. */
const labelled = 12;

export function line(text: string, style?: Style): Line {
  return { spans: [style ? { text, style } : { text }] };
}

/** A target's text on at most `lines` lines, each made safe for a terminal. */
export const paragraph = (text: string, width: number, lines: number, style?: Style): Line[] =>
  wrap(terminalText(text), width, lines).map((part) => line(part, style));

/** `  expected  text`, on at most `lines` lines. */
export function field(label: string, text: string, width: number, lines = 1): Line[] {
  const indent = { text: `  ${label}`.padEnd(labelled), style: 'weak' } as const;
  return wrap(terminalText(text), width - labelled, lines).map((part, index) => ({
    spans: [index === 0 ? indent : { text: ' '.repeat(labelled) }, { text: part }],
  }));
}

/** `  curl      text`, never cut. */
export function copiedField(label: string, text: string): Line {
  return { spans: [{ text: `  ${label}`.padEnd(labelled), style: 'weak' }, { text }], copied: true };
}

/**
 * Assay's own text on as many lines as it takes, broken at spaces, with an indent from the second one on. Nothing is
 * cut: a word longer than a line, such as an id, stays whole.
 */
export function folded(spans: readonly Span[], width: number, indent: number): Line[] {
  const lines: Span[][] = [[]];
  let taken = 0;
  for (const { text, ...styled } of spans)
    for (const [word] of terminalText(text).matchAll(/ *[^ ]+| +$/g)) {
      const goesOn = taken <= indent || taken + columns(word) <= width || word.trim() === '';
      if (!goesOn) lines.push([{ text: ' '.repeat(indent) }]);
      const shown = goesOn ? word : word.trimStart();
      taken = (goesOn ? taken : indent) + columns(shown);
      lines.at(-1)?.push({ text: shown, ...styled });
    }
  return lines.map((parts) => ({ spans: parts, copied: columns(textOf(parts).trimEnd()) > width }));
}

export interface Most {
  readonly entries: number;
  readonly lines: number;
}

/** The first entries of a list that fit. */
export function fitting(entries: readonly Line[][], most: Most): Line[][] {
  let lines = 0;
  const first = entries.slice(0, Math.max(0, most.entries)).findIndex((entry) => {
    lines += entry.length;
    return lines > most.lines;
  });
  return entries.slice(0, first < 0 ? Math.max(0, most.entries) : first);
}

const textOf = (spans: readonly Span[]): string => spans.map(({ text }) => text).join('');

/** How lines are printed. */
export interface ConsoleView {
  readonly colour: boolean;
  /** Columns. */
  readonly width: number;
}

/** The line as it is printed: made safe for a terminal, then cut, then coloured. */
export function paint({ spans, copied }: Line, { colour, width }: ConsoleView): string {
  const safe = spans.map(({ text, ...styled }) => ({ text: terminalText(text), ...styled }));
  const all = textOf(safe);
  const shown = copied ? all : cutToWidth(all.trimEnd(), width);
  if (!colour) return shown;
  let start = 0;
  return safe
    .map(({ text, style }: Span) => {
      const part = shown.slice(start, start + text.length);
      start += text.length;
      return style && part ? styleText([styles[style]].flat(), part, { validateStream: false }) : part;
    })
    .join('');
}
