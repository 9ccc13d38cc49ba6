// A line of console output before it has a width or a colour.
import { styleText } from 'node:util';
import { cut, wrap } from './columns.ts';
import { terminalText } from './terminal-text.ts';

const styles = { bad: ['red', 'bold'], good: ['green', 'bold'], doubt: 'yellow', weak: 'dim' } as const;
export type Style = keyof typeof styles;

export interface Span {
  readonly text: string;
  readonly style?: Style;
}

export interface Line {
  readonly spans: readonly Span[];
  /** To be copied: never cut. */
  readonly copied?: boolean;
}

export const blank: Line = { spans: [] };

/** Labels of a block stand in one column. */
const labelled = 12;

export function line(text: string, style?: Style): Line {
  return { spans: [style ? { text, style } : { text }] };
}

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

/** The line as it is printed: made safe for a terminal, then cut, then coloured. */
export function paint(
  { spans, copied }: Line,
  { colour, width }: { readonly colour: boolean; readonly width: number },
): string {
  const safe = spans.map(({ text, style }) => ({ text: terminalText(text), style }));
  const all = safe.map(({ text }) => text).join('');
  const shown = copied ? all : cut(all.trimEnd(), width);
  if (!colour) return shown;
  let start = 0;
  return safe
    .map(({ text, style }) => {
      const part = shown.slice(start, start + text.length);
      start += text.length;
      return style && part ? styleText([styles[style]].flat(), part, { validateStream: false }) : part;
    })
    .join('');
}
