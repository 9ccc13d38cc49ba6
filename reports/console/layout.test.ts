import { expect, test } from 'vitest';
import { reasons } from '../../engine/run/reason-codes.ts';
import {
  blank,
  columns,
  columnsOf,
  cutToWidth,
  fitting,
  folded,
  paint,
  terminalOf,
  terminalText,
  wrap,
} from './layout.ts';

test.each([
  ['a terminal', true, {}, { redraws: true, colour: true }],
  ['a terminal with NO_COLOR', true, { NO_COLOR: '1' }, { redraws: true, colour: false }],
  ['a terminal with an empty NO_COLOR', true, { NO_COLOR: '' }, { redraws: true, colour: true }],
  ['a terminal of TERM=dumb', true, { TERM: 'dumb' }, { redraws: false, colour: false }],
  ['a pipe', undefined, { TERM: 'xterm' }, { redraws: false, colour: false }],
])('%s understands what it can', (_, isTTY, env, expected) => {
  expect(terminalOf({ isTTY }, env)).toEqual(expected);
});

test.each([
  ['abc', 3],
  ['Jürgen', 6],
  ['山田', 4],
  ['🦊', 2],
])('%s takes %i columns', (text, count) => {
  expect(columns(text)).toBe(count);
});

test.each([
  ['abcdef', 6, 'abcdef'],
  ['abcdef', 5, 'abcd…'],
  ['abc def', 5, 'abc…'],
  ['山田山', 5, '山田…'],
  ['🦊🦊🦊', 4, '🦊…'],
])('%s in %i columns is %s', (text, width, shown) => {
  expect(cutToWidth(text, width)).toBe(shown);
});

test('text is wrapped at spaces and cut on the last line', () => {
  expect(wrap('one two three four five', 9, 3)).toEqual(['one two', 'three', 'four five']);
  expect(wrap('one two three four five', 9, 2)).toEqual(['one two', 'three fo…']);
});

test('a word longer than a line is broken', () => {
  expect(wrap('abcdefghijkl', 5, 3)).toEqual(['abcde', 'fghij', 'kl']);
});

test('folded text keeps every word, styles and words longer than a line', () => {
  const spans = [{ text: 'one two three  ' }, { text: 'clientData.catalog four', style: 'weak' as const }];
  const lines = folded(spans, 11, 2);
  expect(lines.map((each) => paint(each, { colour: false, width: 11 }))).toEqual([
    'one two',
    '  three',
    '  clientData.catalog',
    '  four',
  ]);
  expect(lines[3]?.spans.at(-1)).toEqual({ text: 'four', style: 'weak' });
  expect(folded(spans, 1_000, 2)).toHaveLength(1);
});

test('of a list the first entries are shown that fit', () => {
  const entries = [1, 2, 3].map((count) => Array.from({ length: count }, () => blank));
  expect(fitting(entries, { entries: 3, lines: 6 })).toHaveLength(3);
  expect(fitting(entries, { entries: 3, lines: 5 })).toHaveLength(2);
  expect(fitting(entries, { entries: 1, lines: 5 })).toHaveLength(1);
  expect(fitting(entries, { entries: -1, lines: 5 })).toHaveLength(0);
});

test('text that fits is one line', () => {
  expect(wrap('fits', 4, 3)).toEqual(['fits']);
});

test.each([
  ['line ends and tabs', 'a\r\n\tb', 'a\\r\\n\\tb'],
  ['colours and cursor moves', '\x1b[31mred\x1b[2J', '\\e[31mred\\e[2J'],
  ['a title set by OSC', '\x1b]0;x\x07', '\\e]0;x\\u{7}'],
  ['C1 controls', '\x9b31m\x85', '\\u{9b}31m\\u{85}'],
  ['NUL, backspace and DEL', '\0\b\x7f', '\\u{0}\\u{8}\\u{7f}'],
  ['bidi overrides and isolates', '\u202Eabc\u2066\u200F', '\\u{202e}abc\\u{2066}\\u{200f}'],
  ['zero-width characters', 'a\u200Bb\u200Dc\uFEFF', 'a\\u{200b}b\\u{200d}c\\u{feff}'],
  ['line and paragraph separators', 'a\u2028b\u2029', 'a\\u{2028}b\\u{2029}'],
  ['tag characters', 'a\u{E0041}', 'a\\u{e0041}'],
  ['lone surrogates', '\uD800', '\\u{d800}'],
])('%s are shown, not obeyed', (_, text, shown) => {
  expect(terminalText(text)).toBe(shown);
});

test('what is only printed stays as it is', () => {
  const text = 'Jürgen 山田 🦊 <a href="x">\\n</a> é';
  expect(terminalText(text)).toBe(text);
});

test('no character of the first two planes is left that could move a cursor', () => {
  const all = Array.from({ length: 0x20000 }, (_, code) => String.fromCodePoint(code)).join('');
  expect(terminalText(all)).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Cs}]/u);
});

test('text made safe stays as it is when made safe again', () => {
  const once = terminalText('\x1b[0m\n');
  expect(terminalText(once)).toBe(once);
});

test('a pipe has room for a whole line of advice, a terminal for as much as it is wide', () => {
  const advice = reasons['auth-wall'].remedy + reasons['no-session'].means;
  expect(columnsOf({ columns: 80 })).toBe(80);
  // A terminal that was opened without a size.
  for (const columns of [0, 1, 9]) expect(columnsOf({ columns })).toBe(columnsOf({}));
  expect(cutToWidth(advice, columnsOf({}))).toBe(advice);
  expect(advice.length).toBeGreaterThan(300);
});
